// The page as a whole: errors, widths, themes, keys, paper, comparisons.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { changes, hint, settled, test } from "./harness.mjs";

const PAGES = ["report.html", "compare.html", "large.html"];
// A page without a script.
const SWEEP = "sweep.html";
const DEMO = "demo/report.html";
if (existsSync(join(process.argv[2] ?? "", DEMO))) PAGES.push(DEMO);
else console.log(`without ${DEMO}, which is not there`);

for (const file of PAGES) {
  for (const width of [390, 1440]) {
    test(`${file} does not overflow at ${width} pixels`, async (browser) => {
      const page = await browser.open(file, { width });
      await page.locator("summary").evaluateAll((all) => all.forEach((one) => one.click()));
      const [wide, room] = await page.evaluate(() => {
        const root = document.scrollingElement;
        return [root.scrollWidth, root.clientWidth];
      });
      assert.ok(wide <= room, `${wide} pixels in ${room}`);
      const out = await page.evaluate(() => {
        const boxes = [...document.querySelectorAll("main *, header *")].filter((e) => !e.closest(".scroll, pre"));
        return boxes.filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML.slice(0, 80));
      });
      assert.deepEqual(out, []);
    });
  }
}

for (const file of [...PAGES, SWEEP]) {
  test(`the pictures of ${file} fit a phone, and their text can be read`, async (browser) => {
    const page = await browser.open(file, { width: 390, javaScriptEnabled: file !== SWEEP });
    await page.locator("figure.live .flip").evaluateAll((all) => all.forEach((one) => one.click()));
    const found = await page.evaluate(() => {
      const pictures = [...document.querySelectorAll("figure")].map((figure) => {
        const stage = figure.querySelector(".stage.still") ?? figure;
        return [figure.dataset.file ?? "", stage, (stage.shadowRoot ?? stage).querySelector("svg")];
      });
      return pictures.map(([name, stage, svg]) => {
        const [box, room] = [svg.getBoundingClientRect(), stage.getBoundingClientRect()];
        const scale = box.width / svg.viewBox.baseVal.width;
        const size = (text) => parseFloat(getComputedStyle(text).fontSize) * scale;
        const texts = [...svg.querySelectorAll("text, tspan")].map((text) => [size(text), text.textContent]);
        const fits = box.width > 200 && box.left >= room.left && box.right <= room.right + 1;
        return { name, fits, scrolls: stage.scrollWidth > stage.clientWidth + 1, texts: texts.filter(([size]) => size < 9) };
      });
    });
    assert.ok(found.length > 0);
    // No picture is an exception.
    assert.deepEqual(found.filter(({ fits, scrolls, texts }) => !fits || scrolls || texts.length > 0), []);
  });
}

test("text of a record cannot run, and is shown as it is", async (browser) => {
  const page = await browser.open("report.html");
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.match(await page.locator("h2").last().textContent(), /tree <\/title><script>window\.broken=1/);
  const inside = await page.locator("figure").last().evaluate((figure) => {
    const svg = figure.querySelector(".stage").shadowRoot.querySelector("svg");
    return [svg.querySelectorAll("script").length, svg.hasAttribute("onload"), svg.textContent.includes("harmless")];
  });
  assert.deepEqual(inside, [0, false, true]);
});

test("the policy of the page lets no other script run", async (browser) => {
  const page = await browser.open("report.html");
  const refused = await page.evaluate(
    () =>
      new Promise((done) => {
        document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
        const script = document.createElement("script");
        script.textContent = "window.broken = 1";
        document.body.append(script);
        setTimeout(() => done("nothing"), 2000);
      }),
  );
  assert.match(refused, /script-src/);
  assert.equal(await page.evaluate(() => window.broken), undefined);
  browser.opened[0].problems.length = 0;
});

