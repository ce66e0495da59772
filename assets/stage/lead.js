/**
 * Marks that lead: dragged, they choose the frame in which they are nearest to the pointer. The frames are all here, so
 * the picture follows at once, in a saved page too.
 * @module
 */
const REACH = 14;  // pixels around a mark in which it answers the pointer

export class Leads {
  constructor(stage) {
    Object.assign(this, { stage, marks: [], dragged: null });
  }

  load(marks) {
    this.marks = marks.filter((mark) => mark.leads);
    this.dragged = null;
  }

  attach(panel) {
    const { canvas } = panel;
    canvas.addEventListener('pointerdown', (event) => {
      const mark = event.button === 0 && event.isPrimary ? this.at(event, panel) : null;
      if (!mark) return;
      event.stopImmediatePropagation();
      canvas.setPointerCapture(event.pointerId);
      this.stage.root.focus({ preventScroll: true });
      this.stage.player.pause();
      this.dragged = { mark, panel };
    }, { capture: true });
    canvas.addEventListener('pointermove', (event) => { if (this.dragged?.panel === panel) this.follow(event); });
    for (const type of ['pointerup', 'pointercancel']) canvas.addEventListener(type, () => { this.dragged = null; });
  }

  /** The leading mark of a panel under the pointer. */
  at(event, panel) {
    if (!panel.axesOnScreen || event.offsetX === undefined || this.stage.player.still) return null;
    return this.marks.find((mark) => mark.panel === panel.spec.name && this.distance(mark, this.stage.player.frame, event, panel) < REACH);
  }

  takes(event, panel) {
    return Boolean(this.dragged) || Boolean(this.at(event, panel));
  }

  /** How far a mark is from the pointer in a frame; along the other axis alone, if it is a line there. */
  distance(mark, frame, { offsetX, offsetY }, { axesOnScreen: { x, y } }) {
    const moment = { frame, from: frame, t: 1 };
    const [[left], [top]] = [mark.get('x', moment), mark.get('y', moment)];
    if (left === undefined) return Infinity;
    return mark.leads === 'x' ? Math.abs(x(left) - offsetX) : Math.hypot(x(left) - offsetX, y(top) - offsetY);
  }

  follow(event) {
    const { mark, panel } = this.dragged;
    const frames = [...Array(this.stage.player.frames).keys()];
    const away = frames.map((frame) => this.distance(mark, frame, event, panel));
    const least = Math.min(...away);
    if (least < Infinity) this.stage.player.go(away.indexOf(least));
  }
}
