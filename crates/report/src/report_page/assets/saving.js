// Files of pictures: SVG as it came, PNG at twice its size in the colours that are seen.
const PNG_SCALE = 2;

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// The picture that `svg` was when the page was made, as text.
function svgText(svg, home, condition) {
  const copy = svg.cloneNode(true);
  copy.setAttribute("viewBox", home.join(" "));
  for (const element of copy.querySelectorAll("[data-hint]")) {
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = element.dataset.hint;
    element.append(title);
    delete element.dataset.hint;
  }
  if (condition) {
    for (const style of copy.querySelectorAll("style")) {
      const dark = /@media[^{]*prefers-color-scheme:\s*dark\)/g;
      style.textContent = style.textContent.replace(dark, `@media ${condition}`);
    }
  }
  return new XMLSerializer().serializeToString(copy);
}

function saveSvg(svg, home, name) {
  save(new Blob([svgText(svg, home)], { type: "image/svg+xml" }), `${name}.svg`);
}

function saveSvgAsPng(svg, home, name) {
  const text = svgText(svg, home, isDark() ? "all" : "not all");
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(home[2] * PNG_SCALE);
    canvas.height = Math.ceil(home[3] * PNG_SCALE);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    saveCanvas(canvas, name);
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}

function saveCanvas(canvas, name) {
  canvas.toBlob((blob) => save(blob, `${name}.png`), "image/png");
}
