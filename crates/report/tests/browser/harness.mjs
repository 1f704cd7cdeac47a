// Runs tests in one headless Chromium and counts them. Every page that a test opens must end
// without errors, without messages on its console, and without having asked for anything.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
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

export class Browser {
  constructor(folder) {
    this.folder = folder;
  }

  // A page in a profile of its own; `check` tells what went wrong in it.
  async open(file, { width = 1440, height = 900, ...options } = {}) {
    const profile = await mkdtemp(join(tmpdir(), "palmette-browser-"));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: FLAGS,
      acceptDownloads: true,
      viewport: { width, height },
      ...options,
    });
    const page = context.pages()[0] ?? (await context.newPage());
    const problems = [];
    page.on("console", (message) => problems.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
    page.on("request", (request) => {
      const url = request.url();
      const own = url === address || url.startsWith("data:") || url.startsWith("blob:");
      if (!own) problems.push(`request: ${url}`);
    });
    const address = pathToFileURL(join(this.folder, file)).href;
    this.opened.push({ context, profile, problems, file });
    await page.goto(address);
    if (options.javaScriptEnabled !== false) await page.waitForSelector("html.alive");
    return page;
  }

  async close() {
    const found = [];
    for (const { context, profile, problems, file } of this.opened) {
      await context.close();
      await rm(profile, { recursive: true, force: true });
      found.push(...problems.map((problem) => `${file}: ${problem}`));
    }
    assert.deepEqual(found, []);
  }
}

export async function run(folder, only) {
  let [passed, failed] = [0, 0];
  for (const { name, run } of tests.filter((test) => !only || test.name.includes(only))) {
    const browser = new Browser(folder);
    browser.opened = [];
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
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0;
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
