// Views: sliders over frames, values under the pointer.
import assert from "node:assert/strict";
import { changes, hint, pixels, settled, test } from "./harness.mjs";

const ROUNDS = "figure[data-file='1-spatial-treefix-rounds']";
const LINKS = "figure[data-file='2-mesh-map-placement']";
const QUEUES = "figure[data-file='2-mesh-map-queues']";

function legend(page, figure) {
  return page.locator(`${figure} .legend li`).allTextContents();
}

// The number behind some words in a legend.
async function count(page, figure, words) {
  const line = (await legend(page, figure)).find((line) => line.startsWith(words));
  return Number(line.slice(words.length).replaceAll(",", ""));
}

test("the slider over rounds changes the canvas and the counts", async (browser) => {
  const page = await browser.open("report.html");
  const slider = page.locator(`${ROUNDS} input`);
  const first = [await pixels(page, ROUNDS), await legend(page, ROUNDS)];
  assert.ok((await count(page, ROUNDS, "raked ")) > 100);
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await page.textContent(`${ROUNDS} output`), /^round 2 of \d+$/);
  const second = [await pixels(page, ROUNDS), await legend(page, ROUNDS)];
  assert.notEqual(second[0], first[0]);
  assert.notDeepEqual(second[1], first[1]);
  await page.locator(`${ROUNDS} button`, { hasText: "‹" }).click();
  assert.deepEqual([await pixels(page, ROUNDS), await legend(page, ROUNDS)], first);
});

test("all vertices are accounted for in every round", async (browser) => {
  const page = await browser.open("report.html");
  const slider = page.locator(`${ROUNDS} input`);
  const frames = Number(await slider.getAttribute("max")) + 1;
  assert.ok(frames >= 6);
  let [contracted, undone] = [0, 0];
  for (let frame = 0; frame < frames; frame++) {
    await slider.fill(String(frame));
    const [raked, compressed] = [await count(page, ROUNDS, "raked "), await count(page, ROUNDS, "compressed ")];
    const [waiting, gone] = [await count(page, ROUNDS, "still there "), await count(page, ROUNDS, "contracted before ")];
    assert.equal(gone, contracted);
    contracted += raked + compressed;
    undone += await count(page, ROUNDS, "messages: uncontract ");
    assert.equal(waiting + contracted, 1024);
  }
  assert.deepEqual([contracted, undone], [1023, 1023]);
});

test("playing goes through the rounds and stops at the last", async (browser) => {
  const page = await browser.open("report.html");
  const slider = page.locator(`${ROUNDS} input`);
  const last = Number(await slider.getAttribute("max"));
  await slider.fill(String(last - 1));
  const button = page.locator(`${ROUNDS} button`, { hasText: "Play" });
  const said = await changes(button, 2);
  await button.click();
  assert.deepEqual(await said(), ["Pause", "Play"]);
  assert.equal(Number(await slider.inputValue()), last);
});

test("hovering over a cell tells its vertex", async (browser) => {
  const page = await browser.open("report.html");
  const stage = page.locator(`${ROUNDS} .board`);
  await stage.scrollIntoViewIfNeeded();
  await settled(page);
  const box = await stage.boundingBox();
  // 32 cells per side, in the middle of the stage.
  const cell = Math.min(box.width, box.height) / 32;
  const [x, y] = [box.x + box.width / 2 - 15.5 * cell, box.y + box.height / 2 - 15.5 * cell];
  await page.mouse.move(x, y);
  assert.equal(await hint(page), "vertex 0 in column 0, row 0: a root, never contracted");
  await page.mouse.move(x + 2 * cell, y + cell);
  assert.match(await hint(page), /^vertex 61 in column 2, row 1: parent \d+, (raked|compressed) in round \d+$/);
  await stage.focus();
  await settled(page);
  await page.keyboard.press("n");
  assert.match(await hint(page), /in round 1$/);
});

test("views can be enlarged and moved", async (browser) => {
  const page = await browser.open("report.html");
  const home = await pixels(page, ROUNDS);
  await page.locator(`${ROUNDS} .board`).focus();
  await page.keyboard.press("+");
  const near = await pixels(page, ROUNDS);
  assert.notEqual(near, home);
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await pixels(page, ROUNDS), near);
  await page.keyboard.press("0");
  assert.equal(await pixels(page, ROUNDS), home);
});

