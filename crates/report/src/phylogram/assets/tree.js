// The page comes alive: camera, pointer, keys, search, what is known of a vertex.
const LEAST_ROW = 1e-7;
const MOST_ROW = 60;
const ZOOM = 1.5;

class TreeView {
  constructor(data) {
    this.data = data;
    this.layout = new TreeLayout(data);
    this.painter = new TreePainter(this.layout);
    this.camera = new RoundCamera(this.layout);
    this.roundPainter = new RoundPainter(this.painter, this.camera);
    this.round = Boolean(facts.circular);
    this.search = new TreeSearch(data);
    this.stage = document.getElementById("stage");
    this.canvas = document.createElement("canvas");
    this.stage.append(this.canvas);
    this.chosen = -1;
    this.found = [];
    this.current = -1;
    this.pointers = new Map();
    this.home();
    this.listen();
    new ResizeObserver(() => this.resized()).observe(this.stage);
    themeListeners.push(() => this.redraw());
  }

  get wide() {
    return this.stage.clientWidth;
  }

  get high() {
    return this.stage.clientHeight;
  }

  // Pixels that names of tips have at the right.
  get margin() {
    return Math.min(190, this.wide * 0.34);
  }

  // The whole tree.
  home() {
    this.camera.home(this.wide, this.high);
    const { least, most, count } = this.layout;
    const sx = Math.max(1, this.wide - 24 - this.margin) / (most - least);
    const sy = Math.min(24, Math.max(1, this.high - 24) / count);
    this.view = { x: least - 16 / sx, y: (count - this.high / sy) / 2, sx, sy };
    this.atHome = true;
    this.redraw();
  }

  resized() {
    if (this.atHome) this.home();
    else this.redraw();
  }

