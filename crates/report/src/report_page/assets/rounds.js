// A tree contracting on a grid: which vertices rake and compress in a frame, and its messages.
// Colours are backed by shapes (squares rake, discs compress) and dashes.
const DASHES = [[], [5, 3], [1.5, 3]];
const MOST_DASHED = 4000;
const MOST_ARROWS = 1500;

class Rounds {
  constructor(data) {
    Object.assign(this, data);
    this.width = data.columns;
    this.height = data.rows;
    this.frame = 0;
    this.vertexAt = new Map(data.x.map((x, v) => [data.y[v] * data.columns + x, v]));
    this.now = Array.from({ length: data.frames }, () => []);
    data.contracted.forEach((frame, v) => frame >= 0 && this.now[frame].push(v));
  }

  frameCount() {
    return this.frames;
  }

  frameName(frame) {
    return `${this.unit} ${(frame + 1).toLocaleString("en")} of ${this.frames.toLocaleString("en")}`;
  }

  fileName(frame) {
    return `${this.unit}-${frame + 1}`;
  }

  isWaiting(v) {
    return this.contracted[v] < 0 || this.contracted[v] > this.frame;
  }

  distance(a, b) {
    return Math.abs(this.x[a] - this.x[b]) + Math.abs(this.y[a] - this.y[b]);
  }

  legend() {
    const now = this.now[this.frame] ?? [];
    const [from, to, kind] = this.messages[this.frame] ?? [[], [], []];
    const counts = this.kinds.map((_, k) => kind.reduce((sum, one) => sum + (one === k), 0));
    const energy = from.reduce((sum, a, i) => sum + this.distance(a, to[i]), 0);
    const raked = now.filter((v) => this.how[v] === 1).length;
    const waiting = this.contracted.reduce((sum, _, v) => sum + this.isWaiting(v), 0);
    return [
      ["raked", "raked", raked],
      ["compressed", "compressed", now.length - raked],
      ["waiting", "still there", waiting],
      ["gone", "contracted before", this.x.length - waiting - now.length],
      ...this.kinds.map((name, k) => [`line k${k}`, `messages: ${name}`, counts[k]]),
      ["none", "energy", energy],
    ];
  }

  draw(context, scale, marked) {
    const side = scale >= 4 ? 0.8 : 1;
    const inset = (1 - side) / 2;
    const cells = (name, wanted) => {
      context.fillStyle = colour(name);
      context.beginPath();
      for (let v = 0; v < this.x.length; v++) {
        if (wanted(v)) context.rect(this.x[v] + inset, this.y[v] + inset, side, side);
      }
      context.fill();
    };
    cells("gone", (v) => this.contracted[v] >= 0 && this.contracted[v] < this.frame);
    if (scale >= 6) this.drawEdges(context, scale);
    cells("waiting", (v) => this.isWaiting(v));
    this.drawMessages(context, scale);
    this.drawNow(context, scale, inset, side);
    if (marked !== null) this.drawMarked(context, scale, marked);
  }

  // The tree that is left.
  drawEdges(context, scale) {
    context.beginPath();
    this.parent.forEach((parent, v) => {
      if (parent < 0 || !this.isWaiting(v) || !this.isWaiting(parent)) return;
      context.moveTo(this.x[v] + 0.5, this.y[v] + 0.5);
      context.lineTo(this.x[parent] + 0.5, this.y[parent] + 0.5);
    });
    context.lineWidth = 1 / scale;
    context.strokeStyle = colour("rule");
    context.stroke();
  }

  drawNow(context, scale, inset, side) {
    for (const how of [1, 2]) {
      context.fillStyle = colour(how === 1 ? "rake" : "compress");
      context.beginPath();
      for (const v of this.now[this.frame] ?? []) {
        if (this.how[v] !== how) continue;
        const [x, y] = [this.x[v], this.y[v]];
        if (how === 1 || scale < 5) context.rect(x + inset, y + inset, side, side);
        else {
          context.moveTo(x + 0.95, y + 0.5);
          context.arc(x + 0.5, y + 0.5, 0.45, 0, 2 * Math.PI);
        }
      }
      context.fill();
    }
  }

  drawMessages(context, scale) {
    const [from, to, kind] = this.messages[this.frame] ?? [[], [], []];
    const arrows = from.length <= MOST_ARROWS && scale >= 6;
    this.kinds.forEach((_, k) => {
      context.beginPath();
      for (let i = 0; i < from.length; i++) {
        if (kind[i] !== k || from[i] === to[i]) continue;
        const [x, y, s, t] = [this.x[from[i]] + 0.5, this.y[from[i]] + 0.5, this.x[to[i]] + 0.5, this.y[to[i]] + 0.5];
        context.moveTo(x, y);
        context.lineTo(s, t);
        if (arrows) this.addArrow(context, x, y, s, t);
      }
      context.lineWidth = Math.min(2, Math.max(0.7, 0.12 * scale)) / scale;
      context.strokeStyle = colour(`k${k}`);
      context.setLineDash(from.length <= MOST_DASHED ? (DASHES[k % 3] ?? []).map((d) => d / scale) : []);
      context.globalAlpha = from.length > MOST_ARROWS ? 0.6 : 0.9;
      context.stroke();
    });
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  // Two short strokes in the middle of a line, so that its ends stay free for cells.
  addArrow(context, x, y, s, t) {
    const length = Math.hypot(s - x, t - y);
    const [dx, dy] = [((s - x) / length) * 0.28, ((t - y) / length) * 0.28];
    const [mx, my] = [x + (s - x) * 0.6, y + (t - y) * 0.6];
    context.moveTo(mx - dx - dy * 0.7, my - dy + dx * 0.7);
    context.lineTo(mx, my);
    context.lineTo(mx - dx + dy * 0.7, my - dy - dx * 0.7);
  }

  drawMarked(context, scale, v) {
    context.strokeStyle = colour("ink");
    context.lineWidth = 2 / scale;
    context.strokeRect(this.x[v], this.y[v], 1, 1);
    const parent = this.parent[v];
    if (parent < 0) return;
    context.lineWidth = 1.2 / scale;
    context.beginPath();
    context.moveTo(this.x[v] + 0.5, this.y[v] + 0.5);
    context.lineTo(this.x[parent] + 0.5, this.y[parent] + 0.5);
    context.stroke();
  }

  find(x, y) {
    const [column, row] = [Math.floor(x), Math.floor(y)];
    if (column < 0 || column >= this.columns) return null;
    return this.vertexAt.get(row * this.columns + column) ?? null;
  }

  items() {
    return this.now[this.frame] ?? [];
  }

  at(v) {
    return [this.x[v] + 0.5, this.y[v] + 0.5];
  }

  text(v) {
    const parent = this.parent[v] < 0 ? "a root" : `parent ${this.parent[v]}`;
    const how = ["", "raked", "compressed"][this.how[v]];
    const when = how ? `${how} in ${this.unit} ${this.contracted[v] + 1}` : "never contracted";
    return `vertex ${v} in column ${this.x[v]}, row ${this.y[v]}: ${parent}, ${when}`;
  }
}
