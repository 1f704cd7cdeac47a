// Draws what is seen of a tree. A subtree of less than a row of pixels is one stroke; strokes of one
// colour that touch in a row or a column of pixels are one rectangle. So a frame costs as much as
// there is to see, and a path of 10^6 vertices is no worse than a bush.
const TINY = 1.2;
const NAME_ROW = 9;
const MOST_NAMES = 150;

// Stretches along rows or columns of pixels: of each the last one waits for its neighbours.
class Strokes {
  constructor(painter, count, upright) {
    this.painter = painter;
    this.upright = upright;
    this.from = new Int32Array(count);
    this.to = new Int32Array(count).fill(-2);
    this.colour = new Uint8Array(count);
  }

  add(line, from, to, colour) {
    if (line < 0 || line >= this.to.length) return;
    if (this.colour[line] === colour && from <= this.to[line] + 1 && to >= this.from[line] - 1) {
      if (from < this.from[line]) this.from[line] = from;
      if (to > this.to[line]) this.to[line] = to;
      return;
    }
    this.flush(line);
    this.from[line] = from;
    this.to[line] = to;
    this.colour[line] = colour;
  }

  flush(line) {
    const [from, to] = [this.from[line], this.to[line]];
    if (to < from) return;
    const list = this.painter.lists[this.colour[line]];
    const wide = this.painter.pen;
    if (this.upright) list.push(line, from, wide, to - from + wide);
    else list.push(from, line, to - from + wide, wide);
  }

  flushAll() {
    for (let line = 0; line < this.to.length; line++) this.flush(line);
  }
}

class TreePainter {
  constructor(layout) {
    this.layout = layout;
    this.data = layout.data;
    const { n, parent } = this.data;
    this.last = new Uint32Array(n);
    for (let i = 0; i < n; i++) if (parent[i] >= 0) this.last[parent[i]] = i;
    this.forward = !this.data.lengths || !this.data.lengths.some((length) => length < 0);
    this.shades = this.shade();
  }

  // By vertex the number of its colour: 0 is that of branches without one.
  shade() {
    const { n, values, classes } = this.data;
    const { colours } = facts;
    if (!colours) return null;
    const shades = new Uint8Array(n);
    if (classes) {
      for (let i = 0; i < n; i++) shades[i] = classes[i] === 255 ? 0 : classes[i] + 1;
      return shades;
    }
    const at = colours.log ? Math.log : (value) => value;
    const [low, high] = [at(colours.low), at(colours.high)];
    const steps = colours.stops.length;
    for (let i = 0; i < n; i++) {
      if (!Number.isFinite(values[i])) continue;
      const part = high > low ? (at(values[i]) - low) / (high - low) : 0.5;
      shades[i] = 1 + Math.min(steps - 1, Math.max(0, Math.floor(part * steps)));
    }
    return shades;
  }

  palette() {
    const { colours } = facts;
    if (!colours) return [colour("branch")];
    const own = colours.stops ?? [0, 1, 2, 3, 4, 5, 6, 7].map((k) => colour(`k${k}`));
    return [colour("pale"), ...own];
  }