  redraw() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = undefined;
      this.paint();
    });
  }

  paint() {
    const density = devicePixelRatio || 1;
    const [wide, high] = [Math.round(this.wide * density), Math.round(this.high * density)];
    if (!wide || !high) return;
    if (this.canvas.width !== wide || this.canvas.height !== high) {
      this.canvas.width = wide;
      this.canvas.height = high;
    }
    const context = this.canvas.getContext("2d", { alpha: false });
    const place = this.round
      ? this.roundPainter.paint(context, wide, high, density)
      : this.painter.paint(context, this.view, wide, high, density);
    context.fillStyle = colour("mark");
    for (const i of this.found) {
      const [x, y] = place(this.layout.shown(i));
      if (this.round) context.fillRect(x - 2 * density, y - 2 * density, 4 * density, 4 * density);
      else context.fillRect(wide - 7 * density, y - density, 7 * density, 2 * density);
    }
    if (this.chosen >= 0) {
      const [x, y] = place(this.layout.shown(this.chosen));
      context.strokeStyle = colour("mark");
      context.lineWidth = 2.2 * density;
      context.beginPath();
      context.arc(x, y, 6 * density, 0, 7);
      context.stroke();
    }
    this.scaleBar(context, wide, high, density);
    if (!document.documentElement.classList.contains("alive")) {
      document.documentElement.dataset.ready = Math.round(performance.now());
      document.documentElement.classList.add("alive");
    }
  }

  scaleBar(context, wide, high, density) {
    const perDistance = this.round ? this.camera.s : this.view.sx;
    const least = 60 / perDistance;
    const power = 10 ** Math.floor(Math.log10(least));
    const length = [1, 2, 5, 10].map((f) => f * power).find((l) => l >= least * 0.999);
    const pixels = length * perDistance * density;
    const [right, y] = [wide - 16 * density, high - 14 * density];
    context.fillStyle = context.strokeStyle = colour("soft");
    context.lineWidth = density;
    context.beginPath();
    context.moveTo(right - pixels, y);
    context.lineTo(right, y);
    context.stroke();
    context.font = `${12 * density}px system-ui, sans-serif`;
    context.textAlign = "right";
    const unit = this.layout.byLength ? facts.unit || "" : "edges";
    context.fillText(`${short(length)} ${unit}`.trim(), right, y - 9 * density);
    context.textAlign = "left";
  }

  // Enlarges around a point of the stage.
  zoom(fx, fy, px = this.wide / 2, py = this.high / 2) {
    if (this.round) {
      // A circle has one scale.
      this.camera.zoom(fx === 1 ? fy : fx, px, py);
      this.moved();
      return;
    }
    const { view, layout } = this;
    const most = (1000 * this.wide) / (layout.most - layout.least);
    const sx = Math.min(most, Math.max(this.wide / 20 / (layout.most - layout.least), view.sx * fx));
    const sy = Math.min(MOST_ROW, Math.max(LEAST_ROW, Math.max(this.high / 4 / layout.count, view.sy * fy)));
    view.x += px / view.sx - px / sx;
    view.y += py / view.sy - py / sy;
    [view.sx, view.sy] = [sx, sy];
    this.moved();
  }

  pan(dx, dy) {
    if (this.round) {
      this.camera.pan(dx, dy, this.wide, this.high);
      this.moved();
      return;
    }
    this.view.x -= dx / this.view.sx;
    this.view.y -= dy / this.view.sy;
    this.moved();
  }

  moved() {
    const { view, layout } = this;
    view.y = Math.min(layout.count - 0.1 * (this.high / view.sy), Math.max(-0.9 * (this.high / view.sy), view.y));
    const across = this.wide / view.sx;
    view.x = Math.min(layout.most - 0.05 * across, Math.max(layout.least - 0.9 * across, view.x));
    this.atHome = false;
    hideHint();
    this.redraw();
  }

  // So that a clade fills the window, or a tip can be read.
  show(i) {
    const { layout, data } = this;
    layout.reveal(i);
    if (this.round) {
      this.camera.show(i, this.wide, this.high);
      this.choose(i);
      this.moved();
      return;
    }
    const rows = Math.max(1, layout.bottom(i) - layout.top[i]);
    const sy = Math.min(data.isTip(i) ? 14 : 24, (0.9 * this.high) / rows);
    this.view.sy = sy;
    this.view.y = layout.y(i) - this.high / 2 / sy;
    const from = data.isTip(i) ? layout.least : layout.x[Math.max(0, data.parent[i])];
    const sx = Math.max(1, this.wide - 30 - this.margin) / Math.max(1e-30, layout.far[i] - from);
    this.view.sx = Math.min(sx, (1000 * this.wide) / (layout.most - layout.least));
    this.view.x = from - 20 / this.view.sx;
    this.choose(i);
    this.moved();
  }

  choose(i) {
    this.chosen = i;
    fillSide(this);
    this.redraw();
  }

  toggle(i = this.chosen) {
    if (i < 0 || this.data.isTip(i)) return;
    const at = this.layout.shown(i);
    // The vertex stays where it is.
    const before = (this.layout.y(at) - this.view.y) * this.view.sy;
    this.layout.toggle(at);
    this.view.y = this.layout.y(at) - before / this.view.sy;
    this.choose(at);
    this.moved();
  }

  setRound(round) {
    this.round = round;
    this.home();
  }

  setLengths(byLength) {
    this.layout.byLength = byLength;
    this.layout.distances();
    this.home();
  }

  // The vertex near a point of the stage: of all above the row's tip that whose branch is nearest.
  near(px, py) {
    const { layout, view, data } = this;
    if (this.round) return this.nearRound(px, py);
    const row = view.y + py / view.sy;
    if (row < 0 || row >= layout.count) return -1;
    let best = [9 + 1, -1];
    for (let i = layout.atRow(row); i >= 0; i = data.parent[i]) {
      const y = Math.abs((layout.y(i) - view.y) * view.sy - py);
      const right = ((layout.collapsed[i] ? layout.far[i] : layout.x[i]) - view.x) * view.sx;
      const left = data.parent[i] < 0 ? right - 6 : (layout.x[data.parent[i]] - view.x) * view.sx;
      const x = px < left ? left - px : Math.max(0, px - right);
      const inside = layout.collapsed[i] && x === 0;
      const far = Math.hypot(x, inside ? 0 : y);
      if (far < best[0]) best = [far, i];
    }
    return best[1];
  }

  nearRound(px, py) {
    const { layout, data, camera } = this;
    const [radius, row] = camera.polar(px, py);
    if (row >= layout.count) return -1;
    let best = [9 + 1, -1];
    for (let i = layout.atRow(row); i >= 0; i = data.parent[i]) {
      const turn = Math.abs(camera.angle(layout.y(i)) - camera.angle(row));
      const outer = camera.radius(layout.collapsed[i] ? layout.far[i] : layout.x[i]);
      const inner = data.parent[i] < 0 ? outer : camera.radius(layout.x[data.parent[i]]);
      const across = radius < inner ? inner - radius : Math.max(0, radius - outer);
      const inside = layout.collapsed[i] && across === 0;
      const far = camera.s * Math.hypot(across, inside ? 0 : turn * radius);
      if (far < best[0]) best = [far, i];
    }
    return best[1];
  }

  point(event) {
    const box = this.stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  listen() {
    const { stage } = this;
    stage.addEventListener("wheel", (event) => {
      event.preventDefault();
      const factor = Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002));
      const both = event.ctrlKey || event.metaKey;
      this.zoom(event.shiftKey || both ? factor : 1, event.shiftKey ? 1 : factor, ...this.point(event));
    }, { passive: false });
    stage.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      this.pointers.set(event.pointerId, this.point(event));
      this.travelled = this.pointers.size > 1 ? 99 : 0;
    });
    stage.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) {
      stage.addEventListener(end, (event) => {
        const was = this.pointers.delete(event.pointerId);
        if (was && end === "pointerup" && this.travelled < 5) this.choose(this.near(...this.point(event)));
      });
    }
    stage.addEventListener("pointerleave", hideHint);
    stage.addEventListener("dblclick", (event) => this.toggle(this.near(...this.point(event))));
    stage.addEventListener("keydown", (event) => this.key(event));
  }

  drag(event) {
    const now = this.point(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      const i = this.near(...now);
      if (i < 0) hideHint();
      else showHint(this.data.words(i), event.clientX, event.clientY);
      return;
    }
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    this.travelled += Math.abs(dx) + Math.abs(dy);
    this.pointers.set(event.pointerId, now);
    if (other) {
      // Two fingers: each direction for itself, where they are apart in it.
      const part = (k) => {
        const [a, b] = [Math.abs(now[k] - other[k]), Math.abs(before[k] - other[k])];
        return a > 20 && b > 20 ? a / b : 1;
      };
      this.zoom(part(0), part(1), ...other);
      this.pan(dx / 2, dy / 2);
    } else if (this.travelled >= 5) {
      this.stage.setPointerCapture(event.pointerId);
      this.pan(dx, dy);
    }
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { data, chosen } = this;
    const step = [this.wide / 8, this.high / 8];
    const pans = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const go = (i) => i >= 0 && i < data.n && this.choose(i);
    const parent = chosen >= 0 ? data.parent[chosen] : -1;
    const actions = {
      "+": () => this.zoom(1, ZOOM),
      "=": () => this.zoom(1, ZOOM),
      "-": () => this.zoom(1, 1 / ZOOM),
      "]": () => this.zoom(ZOOM, 1),
      "[": () => this.zoom(1 / ZOOM, 1),
      0: () => this.home(),
      c: () => this.toggle(),
      Enter: () => chosen >= 0 && this.show(chosen),
      u: () => go(chosen < 0 ? 0 : parent),
      d: () => go(chosen < 0 ? 0 : data.isTip(chosen) ? chosen : chosen + 1),
      n: () => parent >= 0 && data.end[chosen] < data.end[parent] && go(data.end[chosen]),
      Escape: () => this.choose(-1),
    };
    if (event.key in pans) this.pan(pans[event.key][0] * step[0], pans[event.key][1] * step[1]);
    else if (event.key in actions) actions[event.key]();
    else return;
    event.preventDefault();
  }
}