test("the theme button changes page, pictures and canvases", async (browser) => {
  const page = await browser.open("report.html", { colorScheme: "light" });
  const look = () =>
    page.evaluate(async () => {
      await new Promise((ready) => requestAnimationFrame(() => requestAnimationFrame(ready)));
      const ground = document.querySelector("figure:not(.live) .stage").shadowRoot.querySelector(".ground");
      const canvas = document.querySelector("figure.live canvas");
      const copy = document.createElement("canvas").getContext("2d");
      copy.drawImage(canvas, 0, 0);
      const corner = [...copy.getImageData(1, 1, 1, 1).data].slice(0, 3).join();
      return [getComputedStyle(document.body).backgroundColor, getComputedStyle(ground).fill, corner];
    });
  // Canvases follow when their turn comes.
  const becomes = async (wanted, why) => {
    const end = Date.now() + 3000;
    while (Date.now() < end && (await look()).join() !== wanted.join()) await page.waitForTimeout(50);
    assert.deepEqual(await look(), wanted, why);
  };
  const light = ["rgb(255, 255, 255)", "rgb(255, 255, 255)", "255,255,255"];
  const dark = ["rgb(13, 17, 23)", "rgb(13, 17, 23)", "13,17,23"];
  await becomes(light);
  await page.emulateMedia({ colorScheme: "dark" });
  await becomes(dark, "the system's theme is followed");
  await page.click("#theme");
  assert.equal(await page.textContent("#theme"), "Theme: light");
  await becomes(light);
  await page.click("#theme");
  await page.emulateMedia({ colorScheme: "light" });
  await becomes(dark);
  await page.reload();
  assert.equal(await page.textContent("#theme"), "Theme: dark", "the choice is remembered");
  await becomes(dark);
});

test("the keyboard reaches buttons, sliders and pictures, and shows where it is", async (browser) => {
  const page = await browser.open("report.html");
  const seen = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      const outline = getComputedStyle(e).outlineStyle !== "none";
      return `${e.type === "range" ? "slider" : e.textContent.trim().slice(0, 12) || e.className}${outline ? "" : " UNSEEN"}`;
    });
    seen.add(at);
  }
  const wanted = ["slider", "Theme: auto", "Play", "Still pictur", "SVG", "PNG", "Reset", "Copy", "stage board"];
  for (const one of wanted) assert.ok(seen.has(one), `${one} in ${[...seen]}`);
  assert.deepEqual([...seen].filter((at) => at.includes("UNSEEN")), []);
});

test("controls have names", async (browser) => {
  const page = await browser.open("report.html");
  const nameless = await page.locator("button, input, .stage[tabindex]").evaluateAll((all) =>
    all.filter((e) => !e.getAttribute("aria-label")).map((e) => e.outerHTML.slice(0, 90)),
  );
  assert.deepEqual(nameless, []);
});

test("paper has all pictures, light, and no buttons", async (browser) => {
  const page = await browser.open("report.html", { colorScheme: "dark" });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const found = await page.evaluate(() => {
    const shown = (e) => e.getBoundingClientRect().height > 0;
    const stages = [...document.querySelectorAll(".stage.still")];
    const fill = (stage) => {
      const ground = stage.shadowRoot.querySelector(".ground");
      return ground ? getComputedStyle(ground).fill : "rgb(255, 255, 255)";
    };
    return {
      pictures: stages.every(shown),
      buttons: [...document.querySelectorAll("button, input, canvas")].filter(shown).length,
      ground: getComputedStyle(document.body).backgroundColor,
      fills: [...new Set(stages.map(fill))],
    };
  });
  const white = "rgb(255, 255, 255)";
  assert.deepEqual(found, { pictures: true, buttons: 0, ground: white, fills: [white] });
});

test("a picture keeps to its place, on paper too, whatever its style says", async (browser) => {
  for (const media of ["screen", "print"]) {
    const page = await browser.open("report.html");
    await page.emulateMedia({ media });
    const covered = await page.evaluate(() => {
      const heading = document.querySelector("section h2");
      const svg = document.querySelector("section .stage.still").shadowRoot.querySelector("svg");
      svg.insertAdjacentHTML(
        "beforeend",
        '<style>svg{overflow:visible}</style><rect x="-9000" y="-9000" width="20000" height="20000"/>',
      );
      heading.scrollIntoView({ block: "center" });
      const box = heading.getBoundingClientRect();
      const found = document.elementFromPoint(box.x + 20, box.y + box.height / 2);
      return found.closest("h2") === heading ? "" : found.outerHTML.slice(0, 80);
    });
    assert.equal(covered, "", media);
  }
});

