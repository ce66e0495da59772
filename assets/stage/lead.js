/**
 * Marks that lead: dragged, they choose the frame in which they are nearest to the pointer. The
 * frames are all here, so the picture follows at once, in a saved page too.
 * @module
 */
/** @import { Panel } from './panel.js' */
/** @import { Player } from './player.js' */
/** @import { View } from './view.js' */
/** @import { Mark, Points } from './types' */

const REACH = 14;  // pixels around a mark in which it answers the pointer

export class Leads {
  /** @type {Points[]} */
  marks = [];
  /** @type {{ mark: Points, panel: Panel } | null} */
  dragged = null;

  /**
   * @param {Pick<View, 'focus'>} view
   * @param {Pick<Player, 'frame' | 'frames' | 'still' | 'go' | 'pause'>} player
   */
  constructor(view, player) {
    this.view = view;
    this.player = player;
  }

  /** @param {Mark[]} marks */
  load(marks) {
    this.marks = marks.filter((mark) => mark.kind === 'Points').filter((mark) => mark.leads);
    this.dragged = null;
  }

  /** @param {Panel} panel */
  attach(panel) {
    const { canvas } = panel;
    canvas.addEventListener('pointerdown', (event) => {
      const mark = event.button === 0 && event.isPrimary ? this.at(event, panel) : null;
      if (!mark) return;
      event.stopImmediatePropagation();
      canvas.setPointerCapture(event.pointerId);
      this.view.focus();
      this.player.pause();
      this.dragged = { mark, panel };
    }, { capture: true });
    canvas.addEventListener('pointermove', (event) => {
      if (this.dragged?.panel === panel) this.follow(event, this.dragged);
    });
    const end = () => { this.dragged = null; };
    canvas.addEventListener('pointerup', end);
    canvas.addEventListener('pointercancel', end);
  }

  /**
   * The leading mark of a panel under the pointer.
   * @type {(event: MouseEvent, panel: Panel) => Points | null}
   */
  at(event, panel) {
    if (!panel.axes || event.offsetX === undefined || this.player.still) return null;
    const { frame } = this.player;
    return this.marks.find((mark) => mark.panel === panel.spec.name
      && this.distance(mark, frame, event, panel) < REACH) ?? null;
  }

  /** @type {(event: MouseEvent, panel: Panel) => boolean} */
  takes(event, panel) {
    return Boolean(this.dragged) || Boolean(this.at(event, panel));
  }

  /**
   * How far a mark is from the pointer in a frame; along the other axis alone, if it is a line
   * there.
   * @type {(mark: Points, frame: number, event: MouseEvent, panel: Panel) => number}
   */
  distance(mark, frame, { offsetX, offsetY }, { axesOnScreen: { x, y } }) {
    const moment = { frame, from: frame, t: 1 };
    const [[left], [top]] = [mark.get('x', moment), mark.get('y', moment)];
    if (left === undefined) return Infinity;
    return mark.leads === 'x' ? Math.abs(x(left) - offsetX)
      : Math.hypot(x(left) - offsetX, y(top) - offsetY);
  }

  /** @type {(event: MouseEvent, dragged: { mark: Points, panel: Panel }) => void} */
  follow(event, { mark, panel }) {
    const frames = [...Array(this.player.frames).keys()];
    const away = frames.map((frame) => this.distance(mark, frame, event, panel));
    const least = Math.min(...away);
    if (least < Infinity) this.player.go(away.indexOf(least));
  }
}
