// The tree of a page: columns in preorder, packed.
const facts = JSON.parse(document.getElementById("facts").textContent);

async function unpack() {
  const element = document.getElementById("data");
  const text = element.textContent;
  const { packing } = element.dataset;
  element.remove();
  let bytes;
  if (Uint8Array.fromBase64) bytes = Uint8Array.fromBase64(text);
  else {
    const raw = atob(text);
    bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  }
  if (packing === "none") return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// `count` numbers of seven bits per byte.
function numbers(bytes, count) {
  const found = new Uint32Array(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++];
    let number = byte & 127;
    for (let shift = 7; byte & 128; shift += 7) {
      byte = bytes[at++];
      number += (byte & 127) * 2 ** shift;
    }
    found[i] = number;
  }
  return found;
}

// Numbers of four bytes whose planes lie one after the other.
function floats(bytes, count) {
  const found = new Uint8Array(4 * count);
  for (let k = 0; k < 4; k++) {
    for (let i = 0, from = k * count, to = k; i < count; i++, to += 4) found[to] = bytes[from + i];
  }
  return new Float32Array(found.buffer);
}

class TreeData {
  constructor(bytes) {
    const n = facts.vertices;
    const columns = {};
    let at = 0;
    for (const [name, size] of facts.columns) {
      columns[name] = bytes.subarray(at, at + size);
      at += size;
    }
    this.n = n;
    this.children = numbers(columns.children, n);
    this.names = columns.names;
    const sizes = numbers(columns.name_lengths, n);
    this.nameEnd = sizes;
    for (let i = 1; i < n; i++) sizes[i] += sizes[i - 1];
    this.lengths = columns.lengths && floats(columns.lengths, n);
    this.support = columns.support && floats(columns.support, n);
    this.values = columns.values && floats(columns.values, n);
    this.classes = columns.classes;
    this.decoder = new TextDecoder();
    this.measure();
  }

  // Parents, ends of subtrees and tips, from numbers of children alone.
  measure() {
    const { n, children } = this;
    this.parent = new Int32Array(n);
    this.end = new Uint32Array(n);
    this.tips = new Uint32Array(n);
    const left = children.slice();
    let open = -1;
    for (let i = 0; i < n; i++) {
      this.parent[i] = open;
      if (children[i]) open = i;
      else {
        // Whoever has its last child ends here.
        this.end[i] = i + 1;
        this.tips[i] = 1;
        let at = i;
        while (open >= 0) {
          this.tips[open] += this.tips[at];
          if (--left[open]) break;
          this.end[open] = i + 1;
          at = open;
          open = this.parent[open];
        }
      }
    }
  }

  name(i) {
    return this.decoder.decode(this.names.subarray(i ? this.nameEnd[i - 1] : 0, this.nameEnd[i]));
  }

  hasName(i) {
    return this.nameEnd[i] > (i ? this.nameEnd[i - 1] : 0);
  }

  isTip(i) {
    return this.children[i] === 0;
  }

  // What the reader calls a vertex.
  title(i) {
    if (this.hasName(i)) return this.name(i);
    if (this.isTip(i)) return "a tip without a name";
    let first = i;
    while (!this.isTip(first)) first += 1;
    let last = this.end[i] - 1;
    return `${this.name(first) || "?"} … ${this.name(last) || "?"}`;
  }

  words(i) {
    const parts = [this.title(i)];
    if (!this.isTip(i)) parts.push(`${this.tips[i].toLocaleString("en")} tips`);
    if (this.lengths && this.parent[i] >= 0) parts.push(`branch length ${short(this.lengths[i])}`);
    if (this.support && Number.isFinite(this.support[i])) parts.push(`support ${short(this.support[i])}`);
    if (this.values && Number.isFinite(this.values[i])) parts.push(`${facts.colours.name} ${short(this.values[i])}`);
    if (this.classes && this.classes[i] < 255) {
      parts.push(`${facts.colours.name} ${facts.colours.classes[this.classes[i]] ?? "other"}`);
    }
    return parts.join(" · ");
  }
}

function short(number) {
  return String(Number(number.toPrecision(5)));
}