  // One frame; `view` has the distance and the row at the corner and pixels per each.
  paint(context, view, wide, high, density) {
    const { data, layout } = this;
    const { n, parent, end, children } = data;
    const { x, far, top, collapsed } = layout;
    const [sx, sy] = [view.sx * density, view.sy * density];
    const [x0, y0] = [view.x, view.y];
    const palette = this.palette();
    this.pen = Math.max(1, Math.round(density * (view.sy > 6 ? 1.3 : 1)));
    this.lists = palette.map(() => []);
    const rows = new Strokes(this, high, false);
    const columns = new Strokes(this, wide, true);
    const [triangles, tips, inner] = [[], [], []];
    const tiny = TINY * density;
    const clampX = (at) => Math.round(Math.min(wide + 9, Math.max(-9, at)));
    const clampY = (at) => Math.round(Math.min(high + 9, Math.max(-9, at)));
    let visited = 0;
    for (let i = 0; i < n; ) {
      const until = end[i];
      const t = (top[i] - y0) * sy;
      const b = (top[until] - y0) * sy;
      if (b < 0 || t > high || (far[i] - x0) * sx < -9) {
        i = until;
        continue;
      }
      visited += 1;
      const shade = this.shades ? this.shades[i] : 0;
      const own = (x[i] - x0) * sx;
      const above = parent[i] < 0 ? own - 6 * density : (x[parent[i]] - x0) * sx;
      const y = Math.round((t + b) / 2);
      if (b - t < tiny) {
        rows.add(y, clampX(above), clampX((far[i] - x0) * sx), shade);
        i = until;
        continue;
      }
      const [left, right] = above < own ? [above, own] : [own, above];
      if (right > -9 && left < wide + 9) rows.add(y, clampX(left), clampX(right), shade);
      if (collapsed[i]) {
        triangles.push(i);
        i = until;
      } else if (children[i] === 0) {
        if (b - t >= NAME_ROW * density) tips.push(i);
        i += 1;
      } else if (this.forward && own > wide + 9) {
        i = until;
      } else {
        const final = this.last[i];
        const from = ((top[i + 1] + top[end[i + 1]]) / 2 - y0) * sy;
        const to = ((top[final] + top[end[final]]) / 2 - y0) * sy;
        columns.add(clampX(own), clampY(from), clampY(to), shade);
        if (b - t > 18 * density && data.hasName(i) && inner.length < 4 * MOST_NAMES) inner.push(i);
        i += 1;
      }
    }
    rows.flushAll();
    columns.flushAll();
    context.fillStyle = colour("ground");
    context.fillRect(0, 0, wide, high);
    this.lists.forEach((list, k) => {
      context.fillStyle = palette[k];
      for (let i = 0; i < list.length; i += 4) context.fillRect(list[i], list[i + 1], list[i + 2], list[i + 3]);
    });
    const place = (i) => [(x[i] - x0) * sx, (layout.y(i) - y0) * sy];
    this.triangles(context, triangles, palette, { sx, sy, x0, y0, density });
    this.names(context, tips, inner, place, { sx, x0, density, wide, far });
    this.visited = visited;
    return place;
  }

  triangles(context, found, palette, { sx, sy, x0, y0, density }) {
    const { layout } = this;
    context.lineWidth = density * 0.8;
    context.font = `${12 * density}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    for (const i of found) {
      const [t, b] = [(layout.top[i] - y0) * sy, (layout.bottom(i) - y0) * sy];
      const at = (distance) => (distance - x0) * sx;
      context.beginPath();
      context.moveTo(at(layout.x[i]), (t + b) / 2);
      context.lineTo(at(layout.far[i]), t + density);
      context.lineTo(at(layout.near[i]), b - density);
      context.closePath();
      context.fillStyle = this.shades?.[i] ? palette[this.shades[i]] : colour("clade");
      context.fill();
      context.strokeStyle = colour("branch");
      context.stroke();
      if (b - t < NAME_ROW * density) continue;
      context.fillStyle = colour("soft");
      const words = `${this.data.title(i)} · ${this.data.tips[i].toLocaleString("en")} tips`;
      context.fillText(words.slice(0, 80), at(layout.far[i]) + 5 * density, (t + b) / 2);
    }
  }

  names(context, tips, inner, place, { sx, x0, density, wide, far }) {
    context.font = `${12 * density}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    context.fillStyle = colour("ink");
    for (const i of tips) {
      const [left, y] = place(i);
      if (left < wide) context.fillText(this.data.name(i).slice(0, 120), left + 5 * density, y);
    }
    // Names of clades where they hide no other, the largest first.
    const { tips: sizes } = this.data;
    inner.sort((a, b) => sizes[b] - sizes[a]);
    const taken = [];
    context.lineWidth = 3 * density;
    context.lineJoin = "round";
    for (const i of inner.slice(0, MOST_NAMES)) {
      const [right, y] = place(i);
      const words = this.data.name(i).slice(0, 60);
      const size = context.measureText(words).width;
      const left = Math.max(4 * density, right - size - 5 * density);
      const box = [left, y - 17 * density, left + size, y - 3 * density];
      if (left > wide || taken.some((b) => box[0] < b[2] && b[0] < box[2] && box[1] < b[3] && b[1] < box[3])) continue;
      taken.push(box);
      context.strokeStyle = colour("ground");
      context.strokeText(words, left, y - 9 * density);
      context.fillStyle = colour("soft");
      context.fillText(words, left, y - 9 * density);
    }
  }
}
