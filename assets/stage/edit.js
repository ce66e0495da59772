/**
 * Drawing: add, drag, join, relabel, delete, lasso-delete, spray and clear points, with undo and
 * redo. Where points have names they stand, and the edges between them are drawn.
 *
 * The points belong to Python. Every change is reported with a growing number; what comes back with
 * an older number is on its way and ignored. Until the answer is there, the marks of the scene are
 * shown at the drawn positions.
 * @module
 */
import { EditBar, toolsOf } from './editbar.js';
import { History } from './history.js';
import { apart, cycleOf, left } from './join.js';
import { Pen } from './pen.js';
import { drawEdges, drawLoop, drawNodes, drawPoints, drawRing, positionsOf } from './sketch.js';
/** @import { Panel } from './panel.js' */
/** @import { Gesture } from './pen.js' */
/** @import { Player } from './player.js' */
/** @import { View } from './view.js' */
/** @import { Context, DrawnPoint, Edge, Edit, Places, Theme } from './types' */
/** @typedef {{ points: DrawnPoint[], edges: Edge[] }} Drawing */

export class Editor {
  on = false;
  tool = 'draw';
  /** The class of new points. */
  kind = 0;
  /** What can be drawn, and what Python knows of it. @type {Edit | null} */
  spec = null;
  base = '';
  rev = 0;
  /** Whether Python does not know yet what is drawn. */
  pending = false;
  /** @type {DrawnPoint[]} */
  points = [];
  /** @type {Edge[]} */
  edges = [];
  /** The number of the point that is touched; -1 for none. */
  chosen = -1;
  /** @type {History<Drawing>} */
  history = new History();
  pen = new Pen(this);

  /**
   * @param {HTMLElement} toolbar
   * @param {Pick<View, 'root' | 'theme' | 'marks' | 'dataMark' | 'focus' | 'invalidate'>} view
   * @param {Pick<Player, 'moment'>} player
   * @param {{ say: (text: string) => void, edited: (change: object) => void }} host
   */
  constructor(toolbar, view, player, host) {
    this.view = view;
    this.player = player;
    this.host = host;
    this.bar = new EditBar(toolbar, (name) => this.act(name));
  }

  /** What is drawn on now. */
  get active() {
    return this.on ? this.spec : null;
  }

  /** The tool in hand: of those that this drawing has. */
  get inHand() {
    const tools = this.spec ? toolsOf(this.spec) : [];
    return tools.includes(this.tool) ? this.tool : tools[0] ?? 'draw';
  }

  /** Whether a panel is drawn on now. @param {Panel} panel */
  drawsOn(panel) {
    return this.active?.panel === panel.spec.name;
  }

  /** Take over what Python says, unless it answers an older change. @param {Edit | null} spec */
  load(spec) {
    this.spec = spec;
    if (!spec) {
      this.bar.hide();
      return;
    }
    const fresh = spec.base !== this.base;
    if (fresh) {
      const { base, rev, open } = spec;
      Object.assign(this, { base, rev, chosen: -1, on: Boolean(open), history: new History() });
    }
    // An answer to the change before must not take a point away from under the pointer.
    if (fresh || (!this.pen.gesture && spec.rev >= this.rev)) {
      this.rev = spec.rev;
      this.points = spec.points.map(([x, y, c], row) => ({ x, y, c, row }));
      this.edges = spec.edges ?? [];
      this.pending = false;
    }
    this.override();
    this.showBar(spec);
  }

  /** @param {Edit} spec */
  showBar(spec) {
    const { on, inHand: tool, kind, possible, view: { root, theme } } = this;
    root.classList.toggle('dm-drawing', on);
    this.bar.show(spec, { on, tool, kind, possible, theme });
  }

  /** How much each button has to do. */
  get possible() {
    const { points, spec, history: { past, future } } = this;
    const drawn = spec?.names ? points.filter(({ c }) => c) : points;
    return { undo: past.length, redo: future.length, clear: drawn.length };
  }

  /** @param {string} name */
  act(name) {
    const [verb, value] = name.split(':');
    /** @type {Record<string, () => void>} */
    const acts = {
      toggle: () => Object.assign(this, { on: !this.on, chosen: -1 }),
      tool: () => Object.assign(this, { tool: value, chosen: -1 }),
      class: () => this.relabel(Number(value)),
      undo: () => this.travel(this.history.undo(this.drawing)),
      redo: () => this.travel(this.history.redo(this.drawing)),
      clear: () => this.remove(this.points.keys()),
    };
    acts[verb]();
    if (this.spec) this.showBar(this.spec);
    this.view.invalidate();
  }

  /** @param {number} kind */
  relabel(kind) {
    this.kind = kind;
    const { chosen } = this;
    if (!this.points[chosen] || this.points[chosen].c === kind) return;
    this.change(this.points.map((point, i) => (i === chosen ? { ...point, c: kind } : point)));
  }

  /** All that is undone. @returns {Drawing} */
  get drawing() {
    return { points: this.points, edges: this.edges };
  }

  /** Go to another drawing, if there is one. @param {Drawing | undefined} drawing */
  travel(drawing) {
    if (!drawing) return;
    this.points = drawing.points.map((point) => ({ ...point, row: -1 }));
    this.edges = drawing.edges;
    this.chosen = -1;
    this.send();
  }

