// A canvas that draws a view in units of its own, with a camera, hints and a bar of frames.
// A view gives `width`, `height` (units), `draw(context, scale)`, `find(x, y, scale)`, which
// answers with an item at a point, `items()` in the order of keys, `text(item)`, `at(item)`.
class Board {
  constructor(stage, view, title) {
    this.stage = stage;
    this.view = view;
    this.canvas = document.createElement("canvas");
    stage.append(this.canvas);
    stage.setAttribute("role", "group");
    stage.setAttribute("aria-label", `${title}, interactive. ${KEYS}`);
    this.camera = new Camera(stage, stage, () => this.redraw());
    this.marked = null;
    this.reached = -1;
    stage.addEventListener("pointermove", (event) => this.hover(event));
    stage.addEventListener("click", (event) => this.hover(event));
    stage.addEventListener("pointerleave", () => this.mark(null));
    stage.addEventListener("blur", () => this.mark(null));
    stage.addEventListener("keydown", (event) => this.key(event));
    themeListeners.push(() => this.redraw());
    new ResizeObserver(() => this.redraw()).observe(stage);
  }

  // Drawing waits for the next frame of the screen, however often it is asked for.
  redraw() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = undefined;
      this.paint(this.canvas, devicePixelRatio || 1);
    });
  }

  // Pixels of the stage a unit has, and where the view's corner lies.
  frame() {
    const { clientWidth: wide, clientHeight: high } = this.stage;
    const { u, v, zoom } = this.camera;
    const fit = Math.min(wide / this.view.width, high / this.view.height);
    const left = ((wide - fit * this.view.width) / 2 - u * wide) * zoom;
    const top = ((high - fit * this.view.height) / 2 - v * high) * zoom;
    return { scale: fit * zoom, left, top, wide, high };
  }

  paint(canvas, density) {
    const { scale, left, top, wide, high } = this.frame();
    if (!wide || !high) return;
    canvas.width = Math.round(wide * density);
    canvas.height = Math.round(high * density);
    const context = canvas.getContext("2d");
    context.fillStyle = colour("ground");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.setTransform(density * scale, 0, 0, density * scale, density * left, density * top);
    this.view.draw(context, scale, this.marked);
  }

  mark(item, x, y) {
    if (item !== this.marked) this.redraw();
    this.marked = item;
    if (item === null) return hideHint();
    if (x === undefined) {
      const { scale, left, top } = this.frame();
      const box = this.stage.getBoundingClientRect();
      const [a, b] = this.view.at(item);
      [x, y] = [box.left + left + a * scale, box.top + top + b * scale];
    }
    showHint(this.view.text(item), x, y);
  }

  hover(event) {
    if (this.camera.dragging) return this.mark(null);
    const { scale, left, top } = this.frame();
    const box = this.stage.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left - left, event.clientY - box.top - top];
    this.mark(this.view.find(x / scale, y / scale, scale), event.clientX, event.clientY);
  }

  key(event) {
    const step = { n: 1, p: -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    const items = this.view.items();
    if (!items.length) return;
    this.reached = (Math.max(this.reached, step < 0 ? 0 : -1) + step + items.length) % items.length;
    this.mark(items[this.reached]);
  }

  savePng(name) {
    const canvas = document.createElement("canvas");
    this.paint(canvas, PNG_SCALE);
    saveCanvas(canvas, name);
  }
}

// Buttons and a slider over frames 0 to count - 1; `name` says a frame in words.
function frameBar(count, name, changed) {
  const bar = document.createElement("div");
  bar.className = "frames";
  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", min: 0, max: Math.max(0, count - 1), step: 1, value: 0 });
  slider.setAttribute("aria-label", "Frame");
  const words = document.createElement("output");
  let timer;
  const go = (to) => {
    slider.value = to;
    show();
  };
  const show = () => {
    words.textContent = name(+slider.value);
    slider.setAttribute("aria-valuetext", words.textContent);
    changed(+slider.value);
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    play.textContent = "Play";
  };
  const next = () => (+slider.value + 1 < count ? go(+slider.value + 1) : stop());
  const play = toolButton("Play", "Show one frame after another", () => {
    if (timer) return stop();
    if (+slider.value + 1 >= count) go(0);
    play.textContent = "Pause";
    timer = setInterval(next, Math.min(800, Math.max(60, 20000 / count)));
  });
  const step = (by, text, label) =>
    toolButton(text, label, () => {
      stop();
      go(Math.min(count - 1, Math.max(0, +slider.value + by)));
    });
  slider.addEventListener("input", () => {
    stop();
    show();
  });
  bar.append(play, step(-1, "‹", "Frame before"), slider, step(1, "›", "Frame after"), words);
  return { bar, show };
}

// A list of signs with what they mean; `rows` are [class, text, value].
function fillLegend(legend, rows) {
  legend.replaceChildren(
    ...rows.map(([sign, text, value]) => {
      const item = document.createElement("li");
      const mark = document.createElement("i");
      mark.className = `sign ${sign}`;
      const number = document.createElement("b");
      number.textContent = value === undefined ? "" : value.toLocaleString("en");
      item.append(mark, `${text} `, number);
      return item;
    }),
  );
}