test("the loads of links change with the phase", async (browser) => {
  const page = await browser.open("report.html");
  assert.equal(await page.textContent(`${LINKS} output`), "all phases");
  const all = [await pixels(page, LINKS), await count(page, LINKS, "values times hops ")];
  let sum = 0;
  for (const phase of [1, 2, 3]) {
    await page.locator(`${LINKS} input`).fill(String(phase));
    assert.equal(await page.textContent(`${LINKS} output`), `phase ${phase} of 3`);
    assert.notEqual(await pixels(page, LINKS), all[0]);
    sum += await count(page, LINKS, "values times hops ");
  }
  assert.equal(sum, all[1]);
});

test("hovering over a link tells its ends and values", async (browser) => {
  const page = await browser.open("report.html");
  const stage = page.locator(`${LINKS} .board`);
  await stage.scrollIntoViewIfNeeded();
  await settled(page);
  const box = await stage.boundingBox();
  // 4 processors per side and a border of 0.45 of one.
  const cell = Math.min(box.width, box.height) / 4.9;
  const corner = [box.x + (box.width - 4.9 * cell) / 2, box.y + (box.height - 4.9 * cell) / 2];
  // Halfway from the first processor to the second, below the line for those who go right.
  await page.mouse.move(corner[0] + 1.45 * cell, corner[1] + (0.95 + 0.09) * cell);
  // Link 2 carries 0 (phase 2 leaves it out), 74 + 101 - 90 and 74 + 202 over 90: see the sample.
  const phases = [0, 1, 2].map((phase) => ((2 + phase) % 3 === 0 ? 0 : (2 * 37 + phase * 101) % 90));
  const values = phases.reduce((a, b) => a + b);
  assert.equal(await hint(page), `from 0 to 1 (right): ${values} values`);
  await page.locator(`${LINKS} input`).fill("1");
  await page.mouse.move(corner[0] + 1.45 * cell, corner[1] + (0.95 + 0.1) * cell);
  assert.equal(await hint(page), `from 0 to 1 (right): ${phases[0]} values, ${values} in all phases`);
});

test("queues of a replay change over time", async (browser) => {
  const page = await browser.open("report.html");
  const slider = page.locator(`${QUEUES} input`);
  const output = () => page.textContent(`${QUEUES} output`);
  const waiting = async () => [
    await count(page, QUEUES, "messages waiting for links "),
    await count(page, QUEUES, "waiting for ramps "),
    await count(page, QUEUES, "links in use "),
  ];
  // 45 cycles of waiting for links in 20, 10 for a ramp; three links are used.
  assert.equal(await output(), "the whole run");
  assert.deepEqual(await waiting(), [2.3, 0.5, 3]);
  const whole = await pixels(page, QUEUES);
  await slider.fill("1");
  assert.equal(await output(), "cycles 0 to 9");
  assert.deepEqual(await waiting(), [3, 1, 2]);
  const first = await pixels(page, QUEUES);
  await slider.fill("2");
  assert.equal(await output(), "cycles 10 to 19");
  assert.deepEqual(await waiting(), [1.5, 0, 2]);
  assert.equal(new Set([whole, first, await pixels(page, QUEUES)]).size, 3);
  await slider.fill("1");
  const stage = page.locator(`${QUEUES} .board`);
  await stage.focus();
  await settled(page);
  await page.keyboard.press("n");
  assert.equal(
    await hint(page),
    "column 0, row 0, to the right: busy 100% of the time, 3.00 messages waiting on average",
  );
});

test("a tree of 20,000 vertices is drawn, in so many milliseconds", async (browser) => {
  const page = await browser.open("large.html");
  const slider = page.locator("figure.live input");
  const before = await pixels(page);
  const milliseconds = await slider.evaluate(async (slider) => {
    const start = performance.now();
    slider.value = 1;
    slider.dispatchEvent(new Event("input"));
    await new Promise((ready) => requestAnimationFrame(() => setTimeout(ready)));
    return performance.now() - start;
  });
  assert.notEqual(await pixels(page), before);
  console.log(`        ${milliseconds.toFixed(0)} ms`);
});

test("the still picture can be seen instead of the view", async (browser) => {
  const page = await browser.open("report.html");
  const [board, still] = [page.locator(`${ROUNDS} .board`), page.locator(`${ROUNDS} .still`)];
  assert.deepEqual([await board.isVisible(), await still.isVisible()], [true, false]);
  await page.locator(`${ROUNDS} .flip`).click();
  assert.deepEqual([await board.isVisible(), await still.isVisible()], [false, true]);
});
