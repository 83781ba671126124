// A canvas in a scrolled frame: only what is seen is drawn. What the charts have in common: size, colours, the tip, the pointer.
const TIP = document.getElementById("tip");
const ROW = 18;
const LEAST = 0.4; // pixels of a box that is drawn

const colours = {
  known: null,
  all() {
    if (!this.known) {
      const style = getComputedStyle(document.documentElement);
      const of = (name) => style.getPropertyValue("--" + name).trim();
      this.known = { phase: DATA.phases.map((_, number) => of("p" + number)) };
      for (const name of ["ground", "raised", "ink", "faint", "line", "link", "wait", "device", "mark", "grey", "boxink"]) this.known[name] = of(name);
    }
    return this.known;
  },
  forget() { this.known = null; },
};

class Chart {
  /** figure: where it stands; label: what it is called; draw(context, width, from, to): rows from..to in pixels. */
  constructor(figure, label, help) {
    this.figure = figure;
    this.view = element("div", "view");
    this.space = element("div", "space");
    this.canvas = element("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", label);
    this.said = element("output", "said", help);
    this.said.setAttribute("aria-live", "polite");
    this.view.append(this.space, this.canvas);
    figure.append(this.view, this.said);
    this.context = this.canvas.getContext("2d");
    this.height = ROW;
    this.wanted = false;
    this.view.addEventListener("scroll", () => this.redraw(), { passive: true });
    this.canvas.addEventListener("pointermove", (event) => this.hover(event));
    this.canvas.addEventListener("pointerleave", () => this.leave());
    this.canvas.addEventListener("keydown", (event) => { if (this.key(event)) event.preventDefault(); });
  }

  /** Draws in the next frame, once. */
  redraw() {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => { this.wanted = false; this.paint(); });
  }

  paint() {
    const width = this.view.clientWidth;
    if (!width) return;
    this.space.style.height = this.height + "px";
    const most = this.printing ? 2400 : Math.max(160, Math.floor(innerHeight * 0.72) - 2);
    const height = Math.min(this.height, most);
    const ratio = Math.min(devicePixelRatio || 1, 3);
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.canvas.style.height = height + "px";
    }
    this.width = width;
    const context = this.context;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.translate(0, -this.view.scrollTop);
    this.draw(context, width, this.view.scrollTop, this.view.scrollTop + height);
  }

  /** A box with its name, as far as there is room. */
  box(context, x, y, width, colour, name, faded) {
    context.globalAlpha = faded ? 0.25 : 1;
    context.fillStyle = colour;
    context.fillRect(x, y, Math.max(width > 3 ? width - 0.5 : width, LEAST), ROW - 1);
    if (width > 24 && name) {
      const left = Math.max(x, 0) + 3;
      const room = Math.floor((x + width - left - 3) / 6.2);
      if (room > 2) {
        context.fillStyle = colours.all().boxink;
        context.fillText(name.length > room ? name.slice(0, room - 1) + "…" : name, left, y + ROW / 2);
      }
    }
    context.globalAlpha = 1;
  }

  outline(context, x, y, width, height) {
    context.strokeStyle = colours.all().ink;
    context.lineWidth = 2;
    context.strokeRect(x + 1, y + 1, Math.max(width - 2, 2), height - 3);
  }

  /** Where an event is, in the chart's own pixels. */
  where(event) {
    const place = this.canvas.getBoundingClientRect();
    return [event.clientX - place.left, event.clientY - place.top + this.view.scrollTop];
  }

  hover(event) {
    if (event.pointerType === "touch" || event.buttons) return;
    const words = this.words(this.at(...this.where(event)));
    TIP.hidden = !words;
    if (!words) return;
    TIP.textContent = words;
    const left = Math.min(event.clientX + 14, innerWidth - TIP.offsetWidth - 8);
    const below = event.clientY + 18 + TIP.offsetHeight < innerHeight;
    TIP.style.left = Math.max(4, left) + "px";
    TIP.style.top = (below ? event.clientY + 18 : event.clientY - TIP.offsetHeight - 10) + "px";
  }

  leave() { TIP.hidden = true; }

  /** Scrolls a row into what is seen. */
  reveal(y) {
    const seen = this.canvas.clientHeight;
    if (y < this.view.scrollTop) this.view.scrollTop = Math.max(0, y - ROW);
    else if (y + ROW > this.view.scrollTop + seen) this.view.scrollTop = y + 2 * ROW - seen;
  }

  say(words) { this.said.textContent = words; }
}
