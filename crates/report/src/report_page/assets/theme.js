// The theme: the reader's system decides until the reader does. Pages follow color-scheme;
// pictures have a media rule for dark colours, whose condition is set here.
const THEMES = ["auto", "light", "dark"];
const DARK_ON_SCREEN = "screen and (prefers-color-scheme: dark)";
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const themeListeners = [];
let theme = "auto";

function isDark() {
  return theme === "dark" || (theme === "auto" && systemIsDark.matches);
}

// The condition for the dark rules of a picture.
function darkCondition() {
  return { auto: DARK_ON_SCREEN, light: "not all", dark: "screen" }[theme];
}

function setTheme(next) {
  theme = next;
  document.documentElement.dataset.theme = theme;
  for (const listener of themeListeners) listener();
}

// Stores refuse in private windows; then the choice lasts as long as the page.
function storedTheme() {
  try {
    const stored = localStorage.getItem("palmette-theme");
    return THEMES.includes(stored) ? stored : "auto";
  } catch {
    return "auto";
  }
}

function storeTheme() {
  try {
    localStorage.setItem("palmette-theme", theme);
  } catch {
    // Nothing is lost but the memory of it.
  }
}

function themeButton() {
  const say = () => (button.textContent = `Theme: ${theme}`);
  const button = toolButton("", "Change between the system's theme, light and dark", () => {
    setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]);
    storeTheme();
  });
  button.id = "theme";
  themeListeners.push(say);
  say();
  return button;
}

// A colour of the style sheet, as numbers that canvases know.
const probe = document.createElement("span");
probe.hidden = true;
function colour(variable) {
  probe.style.color = `var(--${variable})`;
  return getComputedStyle(probe).color;
}

function toolButton(text, label, action) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.title = label;
  button.setAttribute("aria-label", text ? `${text}: ${label}` : label);
  button.addEventListener("click", action);
  return button;
}
