// What part of a picture is seen: its upper left corner as shares of the whole, and how many
// times it is enlarged. Dragging moves it, Ctrl and the wheel or two fingers enlarge it; a
// picture that has the focus knows the keys, too. A page that is scrolled past a picture just
// scrolls, and arrows move a picture only when it is enlarged.
const MOST_ZOOM = 64;
const STEP = 1.4;

class Camera {
  // `content` is what is enlarged: the stage, or what scrolls in it.
  constructor(stage, content, changed) {
    this.stage = stage;
    this.content = content;
    this.changed = changed;
    this.u = 0;
    this.v = 0;
    this.zoom = 1;
    this.pointers = new Map();
    this.moved = 0;
    stage.tabIndex = 0;
    stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    stage.addEventListener("pointerdown", (event) => this.down(event));
    stage.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) {
      stage.addEventListener(end, (event) => this.up(event));
    }
    stage.addEventListener("dblclick", (event) => this.enlarge(STEP * STEP, this.place(event)));
    stage.addEventListener("keydown", (event) => this.key(event));
  }

  // Where an event is, as shares of what is enlarged.
  place(event) {
    const box = this.content.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  }

  set(u, v, zoom) {
    this.zoom = Math.min(MOST_ZOOM, Math.max(1, zoom));
    const most = 1 - 1 / this.zoom;
    this.u = Math.min(most, Math.max(0, u));
    this.v = Math.min(most, Math.max(0, v));
    this.stage.classList.toggle("enlarged", this.zoom > 1);
    this.changed();
  }

  // The point of the picture at `at` stays where it is.
  enlarge(factor, at = [0.5, 0.5]) {
    const zoom = Math.min(MOST_ZOOM, Math.max(1, this.zoom * factor));
    const gain = 1 / this.zoom - 1 / zoom;
    this.set(this.u + at[0] * gain, this.v + at[1] * gain, zoom);
  }

  // By shares of what is seen.
  pan(right, down) {
    this.set(this.u + right / this.zoom, this.v + down / this.zoom, this.zoom);
  }

  reset() {
    this.set(0, 0, 1);
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.enlarge(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002)), this.place(event));
  }

  down(event) {
    if (event.button) return;
    this.pointers.set(event.pointerId, this.place(event));
    this.moved = 0;
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.place(event);
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    this.moved += Math.abs(dx) + Math.abs(dy);
    this.pointers.set(event.pointerId, now);
    if (other) {
      const box = this.content.getBoundingClientRect();
      const gap = (p) => Math.hypot((p[0] - other[0]) * box.width, (p[1] - other[1]) * box.height);
      this.pan(-dx / 2, -dy / 2);
      this.enlarge(gap(now) / Math.max(1, gap(before)), other);
    } else if (this.zoom > 1) {
      // Only now, so that a click stays a click.
      if (this.moved > 0.01) this.stage.setPointerCapture(event.pointerId);
      this.pan(-dx, -dy);
    }
  }

  up(event) {
    this.pointers.delete(event.pointerId);
  }

  get dragging() {
    return this.pointers.size > 0 && this.moved > 0.01;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.stage) return;
    const pans = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
    if (event.key in pans) {
      if (this.zoom === 1) return;
      this.pan(...pans[event.key]);
    } else if (event.key === "+" || event.key === "=") this.enlarge(STEP);
    else if (event.key === "-") this.enlarge(1 / STEP);
    else if (event.key === "0") this.reset();
    else return;
    event.preventDefault();
  }

  buttons() {
    return [
      toolButton("+", "Enlarge", () => this.enlarge(STEP)),
      toolButton("−", "Make smaller", () => this.enlarge(1 / STEP)),
      toolButton("Reset", "Show the whole picture", () => this.reset()),
    ];
  }
}
