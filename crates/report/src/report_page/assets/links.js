// The links of a mesh or torus: what they carry in all phases together, or in one. A link lies
// on the right of those who travel; its width and its colour show its load.
const HEAT_STEPS = 12;
const BORDER = 0.45;
const ASIDE = 0.09;
const WIDEST = 0.14;

class Links {
  constructor(data) {
    Object.assign(this, data);
    const [rows, columns] = data.sides;
    this.width = columns + 2 * BORDER;
    this.height = rows + 2 * BORDER;
    this.frame = 0;
    this.all = data.parts.flatMap((_, i) => [0, 1, 2, 3].map((d) => 4 * i + d));
    this.sums = this.all.map((i) => data.loads.reduce((sum, phase) => sum + phase[i], 0));
    this.links = this.all.map((i) => this.link(i)).filter((link) => link);
  }

  // Link `i` leaves processor i / 4: down, up, right, left on paper.
  link(i) {
    const [rows, columns] = this.sides;
    const from = Math.floor(i / 4);
    const [row, column] = [Math.floor(from / columns), from % columns];
    const [down, right] = [[1, 0], [-1, 0], [0, 1], [0, -1]][i % 4];
    const [r, c] = [row + down, column + right];
    const around = r < 0 || r >= rows || c < 0 || c >= columns;
    if (around && !(this.torus && (down ? rows : columns) > 2)) return null;
    const to = ((r + rows) % rows) * columns + ((c + columns) % columns);
    const middle = (p) => [(p % columns) + 0.5 + BORDER, Math.floor(p / columns) + 0.5 + BORDER];
    const along = ([x, y], far) => [x - down * ASIDE + right * far, y + right * ASIDE + down * far];
    const [near, far] = [0.27, 0.5 + BORDER - 0.04];
    const lines = around
      ? [[along(middle(from), near), along(middle(from), far)], [along(middle(to), -far), along(middle(to), -near)]]
      : [[along(middle(from), near), along(middle(to), -near)]];
    return { i, from, to, around, lines };
  }

  frameCount() {
    return this.phases + 1;
  }

  frameName(frame) {
    return frame ? `phase ${frame} of ${this.phases}` : "all phases";
  }

  fileName(frame) {
    return frame ? `phase-${frame}` : "all-phases";
  }

  load(link) {
    return this.frame ? this.loads[this.frame - 1][link.i] : this.sums[link.i];
  }

  legend() {
    const loads = this.links.map((link) => this.load(link));
    const used = loads.filter((load) => load > 0).length;
    return [
      ["line heat", "most over a link", Math.max(0, ...loads)],
      ["none", "values times hops", loads.reduce((sum, load) => sum + load, 0)],
      ["none", "links in use", used],
      ["line idle", "idle links", loads.length - used],
    ];
  }

  draw(context, scale, marked) {
    const most = Math.max(1, ...this.links.map((link) => this.load(link)));
    const heat = Array.from({ length: HEAT_STEPS }, (_, step) => colour(`h${step}`));
    const idle = colour("rule");
    // The busiest last, on top.
    const order = [...this.links].sort((a, b) => this.load(a) - this.load(b));
    for (const link of order) {
      const load = this.load(link);
      context.strokeStyle = load ? heat[Math.min(HEAT_STEPS - 1, Math.floor((load / most) * HEAT_STEPS))] : idle;
      this.stroke(context, link, Math.max(WIDEST * (load / most), 0.8 / scale));
    }
    if (marked) {
      context.strokeStyle = colour("rake");
      this.stroke(context, marked, Math.max(0.06, 2 / scale));
    }
    this.drawProcessors(context, scale);
  }

  stroke(context, link, width) {
    context.lineWidth = width;
    context.beginPath();
    for (const [[x, y], [s, t]] of link.lines) {
      context.moveTo(x, y);
      context.lineTo(s, t);
    }
    context.stroke();
  }

  drawProcessors(context, scale) {
    const columns = this.sides[1];
    context.font = "0.2px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    const [box, ink] = [colour("processor"), colour("ink")];
    this.parts.forEach((part, p) => {
      const [x, y] = [(p % columns) + 0.5 + BORDER, Math.floor(p / columns) + 0.5 + BORDER];
      context.fillStyle = box;
      context.fillRect(x - 0.23, y - 0.23, 0.46, 0.46);
      if (part < 0 || scale < 30) return;
      context.fillStyle = ink;
      context.fillText(part, x, y + 0.01);
    });
  }

  // The nearest link within a few pixels.
  find(x, y, scale) {
    let [best, least] = [null, Math.max(8 / scale, ASIDE)];
    for (const link of this.links) {
      for (const [[a, b], [c, d]] of link.lines) {
        const [dx, dy] = [c - a, d - b];
        const t = Math.min(1, Math.max(0, ((x - a) * dx + (y - b) * dy) / (dx * dx + dy * dy)));
        const gap = Math.hypot(x - a - t * dx, y - b - t * dy);
        if (gap < least) [best, least] = [link, gap];
      }
    }
    return best;
  }

  items() {
    return this.links.filter((link) => this.load(link)).sort((a, b) => this.load(b) - this.load(a));
  }

  at(link) {
    const [[x, y], [s, t]] = link.lines[0];
    return [(x + s) / 2, (y + t) / 2];
  }

  text(link) {
    const direction = ["down", "up", "right", "left"][link.i % 4] + (link.around ? ", around the torus" : "");
    const load = this.load(link);
    const values = load === 1 ? "1 value" : `${load.toLocaleString("en")} values`;
    const share = this.frame ? `, ${this.sums[link.i].toLocaleString("en")} in all phases` : "";
    return `from ${link.from} to ${link.to} (${direction}): ${values}${share}`;
  }
}
