// The waterfall: strips of the critical path, then a lane for each thread. Charts that share a window move together.
const AXIS = 20, STRIP = ROW + 2;

/** What part of the start is seen, in microseconds; all charts of it are redrawn together. */
class Frame {
  constructor(whole) {
    this.whole = Math.max(whole, 1);
    this.charts = [];
    this.from = 0;
    this.to = this.whole;
  }

  show(from, to) {
    const length = Math.min(Math.max(to - from, 20), this.whole);
    this.from = Math.min(Math.max(from, 0), this.whole - length);
    this.to = this.from + length;
    this.redraw();
  }

  zoom(factor, around) {
    const at = around === undefined ? (this.from + this.to) / 2 : around;
    this.show(at - (at - this.from) * factor, at + (this.to - at) * factor);
  }

  all() { this.show(0, this.whole); }
  redraw() { for (const chart of this.charts) chart.redraw(); }
}

class Timeline extends Chart {
  constructor(figure, start, label, frame) {
    super(figure, "Timeline, " + label + ". Arrow keys move from span to span, plus and minus zoom, Enter fills the width, Escape shows the whole start.",
      "Point at a span, or move with the arrow keys.");
    this.start = start;
    this.frame = frame;
    frame.charts.push(this);
    this.spans = [];
    this.lanes = [];
    this.selected = -1;
    this.matches = null;
    this.stretches = [];
    this.unpack();
    this.pointer();
  }

  unpack() {
    let y = AXIS + 2 * STRIP + 4;
    for (const lane of this.start.timeline.lanes) {
      const top = y + ROW, packed = lane.spans;
      this.lanes.push({ name: TEXT[lane.name], top: y, rows: lane.rows });
      let at = 0;
      for (let place = 0; place < packed.length; place += 6) {
        at += packed[place + 3];
        const kind = TEXT[packed[place]];
        this.spans.push({ kind, name: TEXT[packed[place + 1]], y: top + packed[place + 2] * ROW, row: packed[place + 2], start: at,
          length: packed[place + 4], detail: TEXT[packed[place + 5]], phase: DATA.kinds[kind], lane: this.lanes.length - 1 });
      }
      y = top + lane.rows * ROW + 6;
    }
    this.height = y;
  }

  x(at) { return (at - this.frame.from) / (this.frame.to - this.frame.from) * this.width; }
  moment(x) { return this.frame.from + x / this.width * (this.frame.to - this.frame.from); }

  colour(span) {
    const all = colours.all();
    if (DATA.phases[span.phase] === "network and external services") return all.wait;
    if (DATA.devices.includes(span.kind)) return all.device;
    return span.phase === undefined ? all.grey : all.phase[span.phase];
  }

  draw(context, width, from, to) {
    const all = colours.all(), phases = this.start.timeline.phases, waits = this.start.timeline.waits;
    this.axis(context, width, to);
    for (let place = 0; place < phases.length; place += 3) {
      this.piece(context, phases[place + 1], phases[place + 2], AXIS, all.phase[phases[place]], DATA.phases[phases[place]]);
    }
    for (let place = 0; place < waits.length; place += 3) {
      if (waits[place]) this.piece(context, waits[place + 1], waits[place + 2], AXIS + STRIP, all.wait, DATA.states[waits[place]]);
    }
    this.bands(context, to);
    context.fillStyle = all.faint;
    for (const lane of this.lanes) {
      if (lane.top < to && lane.top + ROW > from) { context.fillStyle = all.faint; context.fillText(lane.name, 4, lane.top + ROW / 2 + 1); }
    }
    for (const span of this.spans) {
      if (span.y > to || span.y + ROW < from) continue;
      const x = this.x(span.start), wide = this.x(span.start + span.length) - x;
      if (x > width || x + wide < 0 || wide < LEAST / 2 && !this.matches) continue;
      const faded = this.matches ? !this.matches.has(span) : this.stretches.length && !this.inside(span);
      this.box(context, Math.max(x, -2), span.y, wide + Math.min(x + 2, 0), this.colour(span), span.name, faded);
    }
    const chosen = this.spans[this.selected];
    if (chosen) this.outline(context, this.x(chosen.start), chosen.y, this.x(chosen.start + chosen.length) - this.x(chosen.start), ROW);
  }

