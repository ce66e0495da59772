/**
 * Grids: cells on the picture that are switched on and off, by a click, by dragging over them, or
 * by keys: D begins, arrows move, space switches, Escape ends. The cells belong to Python; what is
 * on its way back is older and waits.
 * @module
 */
/** @import { Panel } from './panel.js' */
/** @import { View } from './view.js' */
/** @import { Axes, Context, Grid, Moves, Theme } from './types' */
/**
 * A grid whose cells may be ahead of those that Python knows.
 * @typedef {Omit<Grid, 'cells'> & { cells: number[] }} Drawn
 */

/** @type {Record<string, [down: number, right: number]>} */
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class Grids {
  /** @type {Drawn[]} */
  all = [];
  /**
   * Cells that are switched to a value while the pointer moves.
   * @type {{ spec: Drawn, panel: Panel, value: number } | null}
   */
  stroke = null;
  /** @type {{ name: string, cell: number } | null} */
  cursor = null;

  /**
   * @param {Pick<View, 'focus' | 'invalidate'>} view
   * @param {Moves} link
   * @param {(text: string) => void} say
   */
  constructor(view, link, say) {
    this.view = view;
    this.link = link;
    this.say = say;
  }

  /**
   * Take over what Python says; `held` says of which grid later cells are on their way.
   * @type {(specs: Grid[], held: (name: string) => boolean) => void}
   */
  load(specs, held) {
    this.all = specs.map((spec) => {
      const old = this.all.find(({ name }) => name === spec.name);
      const ahead = this.stroke || held(spec.name);
      const mine = ahead && old?.cells.length === spec.cells.length;
      return { ...spec, cells: mine ? old.cells : [...spec.cells].map(Number) };
    });
    const { stroke, cursor } = this;
    const stroked = stroke && this.all.find(({ name }) => name === stroke.spec.name);
    this.stroke = stroke && stroked ? { ...stroke, spec: stroked } : null;
    const on = cursor && this.all.some(({ name, cells }) => (
      name === cursor.name && cursor.cell < cells.length));
    if (!on) this.cursor = null;
  }

  /** @param {Panel} panel */
  attach(panel) {
    const { canvas } = panel;
    canvas.addEventListener('pointerdown', (event) => {
      const found = event.button === 0 && event.isPrimary ? this.at(event, panel) : null;
      if (!found) return;
      event.stopImmediatePropagation();
      canvas.setPointerCapture(event.pointerId);
      this.view.focus();
      const value = 1 - found.spec.cells[found.cell];
      this.stroke = { spec: found.spec, panel, value };
      this.put(found.spec, found.cell, value);
    }, { capture: true });
    canvas.addEventListener('pointermove', (event) => {
      const { stroke } = this;
      const found = stroke?.panel === panel ? this.at(event, panel) : null;
      if (found && found.spec === stroke?.spec) this.put(found.spec, found.cell, stroke.value);
    });
    canvas.addEventListener('pointerup', () => this.end(panel));
    canvas.addEventListener('pointercancel', () => this.end(panel));
  }

  /** @param {Panel} panel */
  end(panel) {
    if (this.stroke?.panel !== panel) return;
    const { spec } = this.stroke;
    this.stroke = null;
    this.tell(spec);
  }

  /**
   * The cell under a pointer.
   * @type {(event: MouseEvent, panel: Panel) => { spec: Drawn, cell: number } | null}
   */
  at(event, panel) {
    if (!this.link.movable || !panel.axes || event.offsetX === undefined) return null;
    const { x, y } = panel.axes;
    const [across, up] = [x.invert(event.offsetX), y.invert(event.offsetY)];
    for (const spec of this.all.filter((each) => each.panel === panel.spec.name)) {
      const { places, height, width } = spec;
      const grid = places.findIndex(([left, top]) => across >= left && across < left + width
        && up <= top && up > top - height);
      if (grid < 0) continue;
      const [left, top] = places[grid];
      const inside = Math.floor(top - up) * width + Math.floor(across - left);
      return { spec, cell: grid * height * width + inside };
    }
    return null;
  }

  /** @type {(spec: Drawn, cell: number, value: number) => void} */
  put(spec, cell, value) {
    if (spec.cells[cell] === value) return;
    spec.cells[cell] = value;
    if (spec.live) this.tell(spec);
    this.view.invalidate();
  }

  /** @param {Drawn} spec */
  tell(spec) {
    this.link.move({ name: spec.name, cells: spec.cells.join('') }, spec.live);
  }

  /** Handle a key; true if it was for drawing. @param {KeyboardEvent} event */
  key(event) {
    if (!this.all.length || !this.link.movable) return false;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const begins = event.key.toLowerCase() === 'd';
    const { cursor } = this;
    if (!cursor) {
      if (!begins) return false;
      this.cursor = { name: this.all[0].name, cell: 0 };
    } else if (begins || event.key === 'Escape') this.cursor = null;
    else if (ARROWS[event.key]) this.step(cursor, ...ARROWS[event.key]);
    else if (event.key === ' ' || event.key === 'Enter') {
      const spec = this.all[this.numberOf(cursor.name)];
      this.put(spec, cursor.cell, 1 - spec.cells[cursor.cell]);
      if (!spec.live) this.tell(spec);
    } else return false;
    if (this.cursor) this.describe(this.cursor);
    this.view.invalidate();
    return true;
  }

  /** @param {string} name */
  numberOf(name) {
    return this.all.findIndex((spec) => spec.name === name);
  }

  /**
   * Move the cursor by a cell; beyond the left and right edge is the grid before and after.
   * @type {(cursor: { name: string, cell: number }, down: number, right: number) => void}
   */
  step(cursor, down, right) {
    const at = this.numberOf(cursor.name);
    const { height, width, cells } = this.all[at];
    const column = (cursor.cell % width) + right;
    if (column >= 0 && column < width) {
      const cell = cursor.cell + down * width + right;
      const grid = Math.floor(cursor.cell / (height * width));
      if (Math.floor(cell / (height * width)) === grid && cell >= 0) cursor.cell = cell;
      return;
    }
    const cell = cursor.cell + right * (height * width - width + 1);  // as high, in the next grid
    if (cell >= 0 && cell < cells.length) cursor.cell = cell;
    else {
      const next = this.all[(at + right + this.all.length) % this.all.length];
      const last = next.cells.length - next.height * next.width;
      this.cursor = { name: next.name, cell: right > 0 ? 0 : last };
    }
  }

  /** Say where the cursor is. @param {{ name: string, cell: number }} cursor */
  describe(cursor) {
    const spec = this.all[this.numberOf(cursor.name)];
    const inside = cursor.cell % (spec.height * spec.width);
    const [row, column] = [Math.floor(inside / spec.width) + 1, (inside % spec.width) + 1];
    const state = spec.cells[cursor.cell] ? 'on' : 'off';
    this.say(`${spec.label}: row ${row}, column ${column} is ${state}. `
      + 'Arrows move, space switches, Escape ends drawing.');
  }

  /**
   * Show what was switched and has not come back, and the cursor.
   * @type {(g: Context, axes: Axes, panel: Panel, theme: Theme) => void}
   */
  draw(g, { x, y }, panel, theme) {
    for (const spec of this.all.filter((each) => each.panel === panel.spec.name)) {
      /** @type {(cell: number) => [number, number, number, number]} */
      const box = (cell) => {
        const { places, height, width } = spec;
        const [left, top] = places[Math.floor(cell / (height * width))];
        const inside = cell % (height * width);
        const [across, up] = [left + (inside % width), top - Math.floor(inside / width)];
        return [x(across), y(up), x(across + 1) - x(across), y(up - 1) - y(up)];
      };
      const { accent, background } = theme;
      if (this.stroke?.spec === spec || this.link.holds(spec.name)) {
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
        const rims = /** @type {const} */ ([[background, 5], [theme.ink, 2.5]]);
        for (const [color, width] of rims) {
          g.strokeStyle = color;
          g.lineWidth = width * theme.scale;
          g.strokeRect(...box(this.cursor.cell));
        }
      }
    }
  }
}
