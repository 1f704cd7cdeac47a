// Runs tests in one headless Chromium and counts them. Every page that a test opens must end
// without errors, without messages on its console, and without having asked for anything.
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const tests = [];

export function test(name, run) {
  tests.push({ name, run });
}

// Machines that build at the same time are slow.
const PATIENCE = 120_000;

export class Browser {
  constructor(chromium, folder) {
    this.chromium = chromium;
    this.folder = folder;
    this.opened = [];
  }

  // A page that shares nothing with those of other tests.
  async open(file, { width = 1440, height = 900, ...options } = {}) {
    const context = await this.chromium.newContext({ viewport: { width, height }, ...options });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    const problems = [];
    page.on("console", (message) => problems.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
    page.on("request", (request) => {
      const url = request.url();
      const own = url === address || url.startsWith("data:") || url.startsWith("blob:");
      if (!own) problems.push(`request: ${url}`);
    });
    const address = pathToFileURL(join(this.folder, file)).href;
    this.opened.push({ context, problems, file });
    await page.goto(address);
    if (options.javaScriptEnabled !== false) await page.waitForSelector("html.alive");
    return page;
  }

  async close() {
    const found = [];
    for (const { context, problems, file } of this.opened) {
      await context.close();
      found.push(...problems.map((problem) => `${file}: ${problem}`));
    }
    assert.deepEqual(found, []);
  }
}

export async function run(folder, only) {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  // The driver gives it an empty profile of its own.
  const driven = await chromium.launch({ executablePath, args: FLAGS, timeout: PATIENCE });
  let [passed, failed] = [0, 0];
  for (const { name, run } of tests.filter((test) => !only || test.name.includes(only))) {
    const browser = new Browser(driven, folder);
    try {
      await run(browser);
      await browser.close();
      passed += 1;
      console.log(`ok      ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name}\n${error.stack}`);
      await browser.close().catch((more) => console.log(more.message));
    }
  }
  await driven.close();
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0;
}

// The next texts of an element, in order. The page notes them: a word that stays for a second may
// come late, and be gone before a slow test looks.
export async function changes(locator, count) {
  const noted = await locator.evaluateHandle((element, count) => {
    const texts = [];
    const all = new Promise((done) => {
      new MutationObserver(() => {
        if (texts.push(element.textContent) === count) done(texts);
      }).observe(element, { childList: true, characterData: true, subtree: true });
    });
    return { all };
  }, count);
  return () => noted.evaluate(({ all }) => all);
}

// Scrolling takes hints away, and is told of a frame later.
export function settled(page) {
  return page.evaluate(() => new Promise((ready) => requestAnimationFrame(() => requestAnimationFrame(ready))));
}

// The pixels of a view, as text to compare.
export function pixels(page, figure = "figure.live") {
  return page.locator(`${figure} canvas`).first().evaluate(async (canvas) => {
    await new Promise((ready) => requestAnimationFrame(() => requestAnimationFrame(ready)));
    return canvas.toDataURL();
  });
}

export function hint(page) {
  return page.locator("#hint").evaluate((box) => (box.hidden ? "" : box.textContent));
}
