// Finds names: those that contain the words, whatever their case.
class TreeSearch {
  constructor(data) {
    this.data = data;
  }

  // All names in one piece of bytes, in small letters where they are ASCII; made once.
  bytes() {
    if (!this.lower) {
      this.lower = this.data.names.slice();
      const { lower } = this;
      for (let i = 0; i < lower.length; i++) if (lower[i] >= 65 && lower[i] <= 90) lower[i] += 32;
    }
    return this.lower;
  }

  // The positions whose names contain the words, names that are the words first; at most so many.
  find(words, most = 1000) {
    const needle = new TextEncoder().encode(words.trim()).map((b) => (b >= 65 && b <= 90 ? b + 32 : b));
    if (!needle.length) return { found: [], more: false };
    const bytes = this.bytes();
    const { nameEnd, n } = this.data;
    const [exact, others] = [[], []];
    let [at, more] = [0, false];
    const last = bytes.length - needle.length;
    while (at <= last) {
      at = bytes.indexOf(needle[0], at);
      if (at < 0 || at > last) break;
      let k = 1;
      while (k < needle.length && bytes[at + k] === needle[k]) k++;
      if (k < needle.length) {
        at += 1;
        continue;
      }
      // The name that has this byte.
      let [low, high] = [0, n - 1];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (nameEnd[middle] > at) high = middle;
        else low = middle + 1;
      }
      const start = low ? nameEnd[low - 1] : 0;
      if (at + needle.length > nameEnd[low]) {
        // Over the border of two names.
        at += 1;
        continue;
      }
      if (start === at && nameEnd[low] === at + needle.length) exact.push(low);
      else if (others.length < most) others.push(low);
      else more = true;
      at = nameEnd[low];
    }
    return { found: [...exact, ...others].slice(0, most), more };
  }
}