  axis(context, width, to) {
    const all = colours.all(), length = this.frame.to - this.frame.from, rough = length / Math.max(2, width / 110);
    const unit = 10 ** Math.floor(Math.log10(Math.max(rough, 1))), step = unit * [1, 2, 5, 10].find((times) => unit * times >= rough);
    for (let at = Math.ceil(this.frame.from / step) * step; at <= this.frame.to; at += step) {
      const x = this.x(at);
      context.fillStyle = all.line;
      context.fillRect(x, 0, 1, to);
      context.fillStyle = all.faint;
      context.fillText(at >= 1e6 || step >= 1e5 ? +(at / 1e6).toFixed(6) + " s" : +(at / 1000).toFixed(3) + " ms", x + 3, AXIS / 2);
    }
  }

  piece(context, at, length, y, colour, name) {
    const x = this.x(at), wide = this.x(at + length) - x;
    if (x <= this.width && x + wide >= 0) this.box(context, Math.max(x, -2), y, wide + Math.min(x + 2, 0), colour, name, false);
  }

  /** What a finding is about, from top to bottom. */
  bands(context, to) {
    context.fillStyle = colours.all().mark;
    for (let place = 0; place < this.stretches.length; place += 2) {
      const x = this.x(this.stretches[place]), wide = Math.max(1.5, this.x(this.stretches[place] + this.stretches[place + 1]) - x);
      context.globalAlpha = 0.28;
      context.fillRect(x, AXIS, wide, to);
      context.globalAlpha = 1;
      context.fillRect(x, AXIS - 4, wide, 4);
    }
  }

  /** Whether at least half of a span is what the finding is about. */
  inside(span) {
    const found = this.stretches;
    let covered = 0;
    for (let place = 0; place < found.length && found[place] < span.start + span.length; place += 2) {
      covered += Math.max(0, Math.min(span.start + span.length, found[place] + found[place + 1]) - Math.max(span.start, found[place]));
    }
    return 2 * covered >= span.length;
  }

  at(x, y) {
    const moment = this.moment(x), near = (this.frame.to - this.frame.from) / this.width * 2;
    let best = -1;
    for (let number = 0; number < this.spans.length; number++) {
      const span = this.spans[number];
      if (y >= span.y && y < span.y + ROW && moment >= span.start - near && moment <= span.start + span.length + near
        && (best < 0 || span.length < this.spans[best].length || this.spans[best].length < near && span.length > this.spans[best].length)) best = number;
    }
    if (best >= 0) return best;
    if (y >= AXIS && y < AXIS + 2 * STRIP) return this.inStrip(y < AXIS + STRIP ? this.start.timeline.phases : this.start.timeline.waits,
      y < AXIS + STRIP ? DATA.phases : DATA.states, moment);
    return -1;
  }

  inStrip(strip, names, moment) {
    for (let place = 0; place < strip.length; place += 3) {
      if (moment >= strip[place + 1] && moment < strip[place + 1] + strip[place + 2]) {
        return names[strip[place]] + ": " + duration(strip[place + 2]) + ", from " + duration(strip[place + 1]) + " on";
      }
    }
    return -1;
  }

  words(found) {
    if (typeof found === "string") return found;
    const span = this.spans[found];
    if (!span) return "";
    const phase = span.phase === undefined ? "" : ", " + DATA.phases[span.phase];
    return span.name + "\n" + duration(span.length) + " (" + share(span.length, this.start.wall) + "), from " + duration(span.start) + " on\n"
      + span.kind + phase + (span.detail ? "\n" + span.detail : "") + "\n" + this.lanes[span.lane].name;
  }

  select(number) {
    this.selected = number;
    const span = this.spans[number];
    this.say(span ? this.words(number).replaceAll("\n", " · ") : "");
    if (span) {
      const length = this.frame.to - this.frame.from;
      if (span.start > this.frame.to || span.start + span.length < this.frame.from) this.frame.show(span.start - length / 4, span.start + length * 3 / 4);
      this.reveal(span.y);
    }
    this.redraw();
  }

  fill(number) {
    const span = this.spans[number];
    if (span) this.frame.show(span.start - span.length * 0.05, span.start + span.length * 1.05);
  }