  /**
   * Replace points and edges, remembering the old ones.
   * @type {(points: DrawnPoint[], before?: DrawnPoint[], edges?: Edge[]) => void}
   */
  change(points, before = this.points, edges = this.edges) {
    this.history.keep({ points: before.map((point) => ({ ...point })), edges: this.edges });
    Object.assign(this, { points, edges });
    if (this.chosen >= points.length) this.chosen = -1;
    this.send();
  }

  send() {
    this.rev += 1;
    this.pending = true;
    this.override();
    this.bar.enable(this.possible);
    const { base, rev, spec } = this;
    const points = this.points.map(({ x, y, c }) => [x, y, c]);
    const edges = spec?.edges && { edges: this.edges };
    const network = spec?.names && { names: spec.names, target: spec.target };
    this.host.edited({ rev, base, points, ...edges, ...network });
    this.view.invalidate();
  }

  /** Let the scene's own marks follow the drawing until the new scene comes. */
  override() {
    const mark = this.view.dataMark;
    if (!mark || !this.spec?.classes) return;
    delete mark.override;
    if (this.pending) mark.override = positionsOf(mark, this.points);
  }

  /**
   * Take over edges of which one between two points is new, unless they are refused.
   * @type {(edges: Edge[], from: number, to: number, spec: Edit) => void}
   */
  link(edges, from, to, { acyclic, names, max }) {
    const cycle = acyclic ? cycleOf(edges, [from, to]) : [];
    if (names && cycle.length) {
      this.host.say(`This edge would close a cycle: ${cycle.map((i) => names[i]).join(' → ')}. `
        + 'Turn or remove one of the others first.');
    } else if (names && edges.length > Math.max(max, this.edges.length)) {
      this.host.say(`At most ${max} edges can be drawn. Remove some first.`);
    } else {
      const points = this.points.map((point, i) => (
        names && (i === from || i === to) ? { ...point, c: 1 } : point));
      this.change(points, this.points, edges);
    }
  }

  /** @param {Iterable<number>} indices */
  remove(indices) {
    const gone = new Set(indices);
    this.chosen = -1;
    if (this.spec?.names) {
      const points = this.points.map((point, i) => (gone.has(i) ? { ...point, c: 0 } : point));
      this.change(points, this.points, apart(this.edges, gone));
      return;
    }
    const stay = this.points.filter((_, i) => !gone.has(i));
    const points = this.spec?.classes ? stay : stay.map((point, c) => ({ ...point, c }));
    this.change(points, this.points, left(this.edges, gone));
  }

  /** Handle a key; true if it was one of the editor's. @param {KeyboardEvent} event */
  key(event) {
    const { active } = this;
    if (!active || event.target instanceof HTMLSelectElement) return false;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && key === 'z') this.act(event.shiftKey ? 'redo' : 'undo');
    else if (command && key === 'y') this.act('redo');
    else if (command) return false;
    else if (this.chosen >= 0 && (key === 'delete' || key === 'backspace')) {
      this.remove([this.chosen]);
    } else if (this.chosen >= 0 && key === 'escape') this.chosen = -1;
    else if (/^[1-9]$/.test(key) && Number(key) <= (active.classes?.length ?? 0)) {
      this.act(`class:${Number(key) - 1}`);
    } else return false;
    this.view.invalidate();
    return true;
  }

  // Picture ---------------------------------------------------------------------------------------

  /** @type {(g: Context, places: Places, panel: Panel, theme: Theme) => void} */
  draw(g, places, panel, theme) {
    const { spec, points, edges, pen: { gesture } } = this;
    if (!spec || panel.spec.name !== spec.panel) return;
    const isBare = !this.view.marks.some((mark) => mark.panel === spec.panel);
    if (this.pending || isBare) drawEdges(g, places, points, edges, spec.directed, theme);
    if (gesture?.tool === 'join') this.drawJoin(g, places, gesture, spec, theme);
    if (spec.names) this.drawNetwork(g, places, spec, isBare, theme);
    else this.drawLoose(g, places, spec, theme);
    if (gesture?.tool === 'lasso') drawLoop(g, gesture.trail, theme);
  }

  /**
   * Draw the edge that comes when the pointer is let go.
   * @type {(g: Context, places: Places, gesture: Gesture, spec: Edit, theme: Theme) => void}
   */
  drawJoin(g, places, { from = -1, trail }, { directed }, theme) {
    if (from < 0 || trail.length < 2) return;
    const [px, py] = trail[trail.length - 1];
    const tip = { x: places.x.invert(px), y: places.y.invert(py) };
    drawEdges(g, places, [this.points[from], tip], [[0, 1]], directed, theme);
    drawRing(g, places, this.points[from], theme);
  }

  /**
   * Draw the nodes that the picture does not have.
   * @type {(g: Context, places: Places, spec: Edit, isBare: boolean, theme: Theme) => void}
   */
  drawNetwork(g, places, { points: pictured, names = [] }, isBare, theme) {
    const { points, chosen } = this;
    const isLoose = points.map((_, i) => isBare || !pictured[i][2]);
    if (this.active || this.pending || isBare) drawNodes(g, places, points, names, isLoose, theme);
    if (points[chosen]) drawRing(g, places, points[chosen], theme);
  }

  /**
   * Draw the points that the picture does not have.
   * @type {(g: Context, places: Places, spec: Edit, theme: Theme) => void}
   */
  drawLoose(g, places, spec, theme) {
    const centres = !spec.classes;
    const { active, view: { dataMark } } = this;
    const loose = this.points.filter((point, i) => (centres ? active
      : !dataMark || (this.pending && point.row < 0) || (active && i === this.chosen)));
    drawPoints(g, places, loose, centres, theme);
  }
}
