// Trees of times, the root above: the samples (libraries folded where that is asked for) and the imports by package.
class Tree extends Chart {
  constructor(figure, label, total) {
    super(figure, label + ". Arrow keys move, Enter fills the width with a box, Escape shows all.", "Point at a box, or move with the arrow keys.");
    this.total = Math.max(total, 1);
    this.words_ = "";
    this.canvas.addEventListener("click", (event) => { const found = this.at(...this.where(event)); if (found) { this.select(found); this.fill(found); } });
  }

  /** root: {name, place, whose, total, inside: [...]}, laid out from left to right. */
  show(root) {
    this.root = root;
    this.boxes = [];
    this.top = root;
    this.selected = null;
    const todo = [root];
    root.left = 0;
    root.row = -1;
    while (todo.length) {
      const node = todo.pop();
      let left = node.left;
      for (const one of node.inside) {
        one.left = left;
        one.row = node.row + 1;
        one.around = node;
        left += one.total;
        this.boxes.push(one);
        todo.push(one);
      }
    }
    this.boxes.sort((one, two) => one.row - two.row || one.left - two.left);
    this.height = (1 + this.boxes.reduce((most, one) => Math.max(most, one.row), 0)) * ROW + 4;
    this.redraw();
  }

  draw(context, width, from, to) {
    const scale = width / Math.max(this.top.total, 1);
    for (const node of this.boxes) {
      const y = node.row * ROW + 2, x = (node.left - this.top.left) * scale, wide = node.total * scale;
      if (y > to || y + ROW < from || x > width || x + wide < 0 || wide < LEAST) continue;
      this.box(context, Math.max(x, -2), y, Math.min(wide + Math.min(x + 2, 0), width + 4), this.colour(node), node.name, this.words_ && !this.matches(node));
      if (node === this.selected) this.outline(context, x, y, wide, ROW);
    }
  }

  colour(node) {
    const all = colours.all();
    if (node.whose === 0) return all.phase[16];
    return node.whose === 2 ? all.phase[1] : all.phase[node.hue];
  }

  matches(node) { return (node.name + " " + node.place).toLowerCase().includes(this.words_); }

  at(x, y) {
    const row = Math.floor((y - 2) / ROW), moment = this.top.left + x / this.width * this.top.total;
    return this.boxes.find((node) => node.row === row && moment >= node.left && moment < node.left + node.total) || null;
  }

  words(node) {
    if (!node) return "";
    return node.name + (node.place ? "\n" + node.place : "") + "\n" + duration(node.total) + " (" + share(node.total, this.total) + ")"
      + (node.own && node.inside.length ? ", " + duration(node.own) + " by itself" : "");
  }

  select(node) {
    this.selected = node;
    this.say(this.words(node).replaceAll("\n", " · "));
    if (node) this.reveal(node.row * ROW);
    this.redraw();
  }

  fill(node) { this.top = node || this.root; this.redraw(); }
  all() { this.fill(this.root); }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    const now = this.selected, beside = now ? now.around.inside : [];
    const acts = {
      ArrowDown: () => this.select(now ? now.inside[0] || now : this.root.inside[0] || null),
      ArrowUp: () => this.select(now && now.around !== this.root ? now.around : now),
      ArrowRight: () => this.select(now ? beside[beside.indexOf(now) + 1] || now : this.root.inside[0] || null),
      ArrowLeft: () => this.select(now ? beside[beside.indexOf(now) - 1] || now : this.root.inside[0] || null),
      Enter: () => this.fill(now), Escape: () => this.all(), Home: () => this.all(),
    };
    if (!acts[event.key]) return false;
    acts[event.key]();
    return true;
  }

  search(words) {
    this.words_ = words;
    this.redraw();
    return words ? this.boxes.filter((node) => this.matches(node)).length : 0;
  }
}

/** Nodes as they are packed, made into a tree; describe(number) gives what a node is. */
function unpacked(packed, describe) {
  const root = { name: "", place: "", inside: [], own: 0, total: 0 }, nodes = [];
  for (let place = 0; place < packed.length; place += 3) {
    const node = { ...describe(packed[place]), own: packed[place + 2], total: 0, inside: [] };
    (packed[place + 1] < 0 ? root : nodes[packed[place + 1]]).inside.push(node);
    node.parent = packed[place + 1];
    nodes.push(node);
  }
  for (let number = nodes.length - 1; number >= 0; number--) {
    const node = nodes[number];
    node.total += node.own;
    (node.parent < 0 ? root : nodes[node.parent]).total += node.total;
  }
  return root;
}

/** A hue for a package, always the same one. */
function hue(name) {
  const hues = [2, 3, 5, 6, 7, 8, 9, 10, 11, 14, 15];
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)) % 9973;
  return hues[sum % hues.length];
}

/** The same tree, neighbouring frames of one library as one box. */
function folded(root) {
  const fold = (nodes, around) => {
    const found = new Map();
    const todo = nodes.slice();
    let own = 0;
    while (todo.length) {
      const node = todo.shift();
      const key = node.whose === 0 ? node.name + "\n" + node.place : node.package;
      if (node.whose !== 0 && key === around) {
        own += node.own;
        todo.unshift(...node.inside);
        continue;
      }
      const group = found.get(key) || { name: node.whose === 0 ? node.name : node.package || node.name, place: node.whose === 0 ? node.place : "",
        whose: node.whose, hue: node.hue, package: node.package, own: 0, members: [] };
      group.own += node.own;
      group.members.push(...node.inside);
      found.set(key, group);
    }
    const inside = [...found.values()].map((group) => {
      const deeper = fold(group.members, group.whose === 0 ? null : group.package);
      const sum = deeper.inside.reduce((total, one) => total + one.total, 0);
      return { ...group, members: undefined, own: group.own + deeper.own, inside: deeper.inside, total: group.own + deeper.own + sum };
    });
    inside.sort((one, two) => (one.whose === 0 ? 0 : 1) - (two.whose === 0 ? 0 : 1) || two.total - one.total);
    return { inside, own };
  };
  return { ...root, inside: fold(root.inside, null).inside };
}

class Flame extends Tree {
  constructor(figure, start, label) {
    super(figure, "Samples, " + label, start.flame.total);
    const frames = start.flame.frames;
    this.whole = unpacked(start.flame.nodes, (number) => ({ name: TEXT[frames[4 * number]], place: TEXT[frames[4 * number + 1]],
      whose: frames[4 * number + 2], package: TEXT[frames[4 * number + 3]], hue: hue(TEXT[frames[4 * number + 3]]) }));
    this.fold(true);
  }

  fold(yes) { this.show(yes ? folded(this.whole) : this.whole); }
}

class Packages extends Tree {
  constructor(figure, start, label) {
    super(figure, "Imports by package, " + label, start.packages.total);
    const root = unpacked(start.packages.nodes, (number) => ({ name: TEXT[number], place: "", whose: 1, hue: 2 }));
    const todo = root.inside.map((node) => [node, "", hue(node.name)]);
    while (todo.length) {
      const [node, around, colour] = todo.pop();
      node.place = around ? around + "." + node.name : "";
      node.hue = colour;
      todo.push(...node.inside.map((one) => [one, around ? around + "." + node.name : node.name, colour]));
    }
    this.show(root);
  }
}