test("without script the pictures and figures are there", async (browser) => {
  const page = await browser.open("report.html", { javaScriptEnabled: false });
  const heights = await page.locator(".stage.still").evaluateAll((all) => all.map((e) => e.getBoundingClientRect().height));
  assert.ok(heights.length >= 4 && heights.every((height) => height > 40), `${heights}`);
  assert.equal(await page.locator("button").count(), 0);
});

test("short numbers tell all their digits", async (browser) => {
  const page = await browser.open("report.html");
  const cell = page.locator("td", { hasText: "8.731e-11" }).first();
  await cell.scrollIntoViewIfNeeded();
  await settled(page);
  await cell.hover();
  assert.equal(await hint(page), "8.731234567e-11");
  await page.keyboard.press("Escape");
  assert.equal(await hint(page), "");
});

test("the command line can be copied", async (browser) => {
  const page = await browser.open("report.html", { permissions: ["clipboard-read", "clipboard-write"] });
  const button = page.locator(".command button").first();
  const said = await changes(button, 1);
  await button.click();
  assert.deepEqual(await said(), ["Copied"]);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, "palmette spatial treefix tree.csv --op sum --svg rounds.svg");
});

test("the summary leads to the runs", async (browser) => {
  const page = await browser.open("report.html");
  await page.click(".contents a >> nth=2");
  const top = await page.locator("#run-3").evaluate((section) => section.getBoundingClientRect().top);
  assert.ok(Math.abs(top) < 2, `${top}`);
});

test("pictures of a run stand side by side, and below each other on a phone", async (browser) => {
  if (!PAGES.includes(DEMO)) return;
  const boxes = (page) =>
    page.locator("#run-4 figure").evaluateAll((all) => all.map((e) => e.getBoundingClientRect().toJSON()));
  const wide = await boxes(await browser.open(DEMO));
  assert.ok(wide.length >= 2 && wide[0].top === wide[1].top && wide[0].right <= wide[1].left);
  const narrow = await boxes(await browser.open(DEMO, { width: 390 }));
  assert.ok(narrow[0].left === narrow[1].left && narrow[0].bottom <= narrow[1].top);
});

test("the report of the demo opens with the whole way, says what is seen, and compares solvers", async (browser) => {
  if (!PAGES.includes(DEMO)) return;
  const page = await browser.open(DEMO);
  const first = page.locator("figure").first();
  assert.equal(await first.getAttribute("data-file"), "overview");
  const names = await first.locator(".stage").evaluate((stage) =>
    [...stage.shadowRoot.querySelectorAll("text.panel")].map((text) => text.textContent.replace(/^\d +/, "")),
  );
  assert.deepEqual(names, ["Mesh", "Parts", "Machine", "Skeleton", "Tree", "Grid"]);
  const about = await page.locator("section .about").allTextContents();
  assert.equal(about.length, await page.locator("section").count());
  for (const text of about) assert.ok(text.split(/[.?!](?: |$)/).length >= 3, text);
  const solvers = page.locator("table", { has: page.locator("caption", { hasText: /^preconditioners$/ }) });
  assert.deepEqual((await solvers.locator("thead th").allTextContents()).slice(1, 4), ["setup seconds", "solve seconds", "iterations"]);
  assert.equal(await solvers.locator("tbody tr").count(), 7);
  assert.equal(await page.locator("th", { hasText: "preconditioners: " }).count(), 0);
});

test("a comparison stands side by side, and below each other on a phone", async (browser) => {
  const boxes = (page) =>
    page.locator(".pair >> nth=0").locator("figure").evaluateAll((all) => all.map((e) => e.getBoundingClientRect().toJSON()));
  const wide = await boxes(await browser.open("compare.html"));
  assert.equal(wide.length, 2);
  assert.ok(wide[0].top === wide[1].top && wide[0].right <= wide[1].left);
  const page = await browser.open("compare.html", { width: 390 });
  const narrow = await boxes(page);
  assert.ok(narrow[0].left === narrow[1].left && narrow[0].bottom <= narrow[1].top);
  const row = await page.locator("tr", { hasText: "iterations" }).first().locator("td").allTextContents();
  assert.deepEqual(row, ["41", "69", "+28", "1.68"]);
  const machine = await page.locator("tr", { hasText: "machine" }).first().locator("td").allTextContents();
  assert.deepEqual(machine, ["torus:4x4", "torus:6x6", "differs"]);
});
