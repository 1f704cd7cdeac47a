// A still picture: the SVG in a stage's shadow root, with a camera and hints.
const KEYS = "Keys: plus and minus enlarge, 0 resets, arrows move, n and p go through the values.";

class Still {
  constructor(stage, title) {
    this.stage = stage;
    this.svg = stage.shadowRoot.querySelector("svg");
    const box = this.svg.getAttribute("viewBox")?.split(/[\s,]+/).map(Number);
    const size = ["width", "height"].map((side) => parseFloat(this.svg.getAttribute(side)));
    this.home = box?.length === 4 && box.every(Number.isFinite) ? box : [0, 0, ...size];
    // The page's own hints stand in for those of the browser, which come late and small.
    this.svg.querySelector(":scope > title")?.remove();
    stage.setAttribute("role", "group");
    stage.setAttribute("aria-label", `${title}. ${KEYS}`);
    this.camera = new Camera(stage, this.svg, () => this.place());
    this.reached = -1;
    stage.addEventListener("pointermove", (event) => this.hover(event));
    stage.addEventListener("click", (event) => this.hover(event));
    stage.addEventListener("pointerleave", hideHint);
    stage.addEventListener("blur", hideHint);
    stage.addEventListener("keydown", (event) => this.key(event));
    themeListeners.push(() => this.paint());
    this.paint();
  }

  place() {
    const [x, y, width, height] = this.home;
    const { u, v, zoom } = this.camera;
    const box = [x + u * width, y + v * height, width / zoom, height / zoom];
    this.svg.setAttribute("viewBox", box.map((n) => +n.toFixed(3)).join(" "));
    hideHint();
  }

  // Dark rules hold where the theme is dark, never on paper.
  paint() {
    for (const sheet of this.stage.shadowRoot.styleSheets) {
      for (const rule of sheet.cssRules) {
        if (!(rule instanceof CSSMediaRule)) continue;
        rule.wasDark ??= /prefers-color-scheme: *dark/.test(rule.conditionText);
        if (rule.wasDark) rule.media.mediaText = darkCondition();
      }
    }
  }

  // Labels that were cut have their whole text as a hint; the others say it themselves.
  isTold(element, text) {
    return element.localName === "text" && element.firstChild?.textContent === text;
  }

  // The hint of an element or of what holds it; its <title> becomes an attribute, so that the
  // browser does not show it a second time.
  hintOf(element) {
    for (; element && element !== this.svg; element = element.parentNode) {
      const title = [...(element.children ?? [])].find((child) => child.localName === "title");
      if (title) {
        element.dataset.hint = title.textContent;
        title.remove();
      }
      const text = element.dataset?.hint;
      if (text) return this.isTold(element, text) ? "" : text;
    }
    return "";
  }

  hover(event) {
    const text = this.camera.dragging ? "" : this.hintOf(event.composedPath()[0]);
    if (text) showHint(text, event.clientX, event.clientY);
    else hideHint();
  }

  // The values one after another, for those without a pointer.
  key(event) {
    const step = { n: 1, p: -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    const holder = (element) => (element.localName === "title" ? element.parentNode : element);
    const all = [...this.svg.querySelectorAll("title, [data-hint]")].map(holder).filter((e) => this.hintOf(e));
    if (!all.length) return;
    this.reached = (Math.max(this.reached, step < 0 ? 0 : -1) + step + all.length) % all.length;
    const element = all[this.reached];
    const box = element.getBoundingClientRect();
    showHint(this.hintOf(element), box.left + box.width / 2, box.top + box.height / 2);
  }

  saveSvg(name) {
    saveSvg(this.svg, this.home, name);
  }

  savePng(name) {
    saveSvgAsPng(this.svg, this.home, name);
  }
}