  /** The next span in a direction that is wide enough to be seen, of those that a search has found. */
  step(direction) {
    const least = (this.frame.to - this.frame.from) / this.width;
    const wanted = (span) => this.matches ? this.matches.has(span) : span.length >= least;
    for (let number = this.selected + direction; number >= 0 && number < this.spans.length; number += direction) {
      if (wanted(this.spans[number])) return this.select(number);
    }
  }

  /** The span around the selected one, or the first one in it. */
  nested(direction) {
    const now = this.spans[this.selected];
    if (!now) return this.step(1);
    for (let number = this.selected + direction; number >= 0 && number < this.spans.length && this.spans[number].lane === now.lane; number += direction) {
      const span = this.spans[number];
      if (direction < 0 && span.row < now.row) return this.select(number);
      if (direction > 0) return span.start <= now.start + now.length && span.row > now.row ? this.select(number) : undefined;
    }
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    const acts = {
      ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1), ArrowUp: () => this.nested(-1), ArrowDown: () => this.nested(1),
      "+": () => this.frame.zoom(0.5, this.middle()), "=": () => this.frame.zoom(0.5, this.middle()), "-": () => this.frame.zoom(2, this.middle()),
      Enter: () => this.fill(this.selected), Home: () => this.frame.all(), 0: () => this.frame.all(),
      Escape: () => { this.select(-1); this.frame.all(); },
    };
    if (!acts[event.key]) return false;
    acts[event.key]();
    return true;
  }

  middle() {
    const span = this.spans[this.selected];
    return span ? span.start + span.length / 2 : undefined;
  }

  pointer() {
    const held = new Map();
    let moved = false;
    this.canvas.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      held.set(event.pointerId, event);
      moved = false;
    });
    this.canvas.addEventListener("pointermove", (event) => {
      const before = held.get(event.pointerId);
      if (!before) return;
      const across = event.clientX - before.clientX;
      if (!moved && Math.abs(across) < 4) return;
      if (!moved) { moved = true; this.canvas.setPointerCapture(event.pointerId); this.leave(); }
      const scale = (this.frame.to - this.frame.from) / this.width;
      if (held.size === 1) this.frame.show(this.frame.from - across * scale, this.frame.to - across * scale);
      else this.pinch([...held.values()].find((one) => one.pointerId !== event.pointerId), before, event);
      held.set(event.pointerId, event);
    });
    const up = (event) => {
      if (held.delete(event.pointerId) && !moved && event.type === "pointerup") {
        const found = this.at(...this.where(event));
        if (typeof found === "string") this.say(found);
        else this.select(found);
      }
    };
    this.canvas.addEventListener("pointerup", up);
    this.canvas.addEventListener("pointercancel", up);
    this.canvas.addEventListener("dblclick", (event) => {
      const found = this.at(...this.where(event));
      if (typeof found === "number" && found >= 0) this.fill(found);
    });
    this.canvas.addEventListener("wheel", (event) => {
      if (event.ctrlKey || event.metaKey) this.frame.zoom(1.0015 ** event.deltaY, this.moment(this.where(event)[0]));
      else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        const across = event.deltaX / this.width * (this.frame.to - this.frame.from);
        this.frame.show(this.frame.from + across, this.frame.to + across);
      } else return;
      event.preventDefault();
    }, { passive: false });
  }

  pinch(other, before, now) {
    const apart = Math.max(8, Math.abs(before.clientX - other.clientX)), after = Math.max(8, Math.abs(now.clientX - other.clientX));
    this.frame.zoom(apart / after, this.moment(this.where(other)[0]));
  }

  /** Spans whose name, kind or phase has the words; null for all. Returns how many. */
  search(words) {
    this.matches = null;
    if (words) {
      this.matches = new Set(this.spans.filter((span) => (span.name + " " + span.kind + " " + (DATA.phases[span.phase] || "") + " " + span.detail)
        .toLowerCase().includes(words)));
    }
    this.selected = -1;
    this.redraw();
    return this.matches ? this.matches.size : 0;
  }

  highlight(stretches) {
    this.stretches = stretches;
    if (stretches.length) {
      const last = stretches.length - 2, end = stretches[last] + stretches[last + 1], length = Math.max(end - stretches[0], 1000);
      this.frame.show(stretches[0] - length * 0.05, end + length * 0.05);
    }
    this.redraw();
  }
}
