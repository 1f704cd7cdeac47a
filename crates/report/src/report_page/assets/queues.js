// Routers on a grid: which links are busy, and how many messages wait for each, over the whole run
// or in a stretch of it. A link lies on the right of those who travel. Its width shows how busy
// it is, its colour how many wait; the square of a processor those who wait for its ramps.
const QUEUE_STEPS = 12;
const QUEUE_ASIDE = 0.12;
const QUEUE_WIDEST = 0.2;

class Queues {
  constructor(data) {
    Object.assign(this, data);
    this.width = data.columns;
    this.height = data.rows;
    this.frame = 0;
    const all = new Map();
    for (const [links, busy, waiting] of data.frames) {
      links.forEach((link, i) => {
        const sum = all.get(link) ?? { link, busy: 0, waiting: 0 };
        sum.busy += busy[i];
        sum.waiting += waiting[i];
        all.set(link, sum);
      });
    }
    const whole = [...all.values()];
    const frame = ([links, busy, waiting]) =>
      links.map((link, i) => ({ link, busy: busy[i], waiting: waiting[i] }));
    this.parts = [whole, ...data.frames.map(frame)];
    // One scale for all stretches, so that they can be compared.
    const queues = this.parts.slice(1).flat().map((part) => part.waiting / data.cycles_per_frame);
    this.most = queues.reduce((most, queue) => Math.max(most, queue), 0);
  }

  frameCount() {
    return this.parts.length;
  }

  cycles() {
    return this.frame ? this.cycles_per_frame : this.cycles_per_frame * this.frames.length;
  }

  frameName(frame) {
    if (!frame) return "the whole run";
    const end = frame * this.cycles_per_frame;
    return `cycles ${(end - this.cycles_per_frame).toLocaleString("en")} to ${(end - 1).toLocaleString("en")}`;
  }

  fileName(frame) {
    return frame ? `cycles-${(frame - 1) * this.cycles_per_frame}` : "whole-run";
  }

  // The mean number of messages that wait.
  queue(part) {
    return part.waiting / this.cycles();
  }

  legend() {
    const now = this.parts[this.frame];
    const hops = now.filter((part) => part.link % 6 < 4);
    const mean = (parts) => parts.reduce((sum, part) => sum + this.queue(part), 0).toFixed(1);
    const longest = now.reduce((most, part) => Math.max(most, this.queue(part)), 0);
    const busy = hops.filter((part) => part.busy > 0);
    const share = hops.reduce((most, part) => Math.max(most, part.busy / this.cycles()), 0);
    return [
      ["line heat", "messages waiting for links", mean(hops)],
      ["none", "waiting for ramps", mean(now.filter((part) => part.link % 6 > 3))],
      ["none", "longest queue (mean)", longest.toFixed(2)],
      ["none", "links in use", busy.length],
      ["none", "busiest link is used", `${Math.round(100 * share)}%`],
    ];
  }

  // The colour of a queue; the square root shows short ones beside long ones.
  heats() {
    const heat = Array.from({ length: QUEUE_STEPS }, (_, step) => colour(`h${step}`));
    const none = colour("waiting");
    const most = this.frame ? this.most : this.parts[0].reduce((m, p) => Math.max(m, this.queue(p)), 0);
    return (part) => {
      const share = Math.sqrt(this.queue(part) / (most || 1));
      return share ? heat[Math.min(QUEUE_STEPS - 1, Math.floor(share * QUEUE_STEPS))] : none;
    };
  }

  line(link) {
    const cell = Math.floor(link / 6);
    const [x, y] = [(cell % this.columns) + 0.5, Math.floor(cell / this.columns) + 0.5];
    const [dx, dy] = [[1, 0], [-1, 0], [0, 1], [0, -1]][link % 6];
    const along = (far) => [x + dx * far - dy * QUEUE_ASIDE, y + dy * far + dx * QUEUE_ASIDE];
    return [along(0.2), along(0.8)];
  }

  draw(context, scale, marked) {
    const now = [...this.parts[this.frame]].sort((a, b) => this.queue(a) - this.queue(b));
    const heat = this.heats();
    context.fillStyle = colour("processor");
    context.beginPath();
    for (let p = 0; p < this.columns * this.rows; p++) {
      context.rect((p % this.columns) + 0.28, Math.floor(p / this.columns) + 0.28, 0.44, 0.44);
    }
    context.fill();
    for (const part of now) {
      if (part.link % 6 > 3) {
        if (!part.waiting) continue;
        const cell = Math.floor(part.link / 6);
        // Half of the square for those who go in, half for those who come out.
        const half = part.link % 6 === 4 ? 0 : 0.22;
        context.fillStyle = heat(part);
        context.fillRect((cell % this.columns) + 0.28 + half, Math.floor(cell / this.columns) + 0.28, 0.22, 0.44);
        continue;
      }
      context.strokeStyle = heat(part);
      const busy = QUEUE_WIDEST * Math.min(1, part.busy / this.cycles());
      // Where anyone waits, it is wide enough for its colour to be seen.
      this.stroke(context, part, Math.max(busy, 0.8 / scale, part.waiting ? 0.15 : 0));
    }
    if (marked) {
      context.strokeStyle = colour("rake");
      if (marked.link % 6 < 4) this.stroke(context, marked, Math.max(0.06, 2 / scale));
      else {
        const cell = Math.floor(marked.link / 6);
        context.lineWidth = 2 / scale;
        context.strokeRect((cell % this.columns) + 0.28, Math.floor(cell / this.columns) + 0.28, 0.44, 0.44);
      }
    }
  }

  stroke(context, part, width) {
    const [[x, y], [s, t]] = this.line(part.link);
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(s, t);
    context.stroke();
  }

  // The nearest link within a few pixels, or the ramp with the longer queue.
  find(x, y, scale) {
    let [best, least] = [null, Math.max(8 / scale, QUEUE_ASIDE)];
    for (const part of this.parts[this.frame]) {
      let gap;
      if (part.link % 6 < 4) {
        const [[a, b], [c, d]] = this.line(part.link);
        const [dx, dy] = [c - a, d - b];
        const t = Math.min(1, Math.max(0, ((x - a) * dx + (y - b) * dy) / (dx * dx + dy * dy)));
        gap = Math.hypot(x - a - t * dx, y - b - t * dy);
      } else {
        const [a, b] = this.at(part);
        gap = part.waiting && Math.max(Math.abs(x - a), Math.abs(y - b)) < 0.22 ? 0.01 / (1 + part.waiting) : Infinity;
      }
      if (gap < least) [best, least] = [part, gap];
    }
    return best;
  }

  items() {
    return [...this.parts[this.frame]].sort((a, b) => b.waiting - a.waiting);
  }

  at(part) {
    const cell = Math.floor(part.link / 6);
    if (part.link % 6 > 3) return [(cell % this.columns) + 0.5, Math.floor(cell / this.columns) + 0.5];
    const [[x, y], [s, t]] = this.line(part.link);
    return [(x + s) / 2, (y + t) / 2];
  }

  text(part) {
    const cell = Math.floor(part.link / 6);
    const way = ["to the right", "to the left", "down", "up", "from the processor", "to the processor"][part.link % 6];
    const share = Math.round((100 * part.busy) / this.cycles());
    const place = `column ${cell % this.columns}, row ${Math.floor(cell / this.columns)}, ${way}`;
    return `${place}: busy ${share}% of the time, ${this.queue(part).toFixed(2)} messages waiting on average`;
  }
}