async function start() {
  document.body.append(probe, hintBox);
  setTheme(storedTheme());
  systemIsDark.addEventListener("change", () => setTheme(theme));
  const view = new TreeView(new TreeData(await unpack()));
  const tools = document.getElementById("tools");
  tools.append(
    ...searchBox(view),
    toolButton("+", "Enlarge", () => view.zoom(1, ZOOM)),
    toolButton("−", "Make smaller", () => view.zoom(1, 1 / ZOOM)),
    toolButton("Whole", "Show the whole tree: key 0", () => view.home()),
    toolButton("Expand all", "Open all collapsed clades", () => {
      view.layout.expandAll();
      view.home();
      fillSide(view);
    }),
  );
  if (view.data.lengths) {
    const say = () => (lengths.textContent = view.layout.byLength ? "By length" : "By depth");
    const lengths = toolButton("", "Change between branch lengths and depths", () => {
      view.setLengths(!view.layout.byLength);
      say();
    });
    say();
    tools.append(lengths);
  }
  const sayRound = () => (form.textContent = view.round ? "Circular" : "Rectangular");
  const form = toolButton("", "Change between rectangle and circle", () => {
    view.setRound(!view.round);
    sayRound();
  });
  sayRound();
  tools.append(form);
  tools.append(toolButton("PNG", "Save what is seen", () => savePng(view)), themeButton());
  fillSide(view);
  // For tests, and for the curious.
  window.tree = view;
}

start().catch((error) => {
  document.getElementById("side").textContent = `This page cannot be shown: ${error.message}`;
  throw error;
});
