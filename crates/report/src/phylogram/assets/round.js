// The tree on a circle: rows are angles, distances are radii. Rings and spokes are merged as rows and
// columns of pixels are in the rectangle, so that a frame costs as much as there is to see.
const TURN = 2 * Math.PI;
// The share of the circle that stays open, and of the radius that stays empty.
const GAP = 0.015;
const HOLE = 0.06;

// Pieces of rings by radius, or of spokes by angle.
class PolarStrokes extends Strokes {
  constructor(painter, lists, first, count) {
    super(painter, count, false);
    this.pieces = lists;
    this.first = first;
  }

  flush(line) {
    const [from, to] = [this.from[line], this.to[line]];
    if (to >= from) this.pieces[this.colour[line]].push(line + this.first, from, to);
  }
}

// Where the circle is on the stage, in pixels: its centre, and pixels per distance.
class RoundCamera {
  constructor(layout) {
    this.layout = layout;
  }

  get hole() {
    return HOLE * (this.layout.most - this.layout.least);
  }

  radius(distance) {
    return distance - this.layout.least + this.hole;
  }

  angle(row) {
    return (row / this.layout.count) * (1 - GAP) * TURN - TURN / 4;
  }

  row(angle) {
    const turned = (((angle + TURN / 4) % TURN) + TURN) % TURN;
    return (turned / TURN / (1 - GAP)) * this.layout.count;
  }

  get all() {
    return this.radius(this.layout.most);
  }

  home(wide, high) {
    const room = Math.max(20, Math.min(wide, high) / 2 - Math.min(70, wide * 0.12));
    [this.x, this.y, this.s] = [wide / 2, high / 2, room / this.all];
    this.least = this.s / 4;
  }

  zoom(factor, px, py) {
    const s = Math.min(1e7 * this.least, Math.max(this.least, this.s * factor));
    this.x = px + (this.x - px) * (s / this.s);
    this.y = py + (this.y - py) * (s / this.s);
    this.s = s;
  }

  pan(dx, dy, wide, high) {
    const out = this.all * this.s;
    this.x = Math.min(wide + 0.9 * out, Math.max(-0.9 * out, this.x + dx));
    this.y = Math.min(high + 0.9 * out, Math.max(-0.9 * out, this.y + dy));
  }

  at(distance, row) {
    const [r, a] = [this.radius(distance) * this.s, this.angle(row)];
    return [this.x + r * Math.cos(a), this.y + r * Math.sin(a)];
  }

  polar(px, py) {
    const [dx, dy] = [px - this.x, py - this.y];
    return [Math.hypot(dx, dy) / this.s, this.row(Math.atan2(dy, dx))];
  }

  // So that a clade fills the window.
  show(i, wide, high) {
    const { layout } = this;
    const [from, to] = [layout.top[i], layout.bottom(i)];
    // Of a tip its end, with its name, stands in the middle.
    const start = layout.x[i];
    const corners = [];
    for (let k = 0; k <= 16; k++) {
      const row = from + ((to - from) * k) / 16;
      for (const distance of [start, layout.far[i]]) {
        const [r, a] = [this.radius(distance), this.angle(row)];
        corners.push([r * Math.cos(a), r * Math.sin(a)]);
      }
    }
    const span = (k) => [Math.min(...corners.map((c) => c[k])), Math.max(...corners.map((c) => c[k]))];
    const [[left, right], [top, bottom]] = [span(0), span(1)];
    const fit = Math.min((0.7 * wide) / Math.max(1e-30, right - left), (0.7 * high) / Math.max(1e-30, bottom - top));
    // A tip: so that its row has the height of a name.
    const name = 14 / (this.radius(layout.far[i]) * (this.angle(to) - this.angle(from)));
    this.s = Math.min(1e7 * this.least, Math.max(this.least, layout.data.isTip(i) ? name : fit));
    this.x = wide / 2 - (this.s * (left + right)) / 2;
    this.y = high / 2 - (this.s * (top + bottom)) / 2;
  }

  // What can be seen: radii in distances, and angles from the first on, all around if the centre is near.
  window(wide, high) {
    const corners = [[0, 0], [wide, 0], [0, high], [wide, high]].map(([x, y]) => [x - this.x, y - this.y]);
    const near = Math.hypot(Math.max(0, -this.x, this.x - wide), Math.max(0, -this.y, this.y - high));
    const far = Math.max(...corners.map(([x, y]) => Math.hypot(x, y)));
    if (near === 0) return { near: 0, far, middle: 0, half: Math.PI };
    const middle = Math.atan2(high / 2 - this.y, wide / 2 - this.x);
    const turned = ([x, y]) => Math.abs(((Math.atan2(y, x) - middle + 3 * Math.PI) % TURN) - Math.PI);
    return { near, far, middle, half: Math.max(...corners.map(turned)) };
  }
}

