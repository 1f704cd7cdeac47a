// Where vertices lie: distances across, rows down. A collapsed clade has a few rows, however many
// tips it has; what is inside has none.
class TreeLayout {
  constructor(data) {
    this.data = data;
    this.collapsed = new Uint8Array(data.n);
    this.byLength = Boolean(data.lengths);
    this.x = new Float32Array(data.n);
    this.far = new Float32Array(data.n);
    this.near = new Float32Array(data.n);
    // Rows above a position; the last entry is the number of rows.
    this.top = new Float64Array(data.n + 1);
    this.distances();
    this.rows();
  }

  distances() {
    const { n, parent, lengths } = this.data;
    const { x, far, near, byLength } = this;
    for (let i = 0; i < n; i++) {
      const above = parent[i];
      const length = byLength ? lengths[i] : 1;
      x[i] = above < 0 ? 0 : x[above] + (Number.isFinite(length) ? length : 0);
      far[i] = near[i] = x[i];
    }
    let [least, most] = [0, 0];
    for (let i = n - 1; i >= 0; i--) {
      if (x[i] < least) least = x[i];
      if (x[i] > most) most = x[i];
      const above = parent[i];
      if (above < 0) continue;
      if (far[i] > far[above]) far[above] = far[i];
      // The nearest tip: inner vertices have none of their own.
      if (near[above] === x[above] || near[i] < near[above]) near[above] = near[i];
    }
    this.least = least;
    this.most = most > least ? most : least + 1;
  }

  rows() {
    const { n, children, tips, end } = this.data;
    const { top, collapsed } = this;
    let rows = 0;
    for (let i = 0; i < n; ) {
      top[i] = rows;
      if (collapsed[i]) {
        const until = end[i];
        top.fill(rows, i + 1, until);
        rows += this.rowsOf(tips[i]);
        i = until;
      } else {
        if (children[i] === 0) rows += 1;
        i += 1;
      }
    }
    top[n] = rows;
    this.count = Math.max(1, rows);
  }

  rowsOf(tips) {
    return 1 + Math.sqrt(tips) / 3;
  }

  bottom(i) {
    return this.top[this.data.end[i]];
  }

  // The middle of a subtree's rows.
  y(i) {
    return (this.top[i] + this.bottom(i)) / 2;
  }

  toggle(i, closed = !this.collapsed[i]) {
    if (this.data.isTip(i)) return;
    this.collapsed[i] = closed ? 1 : 0;
    this.rows();
  }

  // Opens whatever hides a vertex.
  reveal(i) {
    let any = false;
    for (let at = this.data.parent[i]; at >= 0; at = this.data.parent[at]) {
      if (this.collapsed[at]) [this.collapsed[at], any] = [0, true];
    }
    if (any) this.rows();
  }

  expandAll() {
    this.collapsed.fill(0);
    this.rows();
  }

  // The outermost collapsed clade that has a vertex, or the vertex.
  shown(i) {
    let found = i;
    for (let at = i; at >= 0; at = this.data.parent[at]) if (this.collapsed[at]) found = at;
    return found;
  }

  // The tip, or collapsed clade, that has a row.
  atRow(row) {
    let [low, high] = [0, this.data.n - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.top[middle] <= row) low = middle;
      else high = middle - 1;
    }
    return this.shown(low);
  }
}
