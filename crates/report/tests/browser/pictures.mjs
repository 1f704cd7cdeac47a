// Still pictures: pan, zoom, hints, files.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { hint, settled, test } from "./harness.mjs";

// The chart of the sample, which has no view.
const CHART = "figure[data-file='3-graph-solve-convergence']";

function viewBox(page, figure = CHART) {
  return page.locator(`${figure} .stage.still`).evaluate((stage) =>
    stage.shadowRoot.querySelector("svg").getAttribute("viewBox").split(" ").map(Number),
  );
}

test("hovering over a picture shows the value below the pointer", async (browser) => {
  const page = await browser.open("report.html");
  await page.locator("figure.live .flip").first().click();
  const stage = page.locator("figure .stage.still").first();
  await stage.scrollIntoViewIfNeeded();
  const at = await stage.evaluate((stage) => {
    const bar = [...stage.shadowRoot.querySelectorAll("rect")].find((e) => e.querySelector("title"));
    bar.scrollIntoView({ block: "center" });
    const box = bar.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, text: bar.querySelector("title").textContent };
  });
  await settled(page);
  await page.mouse.move(at.x, at.y);
  assert.match(at.text, /round 1: \d+ vertices/);
  assert.equal(await hint(page), at.text);
  assert.equal(await stage.evaluate((s) => s.shadowRoot.querySelectorAll("svg > title").length), 0);
  await page.mouse.move(2, 2);
  assert.equal(await hint(page), "");
});

test("keys go through the values of a picture", async (browser) => {
  const page = await browser.open("report.html");
  await page.locator("figure.live .flip").first().click();
  await page.locator("figure .stage.still").first().focus();
  await settled(page);
  const said = [];
  for (const key of ["n", "n", "p"]) {
    await page.keyboard.press(key);
    said.push(await hint(page));
  }
  assert.match(said[0], /round 1: /);
  assert.match(said[1], /round 2: /);
  assert.equal(said[2], said[0]);
});

test("Ctrl and the wheel enlarge a picture; the wheel alone scrolls the page", async (browser) => {
  const page = await browser.open("report.html");
  await page.locator(`${CHART} .stage.still`).scrollIntoViewIfNeeded();
  await page.locator(`${CHART} .stage.still`).hover();
  const home = await viewBox(page);
  const before = await page.evaluate(() => scrollY);
  await page.mouse.wheel(0, -200);
  await page.waitForFunction((y) => scrollY !== y, before);
  assert.deepEqual(await viewBox(page), home);
  await page.locator(`${CHART} .stage.still`).hover();
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -300);
  await page.keyboard.up("Control");
  await page.waitForFunction(() => document.querySelector(".stage.enlarged"));
  const near = await viewBox(page);
  assert.ok(near[2] < 0.7 * home[2] && near[3] < 0.7 * home[3]);
});

test("dragging, buttons and keys move and enlarge a picture", async (browser) => {
  const page = await browser.open("report.html");
  const stage = page.locator(`${CHART} .stage.still`);
  await stage.scrollIntoViewIfNeeded();
  const home = await viewBox(page);
  await page.locator(`${CHART} button`, { hasText: "+" }).click();
  await page.locator(`${CHART} button`, { hasText: "+" }).click();
  const near = await viewBox(page);
  assert.ok(near[2] < 0.6 * home[2]);
  const box = await stage.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 30, { steps: 4 });
  await page.mouse.up();
  const moved = await viewBox(page);
  assert.ok(moved[0] < near[0] && moved[1] < near[1], `${moved} after ${near}`);
  const wide = await stage.evaluate((stage) => stage.shadowRoot.querySelector("svg").getBoundingClientRect().width);
  assert.ok(Math.abs((near[0] - moved[0]) / near[2] - 60 / wide) < 0.01, "it follows the pointer");
  await stage.focus();
  await page.keyboard.press("ArrowRight");
  assert.ok((await viewBox(page))[0] > moved[0]);
  await page.keyboard.press("-");
  assert.ok((await viewBox(page))[2] > moved[2]);
  await page.keyboard.press("0");
  assert.deepEqual(await viewBox(page), home);
  await page.keyboard.press("+");
  assert.ok((await viewBox(page))[2] < home[2]);
  await page.locator(`${CHART} button`, { hasText: "Reset" }).click();
  assert.deepEqual(await viewBox(page), home);
});

test("two fingers enlarge a picture", async (browser) => {
  const page = await browser.open("report.html", { width: 390, hasTouch: true });
  const stage = page.locator(`${CHART} .stage.still`);
  await stage.scrollIntoViewIfNeeded();
  const home = await viewBox(page);
  const box = await stage.boundingBox();
  const y = box.y + box.height / 2;
  const client = await page.context().newCDPSession(page);
  const touch = (type, gap) =>
    client.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: gap ? [-1, 1].map((side, id) => ({ x: box.x + box.width / 2 + side * gap, y, id })) : [],
    });
  await touch("touchStart", 20);
  for (const gap of [30, 45, 60, 80]) await touch("touchMove", gap);
  await touch("touchEnd", 0);
  assert.ok((await viewBox(page))[2] < 0.6 * home[2], `${await viewBox(page)}`);
});

async function download(page, button) {
  const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return [file.suggestedFilename(), await readFile(await file.path())];
}

test("a picture is saved as SVG with its hints, however it is shown", async (browser) => {
  const page = await browser.open("report.html");
  await page.locator(`${CHART} button`, { hasText: "+" }).click();
  const [name, bytes] = await download(page, page.locator(`${CHART} button`, { hasText: "SVG" }));
  assert.equal(name, "3-graph-solve-convergence.svg");
  const found = await page.evaluate((text) => {
    const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    return [svg.localName, svg.getAttribute("viewBox"), svg.querySelectorAll("[data-hint]").length, svg.querySelectorAll("path, polyline").length > 0];
  }, bytes.toString());
  const size = await page.locator(`${CHART} .stage.still`).evaluate((stage) => {
    const svg = stage.shadowRoot.querySelector("svg");
    return `0 0 ${svg.getAttribute("width")} ${svg.getAttribute("height")}`;
  });
  assert.deepEqual(found, ["svg", size, 0, true]);
});

// The width, the height, and the first bytes of a PNG file.
function pngHead(bytes) {
  return [bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test("a picture is saved as PNG at twice its size in the colours of the theme", async (browser) => {
  const page = await browser.open("report.html", { colorScheme: "dark" });
  const size = await viewBox(page);
  const [name, bytes] = await download(page, page.locator(`${CHART} button`, { hasText: "PNG" }));
  assert.equal(name, "3-graph-solve-convergence.png");
  assert.deepEqual(pngHead(bytes), ["PNG", 2 * size[2], 2 * size[3]]);
  const corner = await page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.getContext("2d").drawImage(image, 0, 0);
    return [...canvas.getContext("2d").getImageData(3, 3, 1, 1).data];
  }, bytes.toString("base64"));
  assert.deepEqual(corner, [13, 17, 23, 255]);
});

test("a view is saved as PNG with its frame in the name", async (browser) => {
  const page = await browser.open("report.html");
  await page.locator("figure.live input").first().fill("2");
  const [name, bytes] = await download(page, page.locator("figure.live button", { hasText: "PNG" }).first());
  assert.equal(name, "1-spatial-treefix-rounds-round-3.png");
  const [kind, width, height] = pngHead(bytes);
  assert.ok(kind === "PNG" && width > 800 && height > 400);
});