class RoundPainter {
  constructor(painter, camera) {
    this.painter = painter;
    this.camera = camera;
  }

  paint(context, wide, high, density) {
    const { painter, camera } = this;
    const { data, layout, shades } = painter;
    const { n, parent, end, children } = data;
    const { x, far, top, collapsed } = layout;
    const palette = painter.palette();
    const seen = camera.window(wide / density, high / density);
    const scale = camera.s * density;
    const [nearest, farthest] = [seen.near * density - 9, seen.far * density + 9];
    // Angles in steps of half a pixel at the farthest radius.
    const steps = Math.min(2 ** 30, Math.ceil((TURN * Math.min(farthest, camera.all * scale)) / 0.5) + 64);
    const first = seen.half >= Math.PI ? -TURN / 4 : seen.middle - seen.half;
    const spread = Math.min(TURN, 2 * seen.half);
    const step = (angle) => Math.floor((((((angle - first) % TURN) + TURN) % TURN) / TURN) * steps);
    const pieces = () => palette.map(() => []);
    const [ringPieces, spokePieces] = [pieces(), pieces()];
    const low = Math.max(0, Math.floor(nearest));
    const rings = new PolarStrokes(painter, ringPieces, low, Math.max(1, Math.ceil(farthest) - low + 2));
    const spokes = new PolarStrokes(painter, spokePieces, 0, Math.ceil((spread / TURN) * steps) + 2);
    const [triangles, tips, inner] = [[], [], []];
    const tiny = TINY * density;
    const rowAngle = ((1 - GAP) * TURN) / layout.count;
    // Rows that can be seen, in at most two stretches.
    const row = (angle) => camera.row(angle);
    const [a, b] = [row(seen.middle - seen.half), row(seen.middle + seen.half)];
    const whole = seen.half >= Math.PI;
    const hidden = (from, to) => !whole && (a <= b ? to < a || from > b : to < a && from > b);
    let visited = 0;
    for (let i = 0; i < n; ) {
      const until = end[i];
      const [t, u] = [top[i], top[until]];
      const outer = camera.radius(far[i]) * scale;
      if (hidden(t, u) || outer < nearest) {
        i = until;
        continue;
      }
      visited += 1;
      const shade = shades ? shades[i] : 0;
      const own = camera.radius(x[i]) * scale;
      const above = parent[i] < 0 ? Math.max(0, own - 6 * density) : camera.radius(x[parent[i]]) * scale;
      const angle = camera.angle((t + u) / 2);
      const clamp = (r) => Math.round(Math.min(farthest, Math.max(0, r)));
      const high = (u - t) * rowAngle * outer;
      if (high < tiny) {
        spokes.add(step(angle), clamp(above), clamp(outer), shade);
        i = until;
        continue;
      }
      if (above < farthest && own > nearest) {
        spokes.add(step(angle), clamp(Math.min(above, own)), clamp(Math.max(above, own)), shade);
      }
      if (collapsed[i]) {
        triangles.push(i);
        i = until;
      } else if (children[i] === 0) {
        if ((u - t) * rowAngle * own >= NAME_ROW * density && own > nearest && own < farthest) tips.push(i);
        i += 1;
      } else if (painter.forward && own > farthest) {
        i = until;
      } else {
        const final = painter.last[i];
        const from = camera.angle((top[i + 1] + top[end[i + 1]]) / 2);
        const to = camera.angle((top[final] + top[end[final]]) / 2);
        this.ring(rings, own, from, to, { first, steps, whole, spread, low }, shade);
        if (high > 40 * density && data.hasName(i) && inner.length < 4 * MOST_NAMES) inner.push(i);
        i += 1;
      }
    }
    rings.flushAll();
    spokes.flushAll();
    context.fillStyle = colour("ground");
    context.fillRect(0, 0, wide, high);
    context.lineWidth = Math.max(1, density);
    const [cx, cy] = [camera.x * density, camera.y * density];
    const turn = (k) => first + (k / steps) * TURN;
    palette.forEach((paint, k) => {
      context.strokeStyle = paint;
      context.beginPath();
      for (let p = 0; p < ringPieces[k].length; p += 3) {
        const [r, from, to] = [ringPieces[k][p], turn(ringPieces[k][p + 1]), turn(ringPieces[k][p + 2] + 1)];
        context.moveTo(cx + r * Math.cos(from), cy + r * Math.sin(from));
        context.arc(cx, cy, r, from, to);
      }
      for (let p = 0; p < spokePieces[k].length; p += 3) {
        const [a, from, to] = [turn(spokePieces[k][p] + 0.5), spokePieces[k][p + 1], spokePieces[k][p + 2] + 1];
        const [cos, sin] = [Math.cos(a), Math.sin(a)];
        context.moveTo(cx + from * cos, cy + from * sin);
        context.lineTo(cx + to * cos, cy + to * sin);
      }
      context.stroke();
    });
    this.triangles(context, triangles, palette, density);
    this.names(context, tips, inner, density);
    painter.visited = visited;
    return (i) => camera.at(x[i], layout.y(i)).map((at) => at * density);
  }

