/**
 * Grids: cells on the picture that are switched on and off, by a click, by dragging over them, or by keys: D begins,
 * arrows move, space switches, Escape ends. The cells belong to Python; what is on its way back is older and waits.
 * @module
 */
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class Grids {
  constructor(stage) {
    Object.assign(this, { stage, all: [], stroke: null, cursor: null });
  }

  /** Take over what Python says; `held` says of which grid later cells are on their way. */
  load(specs, held) {
    this.all = specs.map((spec) => {
      const old = this.all.find(({ name }) => name === spec.name);
      const mine = old && old.cells.length === spec.cells.length && (this.stroke || held(spec.name));
      return { ...spec, cells: mine ? old.cells : [...spec.cells].map(Number) };
    });
    if (this.stroke) this.stroke.spec = this.all.find(({ name }) => name === this.stroke.spec.name);
    if (!this.stroke?.spec) this.stroke = null;
    if (!this.on(this.cursor)) this.cursor = null;
  }

  /** Whether a place of the cursor is on a grid. */
  on(cursor) {
    return cursor && this.all.some(({ name, cells }) => name === cursor.name && cursor.cell < cells.length);
  }

  attach(panel) {
    const { canvas } = panel;
    canvas.addEventListener('pointerdown', (event) => {
      const found = event.button === 0 && event.isPrimary ? this.at(event, panel) : null;
      if (!found) return;
      event.stopImmediatePropagation();
      canvas.setPointerCapture(event.pointerId);
      this.stage.root.focus({ preventScroll: true });
      const value = 1 - found.spec.cells[found.cell];
      this.stroke = { spec: found.spec, panel, value };
      this.put(found.spec, found.cell, value);
    }, { capture: true });
    canvas.addEventListener('pointermove', (event) => {
      const found = this.stroke?.panel === panel ? this.at(event, panel) : null;
      if (found && found.spec === this.stroke.spec) this.put(found.spec, found.cell, this.stroke.value);
    });
    for (const type of ['pointerup', 'pointercancel']) canvas.addEventListener(type, () => this.end(panel));
  }

  end(panel) {
    if (this.stroke?.panel !== panel) return;
    const { spec } = this.stroke;
    this.stroke = null;
    this.tell(spec);
  }

  /** The cell under a pointer: { spec, cell } or null. */
  at(event, panel) {
    if (!this.stage.report.moved || !panel.axesOnScreen || event.offsetX === undefined) return null;
    const { x, y } = panel.axesOnScreen;
    const [across, up] = [x.invert(event.offsetX), y.invert(event.offsetY)];
    for (const spec of this.all.filter((each) => each.panel === panel.spec.name)) {
      const { places, height, width } = spec;
      const grid = places.findIndex(([left, top]) => across >= left && across < left + width && up <= top && up > top - height);
      if (grid < 0) continue;
      const [left, top] = places[grid];
      return { spec, cell: grid * height * width + Math.floor(top - up) * width + Math.floor(across - left) };
    }
    return null;
  }

  put(spec, cell, value) {
    if (spec.cells[cell] === value) return;
    spec.cells[cell] = value;
    if (spec.live) this.tell(spec);
    this.stage.invalidate();
  }

  tell(spec) {
    this.stage.talk.say('moved', { name: spec.name, cells: spec.cells.join('') }, spec.live);
  }

  /** Handle a key; true if it was for drawing. */
  key(event) {
    if (!this.all.length || !this.stage.report.moved || event.ctrlKey || event.metaKey || event.altKey) return false;
    const begins = event.key.toLowerCase() === 'd';
    if (!this.cursor) {
      if (!begins) return false;
      this.cursor = { name: this.all[0].name, cell: 0 };
    } else if (begins || event.key === 'Escape') this.cursor = null;
    else if (ARROWS[event.key]) this.step(...ARROWS[event.key]);
    else if (event.key === ' ' || event.key === 'Enter') {
      const spec = this.all.find(({ name }) => name === this.cursor.name);
      this.put(spec, this.cursor.cell, 1 - spec.cells[this.cursor.cell]);
      if (!spec.live) this.tell(spec);
    } else return false;
    this.say();
    this.stage.invalidate();
    return true;
  }

  /** Move the cursor by a cell; beyond the left and right edge is the grid before and after. */
  step(down, right) {
    const at = this.all.findIndex(({ name }) => name === this.cursor.name);
    const { height, width, cells } = this.all[at];
    const column = (this.cursor.cell % width) + right;
    if (column >= 0 && column < width) {
      const cell = this.cursor.cell + down * width + right;
      const grid = Math.floor(this.cursor.cell / (height * width));
      if (Math.floor(cell / (height * width)) === grid && cell >= 0) this.cursor.cell = cell;
      return;
    }
    const cell = this.cursor.cell + right * (height * width - width + 1);  // as high, in the next grid
    if (cell >= 0 && cell < cells.length) this.cursor.cell = cell;
    else {
      const next = this.all[(at + right + this.all.length) % this.all.length];
      this.cursor = { name: next.name, cell: right > 0 ? 0 : next.cells.length - next.height * next.width };
    }
  }

  say() {
    if (!this.cursor) return;
    const spec = this.all.find(({ name }) => name === this.cursor.name);
    const inside = this.cursor.cell % (spec.height * spec.width);
    const [row, column] = [Math.floor(inside / spec.width) + 1, (inside % spec.width) + 1];
    const state = spec.cells[this.cursor.cell] ? 'on' : 'off';
    this.stage.caption.textContent = `${spec.label}: row ${row}, column ${column} is ${state}. Arrows move, space switches, Escape ends drawing.`;
  }

  /** Show what was switched and has not come back, and the cursor. */
  draw(g, { x, y }, panel, theme) {
    for (const spec of this.all.filter((each) => each.panel === panel.spec.name)) {
      const box = (cell) => {
        const { places, height, width } = spec;
        const [left, top] = places[Math.floor(cell / (height * width))];
        const inside = cell % (height * width);
        const [across, up] = [left + (inside % width), top - Math.floor(inside / width)];
        return [x(across), y(up), x(across + 1) - x(across), y(up - 1) - y(up)];
      };
      const { accent, background } = theme;
      if (this.stroke?.spec === spec || this.stage.talk.holds(spec.name)) {
        spec.cells.forEach((value, cell) => {
          g.fillStyle = background;
          g.fillRect(...box(cell));
          g.globalAlpha = value ? 1 : 0.07;
          g.fillStyle = accent;
          g.fillRect(...box(cell));
          g.globalAlpha = 1;
        });
      }
      if (this.cursor?.name === spec.name) {
        for (const [color, width] of [[background, 5], [theme.ink, 2.5]]) {
          g.strokeStyle = color;
          g.lineWidth = width * theme.scale;
          g.strokeRect(...box(this.cursor.cell));
        }
      }
    }
  }
}
