// What stands beside the drawing: the chosen vertex, the key of colours, the search.
function line(words, tag = "p") {
  const element = document.createElement(tag);
  element.textContent = words;
  return element;
}

// What is known of the chosen vertex, and the key of colours.
function fillSide(view) {
  const side = document.getElementById("side");
  const parts = [];
  const { chosen, data, layout } = view;
  if (chosen >= 0) {
    const [name, ...more] = data.words(chosen).split(" · ");
    parts.push(line(name, "b"), line(more.join(" · ")));
    const row = document.createElement("div");
    row.className = "row";
    const closed = layout.collapsed[layout.shown(chosen)];
    if (!data.isTip(chosen)) {
      row.append(toolButton(closed ? "Expand" : "Collapse", "Key c", () => view.toggle()));
    }
    row.append(toolButton("Zoom to", "Key Enter", () => view.show(chosen)));
    if (data.parent[chosen] >= 0) row.append(toolButton("Up", "Key u: the parent", () => view.choose(data.parent[chosen])));
    parts.push(row);
  } else {
    const tips = data.tips.reduce((sum, tips, i) => sum + (data.parent[i] < 0 ? tips : 0), 0);
    parts.push(line(`${tips.toLocaleString("en")} tips, ${data.n.toLocaleString("en")} vertices`));
    parts.push(line("Drag to move, wheel or + − to enlarge, Shift and wheel or [ ] across; double-click or c collapses."));
  }
  const { colours } = facts;
  if (colours) parts.push(...colourKey(colours));
  side.replaceChildren(...parts);
}

function colourKey(colours) {
  const parts = [line(colours.name + (colours.log ? ", log scale" : ""), "b")];
  if (colours.stops) {
    const scale = document.createElement("div");
    scale.className = "scale";
    scale.style.background = `linear-gradient(to right, ${colours.stops.join(",")})`;
    const ends = document.createElement("div");
    ends.className = "ends";
    ends.append(line(short(colours.low), "span"), line(short(colours.high), "span"));
    parts.push(scale, ends);
  } else {
    const names = [...colours.classes.map((name, k) => [name, `k${k}`]), ["none, or several", "pale"]];
    for (const [name, variable] of names) {
      const row = line(name);
      const sign = document.createElement("i");
      sign.style.background = `var(--${variable})`;
      row.prepend(sign);
      parts.push(row);
    }
  }
  if (colours.note) parts.push(line(colours.note));
  return parts;
}

function searchBox(view) {
  const input = document.createElement("input");
  Object.assign(input, { type: "search", placeholder: "Search a name", autocomplete: "off", spellcheck: false });
  input.setAttribute("aria-label", "Search a name");
  const count = line("", "span");
  count.id = "found";
  count.setAttribute("role", "status");
  let [timer, more] = [0, false];
  const say = () => {
    const { found, current } = view;
    if (!input.value.trim()) count.textContent = "";
    else if (!found.length) count.textContent = "no match";
    else count.textContent = `${current + 1} of ${found.length.toLocaleString("en")}${more ? "+" : ""}`;
  };
  const go = (step) => {
    clearTimeout(timer);
    look();
    if (!view.found.length) return say();
    view.current = (view.current + step + view.found.length) % view.found.length;
    view.show(view.found[view.current]);
    say();
  };
  let seen = "";
  const look = () => {
    if (input.value === seen) return;
    seen = input.value;
    const answer = view.search.find(seen);
    view.found = answer.found;
    more = answer.more;
    view.current = -1;
    view.redraw();
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      look();
      if (view.found.length) {
        view.current = 0;
        view.show(view.found[0]);
      }
      say();
    }, 200);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
  });
  const next = toolButton("Next", "Next match", () => go(1));
  return [input, next, count];
}

function savePng(view) {
  view.canvas.toBlob((blob) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = "tree.png";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }, "image/png");
}
