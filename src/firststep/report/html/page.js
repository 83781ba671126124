// Puts the charts in their places, and joins them with the findings, the search, the tables and the theme.
const labels = DATA.labels;
const frame = new Frame(DATA.starts.reduce((most, start) => Math.max(most, start.wall), 0));
const figures = (kind) => [...document.querySelectorAll("figure." + kind)];
const made = (kind, make) => figures(kind).map((figure) => make(figure, DATA.starts[+figure.dataset.start], labels[+figure.dataset.start]));
const timelines = made("timeline", (figure, start, label) => new Timeline(figure, start, label, frame));
const flames = made("flame", (figure, start, label) => new Flame(figure, start, label));
const packages = made("packages", (figure, start, label) => new Packages(figure, start, label));
const charts = [...timelines, ...flames, ...packages];
const byId = (id) => document.getElementById(id);
const all = (selector) => [...document.querySelectorAll(selector)];

for (const one of all(".tools, #keys, #theme, button.show")) one.hidden = false;

function redraw() {
  colours.forget();
  for (const chart of charts) chart.redraw();
}

// findings
function highlight(button) {
  const pressed = button && button.getAttribute("aria-pressed") !== "true";
  for (const one of all("button.show")) one.setAttribute("aria-pressed", String(one === button && pressed));
  for (const [number, timeline] of timelines.entries()) {
    timeline.highlight(pressed && +button.dataset.start === number ? DATA.starts[number].stretches[+button.dataset.finding] : []);
  }
  byId("clear").hidden = !pressed;
  if (!pressed) return frame.all();
  const timeline = timelines[+button.dataset.start];
  timeline.say("Highlighted: " + button.closest("li").querySelector("h3").textContent.trim());
  byId("timeline").scrollIntoView();
}

for (const button of all("button.show")) button.addEventListener("click", () => highlight(button));
byId("clear").addEventListener("click", () => highlight(null));

// zoom and search
for (const button of all("[data-zoom]")) {
  button.addEventListener("click", () => ({ in: () => frame.zoom(0.5), out: () => frame.zoom(2), all: () => frame.all() })[button.dataset.zoom]());
}
for (const button of all("[data-tree]")) {
  button.addEventListener("click", () => { for (const tree of button.dataset.tree === "flame" ? flames : packages) tree.all(); });
}
if (byId("fold")) byId("fold").addEventListener("change", (event) => { for (const flame of flames) flame.fold(event.target.checked); });

const search = byId("search");
function find() {
  const words = search.value.trim().toLowerCase();
  const spans = timelines.reduce((sum, chart) => sum + chart.search(words), 0);
  const boxes = [...flames, ...packages].reduce((sum, chart) => sum + chart.search(words), 0);
  byId("found").textContent = words ? spans.toLocaleString("en") + " spans, " + boxes.toLocaleString("en") + " boxes below" : "";
}
search.addEventListener("input", find);
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && timelines[0]) { timelines[0].canvas.focus(); timelines[0].step(1); }
  if (event.key === "Escape") { search.value = ""; find(); }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.ctrlKey && !event.metaKey && !/^(?:INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
    event.preventDefault();
    search.focus();
  }
});

// tables
function sort(table, column, heading) {
  const down = heading.getAttribute("aria-sort") !== "descending" && (heading.classList.contains("number") || heading.getAttribute("aria-sort") === "ascending");
  for (const one of table.querySelectorAll("th")) one.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const rows = [...table.tBodies[0].rows];
  const value = (row) => {
    const cell = row.cells[column];
    if (cell.dataset.key !== undefined) return +cell.dataset.key;
    return heading.classList.contains("number") ? -Infinity : cell.textContent;
  };
  rows.sort((one, two) => {
    const [first, second] = [value(one), value(two)];
    const order = typeof first === "number" ? (first > second) - (first < second) : first.localeCompare(second, "en");
    return down ? -order : order;
  });
  table.tBodies[0].append(...rows);
}
for (const table of all("table.sortable")) {
  for (const [column, heading] of [...table.tHead.rows[0].cells].entries()) {
    const button = element("button", "", heading.textContent);
    button.type = "button";
    button.addEventListener("click", () => sort(table, column, heading));
    heading.replaceChildren(button);
  }
}

// what a link leads to is open
function reveal() {
  const place = location.hash.length > 1 ? byId(decodeURIComponent(location.hash.slice(1))) : null;
  const around = place && place.closest("details");
  if (around) { around.open = true; place.scrollIntoView(); }
}
addEventListener("hashchange", reveal);
reveal();

// theme, size, print
const themes = ["system", "light", "dark"];
byId("theme").addEventListener("click", () => {
  const next = themes[(themes.indexOf(document.documentElement.dataset.theme || "system") + 1) % themes.length];
  if (next === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  byId("theme").textContent = "Theme: " + next;
  redraw();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
new ResizeObserver(redraw).observe(document.body);
addEventListener("resize", redraw);
for (const chart of charts) chart.redraw();

for (const [event, printing] of [["beforeprint", true], ["afterprint", false]]) {
  addEventListener(event, () => {
    colours.forget();
    for (const chart of charts) { chart.printing = printing; chart.paint(); }
  });
}