  // A piece of a ring, cut where the steps begin anew or nothing is seen.
  ring(rings, radius, from, to, { first, steps, whole, spread, low }, shade) {
    const line = Math.round(radius) - low;
    const most = whole ? steps : Math.ceil((spread / TURN) * steps);
    const place = (angle) => ((angle - first) / TURN) * steps;
    const [f, t] = [Math.floor(place(from)), Math.floor(place(to))];
    for (const turns of [-steps, 0, steps]) {
      const [begin, stop] = [Math.max(0, f + turns), Math.min(most, t + turns)];
      if (begin <= stop) rings.add(line, begin, stop, shade);
    }
  }

  triangles(context, found, palette, density) {
    const { camera } = this;
    const { layout, data, shades } = this.painter;
    context.lineWidth = density * 0.8;
    for (const i of found) {
      const [t, b] = [layout.top[i], layout.bottom(i)];
      const corner = (distance, row) => camera.at(distance, row).map((at) => at * density);
      context.beginPath();
      context.moveTo(...corner(layout.x[i], (t + b) / 2));
      context.lineTo(...corner(layout.far[i], t));
      context.lineTo(...corner(layout.near[i], b));
      context.closePath();
      context.fillStyle = shades?.[i] ? palette[shades[i]] : colour("clade");
      context.fill();
      context.strokeStyle = colour("branch");
      context.stroke();
      const words = `${data.title(i)} · ${data.tips[i].toLocaleString("en")} tips`;
      this.write(context, words.slice(0, 80), layout.far[i], (t + b) / 2, density, "soft");
    }
  }

  // Words that go outwards, and can be read from the left on both sides.
  write(context, words, distance, row, density, ink) {
    const { camera } = this;
    const [px, py] = camera.at(distance, row);
    const angle = camera.angle(row);
    const left = Math.cos(angle) < 0;
    context.save();
    context.translate(px * density, py * density);
    context.rotate(left ? angle + Math.PI : angle);
    context.textAlign = left ? "right" : "left";
    context.textBaseline = "middle";
    context.font = `${12 * density}px system-ui, sans-serif`;
    context.fillStyle = colour(ink);
    context.fillText(words, (left ? -5 : 5) * density, 0);
    context.restore();
  }

  names(context, tips, inner, density) {
    const { layout, data } = this.painter;
    for (const i of tips) this.write(context, data.name(i).slice(0, 120), layout.x[i], layout.y(i), density, "ink");
    const { tips: sizes } = data;
    inner.sort((a, b) => sizes[b] - sizes[a]);
    const taken = [];
    context.font = `${12 * density}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    context.lineWidth = 3 * density;
    context.lineJoin = "round";
    for (const i of inner.slice(0, MOST_NAMES)) {
      const [px, py] = this.camera.at(layout.x[i], layout.y(i)).map((at) => at * density);
      const words = data.name(i).slice(0, 60);
      const size = context.measureText(words).width;
      const box = [px - size / 2, py - 8 * density, px + size / 2, py + 8 * density];
      if (taken.some((b) => box[0] < b[2] && b[0] < box[2] && box[1] < b[3] && b[1] < box[3])) continue;
      taken.push(box);
      context.strokeStyle = colour("ground");
      context.strokeText(words, box[0], py);
      context.fillStyle = colour("soft");
      context.fillText(words, box[0], py);
    }
  }
}
