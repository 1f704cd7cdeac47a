// The page comes alive: buttons, pictures, views, commands to copy.
const VIEWS = { rounds: Rounds, links: Links, queues: Queues };

function setUpPicture(figure) {
  const title = figure.querySelector("figcaption").textContent;
  const stage = figure.querySelector(".stage.still");
  const still = new Still(stage, title);
  const tools = document.createElement("div");
  tools.className = "tools";
  const name = figure.dataset.file;
  const data = figure.querySelector("script.view");
  const interactive = data && setUpView(figure, JSON.parse(data.textContent), title);
  let shown = interactive ?? { camera: still.camera, savePng: () => still.savePng(name) };
  // What the buttons do depends on which of the two is seen.
  const camera = { enlarge: (f) => shown.camera.enlarge(f), reset: () => shown.camera.reset() };
  tools.append(...Camera.prototype.buttons.call(camera));
  tools.append(
    toolButton("SVG", "Save the picture as an SVG file", () => still.saveSvg(name)),
    toolButton("PNG", "Save what is seen as a PNG file", () => shown.savePng()),
  );
  if (interactive) {
    const flip = toolButton("", "Change between the interactive view and the still picture", () => {
      shown = shown === interactive ? { camera: still.camera, savePng: () => still.savePng(name) } : interactive;
      say();
    });
    const say = () => {
      const live = shown === interactive;
      figure.classList.toggle("live", live);
      flip.textContent = live ? "Still picture" : "Interactive";
    };
    flip.className = "flip";
    tools.prepend(flip);
    say();
  }
  figure.querySelector("figcaption").after(tools);
}

function setUpView(figure, data, title) {
  const View = VIEWS[data.kind];
  if (!View) return undefined;
  const view = new View(data);
  if (view.frameCount() === 0) return undefined;
  const panel = document.createElement("div");
  panel.className = "panel";
  const stage = document.createElement("div");
  stage.className = "stage board";
  stage.style.aspectRatio = `${Math.min(2.5, Math.max(0.8, view.width / view.height))}`;
  const legend = document.createElement("ul");
  legend.className = "legend";
  const board = new Board(stage, view, title);
  const frames = frameBar(view.frameCount(), (frame) => view.frameName(frame), (frame) => {
    view.frame = frame;
    board.reached = -1;
    hideHint();
    fillLegend(legend, view.legend());
    board.redraw();
  });
  panel.append(frames.bar, stage, legend);
  figure.querySelector(".stage.still").before(panel);
  frames.show();
  const name = () => `${figure.dataset.file}-${view.fileName(view.frame)}`;
  return { camera: board.camera, savePng: () => board.savePng(name()) };
}

function setUpCommand(box) {
  const code = box.querySelector("code");
  const button = toolButton("Copy", "Copy the command line", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      // Pages from files may not use the clipboard everywhere; the selection can be copied.
      getSelection().selectAllChildren(code);
      document.execCommand("copy");
    }
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  box.append(button);
}

function help() {
  const words = document.createElement("p");
  words.className = "help";
  words.textContent =
    "Ctrl and the wheel, or two fingers, enlarge a picture; drag to move it; double-click to come nearer. " +
    "With the focus on one: +, −, 0, arrows, and n or p for its values.";
  return words;
}

document.body.append(probe, hintBox);
if (document.querySelector("figure.picture")) document.querySelector("section").before(help());
document.getElementById("page-tools").append(themeButton());
hintCells();
document.querySelectorAll("figure.picture").forEach(setUpPicture);
document.querySelectorAll(".command").forEach(setUpCommand);
setTheme(storedTheme());
systemIsDark.addEventListener("change", () => setTheme(theme));
document.documentElement.classList.add("alive");
