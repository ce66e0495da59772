/**
 * The hand of drawing: what the pointer does on a panel, with the tool that is chosen.
 * @module
 */
import { edgeAt, toggled } from './join.js';
import { lassoed, placeIn, pointAt, sprayedPlace } from './sketch.js';
/** @import { Editor } from './edit.js' */
/** @import { Panel } from './panel.js' */
/** @import { DrawnPoint, Edit } from './types' */
/**
 * @typedef {{ tool: string, before: DrawnPoint[], trail: [number, number][], sent: number,
 *   moved: boolean, from?: number }} Gesture
 */

const REACH = 14;
const EDGE_REACH = 8;
const FINGER = 1.7;  // times as far a finger reaches between nodes, of which none is added
const SNAP = 6;  // pixels around a row in which a placed centre is that row
const LIVE = 90;  // milliseconds between reports while dragging
const SPRAY_EVERY = 45;  // milliseconds a point

export class Pen {
  /** @type {Gesture | null} */
  gesture = null;

  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
  }

  /** @param {Panel} panel */
  attach(panel) {
    const { canvas } = panel;
    canvas.addEventListener('pointerdown', (event) => {
      const isMine = event.button === 0 && event.isPrimary;
      if (isMine && this.editor.drawsOn(panel)) this.down(event, panel);
    });
    canvas.addEventListener('pointermove', (event) => this.move(event, panel));
    canvas.addEventListener('pointerup', (event) => this.up(event, panel));
    canvas.addEventListener('pointercancel', () => this.cancel());
    canvas.addEventListener('contextmenu', (event) => {
      if (!this.editor.drawsOn(panel)) return;
      event.preventDefault();
      if (!this.gesture) this.erase(event, panel);  // else a finger is held long
    });
  }

  /**
   * Whether an event of a panel is for drawing instead of panning. Two fingers still zoom.
   * @type {(event: MouseEvent & { touches?: TouchList }, panel: Panel) => boolean}
   */
  takes(event, panel) {
    return this.editor.drawsOn(panel) && !(event.touches && event.touches.length > 1);
  }

  /** @param {Panel} panel */
  cursor(panel) {
    return this.editor.drawsOn(panel) ? 'crosshair' : null;
  }

  /**
   * Where a new point goes: a placed centre that is put on a row is that row.
   * @type {(event: MouseEvent, panel: Panel, spec: Edit) => [number, number]}
   */
  target(event, panel, spec) {
    const { view, player: { moment } } = this.editor;
    const mark = spec.classes ? null : view.dataMark;
    const row = mark && panel.nearest(
      event.offsetX, event.offsetY, moment, (other) => other === mark, SNAP,
    );
    return row ? row.values : placeIn(spec, panel.axesOnScreen, event.offsetX, event.offsetY);
  }

  /**
   * The number of the point under the pointer; -1 for none.
   * @type {(event: MouseEvent, panel: Panel) => number}
   */
  at(event, panel) {
    const reach = this.reach(event, REACH);
    return pointAt(this.editor.points, panel.axesOnScreen, event.offsetX, event.offsetY, reach);
  }

  /**
   * The number of the edge under the pointer; -1 for none.
   * @type {(event: MouseEvent, panel: Panel) => number}
   */
  edgeAt(event, { axesOnScreen: axes }) {
    const { edges, points } = this.editor;
    const reach = this.reach(event, EDGE_REACH);
    return edgeAt(edges, points, axes, event.offsetX, event.offsetY, reach);
  }

  /** @type {(event: MouseEvent & { pointerType?: string }, pixels: number) => number} */
  reach(event, pixels) {
    return this.editor.spec?.names && event.pointerType === 'touch' ? FINGER * pixels : pixels;
  }

  /** @type {(event: PointerEvent, panel: Panel) => void} */
  down(event, panel) {
    const { editor } = this;
    const { active: spec, points: before, inHand: tool } = editor;
    if (!spec) return;
    editor.view.focus();
    panel.canvas.setPointerCapture(event.pointerId);
    const index = this.at(event, panel);
    /** @type {Gesture} */
    const gesture = {
      tool, before, trail: [[event.offsetX, event.offsetY]], sent: 0, moved: false,
    };
    this.gesture = gesture;
    if (tool === 'erase') {
      this.gesture = null;
      this.erase(event, panel);
    } else if (tool === 'join') {
      gesture.from = index;
    } else if (tool === 'draw') {
      editor.points = before.map((point) => ({ ...point }));
      editor.chosen = index;
      if (index < 0) this.add(gesture, spec, this.target(event, panel, spec));
    } else if (tool === 'spray') {
      editor.points = before.map((point) => ({ ...point }));
      this.spray(event, panel, gesture, spec);
    }
    editor.view.invalidate();
  }

  /** @type {(gesture: Gesture, spec: Edit, place: [number, number]) => void} */
  add(gesture, { max, classes }, [x, y]) {
    const { points, kind, host } = this.editor;
    if (points.length >= max) {
      host.say(`At most ${max} points can be drawn. Delete some first.`);
      return;
    }
    points.push({ x, y, c: classes ? kind : points.length, row: -1 });
    this.editor.chosen = points.length - 1;
    gesture.moved = true;
  }

  /**
   * Join the point where the pointer came down to that where it is let go, or two that are clicked
   * in turn; an edge that is clicked turns.
   * @type {(event: MouseEvent, panel: Panel, gesture: Gesture, spec: Edit) => void}
   */
  join(event, panel, { from = -1, trail: [[x, y]] }, spec) {
    const { editor, editor: { chosen, edges } } = this;
    const to = this.at(event, panel);
    const isClick = from === to && Math.hypot(event.offsetX - x, event.offsetY - y) < 2 * REACH;
    const start = isClick ? chosen : from;
    editor.chosen = isClick && start < 0 ? to : -1;
    const edge = isClick && to < 0 && spec.directed ? this.edgeAt(event, panel) : -1;
    if (edge >= 0) {
      const [u, v, ...weight] = edges[edge];
      const others = edges.filter(([i, j], k) => k !== edge && (i !== v || j !== u));
      editor.link([...others, [v, u, ...weight]], v, u, spec);
    } else if (to >= 0 && start >= 0 && start !== to) {
      editor.link(toggled(edges, start, to, spec), start, to, spec);
    }
  }

  /**
   * Delete the point under the pointer or, without one, the edge.
   * @type {(event: MouseEvent, panel: Panel) => void}
   */
  erase(event, panel) {
    const { editor, editor: { edges, points } } = this;
    const index = this.at(event, panel);
    const edge = index < 0 ? this.edgeAt(event, panel) : -1;
    if (index >= 0) editor.remove([index]);
    if (edge >= 0) editor.change(points, points, edges.filter((_, i) => i !== edge));
  }

  /** @type {(event: MouseEvent, panel: Panel, gesture: Gesture, spec: Edit) => void} */
  spray(event, panel, gesture, spec) {
    const now = performance.now();
    if (now - gesture.sent < SPRAY_EVERY) return;
    gesture.sent = now;
    const place = sprayedPlace(spec, panel.axesOnScreen, event.offsetX, event.offsetY);
    this.add(gesture, spec, place);
  }

  /** @type {(event: MouseEvent, panel: Panel) => void} */
  move(event, panel) {
    const { gesture, editor, editor: { spec, points, chosen } } = this;
    if (!gesture || !spec) return;
    gesture.trail.push([event.offsetX, event.offsetY]);
    if (gesture.tool === 'spray') this.spray(event, panel, gesture, spec);
    if (gesture.tool === 'draw' && chosen >= 0) {
      const [x, y] = placeIn(spec, panel.axesOnScreen, event.offsetX, event.offsetY);
      const point = points[chosen];
      if (point.x !== x || point.y !== y) {
        Object.assign(point, { x, y });
        gesture.moved = true;
        editor.pending = true;
        editor.override();
        if (performance.now() - gesture.sent > LIVE) {
          gesture.sent = performance.now();
          editor.send();
        }
      }
    }
    editor.view.invalidate();
  }

  /** @type {(event: MouseEvent, panel: Panel) => void} */
  up(event, panel) {
    const { gesture, editor, editor: { spec } } = this;
    if (!gesture || !spec) return;
    this.gesture = null;
    if (gesture.tool === 'lasso') this.lasso(gesture.trail, panel);
    else if (gesture.tool === 'join') this.join(event, panel, gesture, spec);
    else if (gesture.moved) editor.change(editor.points, gesture.before);
    else editor.points = gesture.before;
    editor.load(editor.spec);
    editor.view.invalidate();
  }

  cancel() {
    const { gesture, editor } = this;
    if (!gesture) return;
    this.gesture = null;
    editor.points = gesture.before;
    if (gesture.moved) editor.send();
    editor.load(editor.spec);
    editor.view.invalidate();
  }

  /** @type {(trail: [number, number][], panel: Panel) => void} */
  lasso(trail, panel) {
    const gone = lassoed(trail, this.editor.points, panel.axesOnScreen);
    if (gone.length) this.editor.remove(gone);
  }
}
