// One hint for the whole page: the value under the pointer, or the one that keys have reached.
const hintBox = document.createElement("div");
hintBox.id = "hint";
hintBox.setAttribute("role", "status");
hintBox.hidden = true;

function showHint(text, x, y) {
  if (hintBox.textContent !== text) hintBox.textContent = text;
  hintBox.hidden = false;
  const { width, height } = hintBox.getBoundingClientRect();
  const left = x + 14 + width > innerWidth ? x - 14 - width : x + 14;
  const top = y + 18 + height > innerHeight ? y - 12 - height : y + 18;
  hintBox.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`;
  hintBox.style.top = `${Math.max(4, top)}px`;
}

function hideHint() {
  hintBox.hidden = true;
}

// Cells of tables that are short for something longer.
function hintCells() {
  const show = (event) => {
    const cell = event.target.closest?.("[data-hint]");
    if (cell) showHint(cell.dataset.hint, event.clientX, event.clientY);
  };
  document.addEventListener("pointermove", show);
  document.addEventListener("click", show);
  document.addEventListener("pointerout", (event) => {
    if (event.target.closest?.("[data-hint]")) hideHint();
  });
  document.addEventListener("scroll", hideHint, { capture: true, passive: true });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideHint();
  });
}
