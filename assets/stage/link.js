/**
 * The link to the server: what the stage reports of the reader, and what Python knows already.
 * @module
 */
import { onReturn } from './page.js';
import { Talk } from './talk.js';
/** @import { Message, Moves, Report } from './types' */

const REST = 350;  // milliseconds without a new picture before a finer one is asked for
const LATER = 8000;  // and until it is asked for again, of a server that was busy

/** @implements {Moves} */
export class Link {
  /**
   * What Python knows is not sent again.
   * @type {{ frame?: number | null, selected?: number | null }}
   */
  known = {};
  /** @type {number | undefined} */
  resting;

  /**
   * @param {Report} report
   * @param {Pick<Talk['host'], 'show' | 'at'>
   *   & { say: (name: string, value: boolean) => void }} host
   *   `say` hears whether the stage is `busy` and whether something is `unsaid` (talk.js)
   */
  constructor(report, { show, at, say }) {
    this.report = report;
    this.talk = new Talk({
      show,
      at,
      tell: (kind, message) => this.report[kind]?.(message),
      busy: (busy) => {
        if (busy) clearTimeout(this.resting);  // nothing rests
        say('busy', busy);
      },
      unsaid: (unsaid) => say('unsaid', unsaid),
    });
    // What was said while the server was away is lost, unless something is said again.
    this.leave = onReturn(() => this.report.rest?.());
  }

  /** Whether anybody takes values of controls. */
  get changeable() {
    return Boolean(this.report.changed);
  }

  /** Whether anybody takes values of handles. */
  get movable() {
    return Boolean(this.report.moved);
  }

  /** @type {(message: Message, moves: boolean, near?: Message[]) => void} */
  change(message, moves, near) {
    this.talk.say('changed', message, moves, near);
  }

  /** @type {(message: Message, moves: boolean) => void} */
  move(message, moves) {
    this.talk.say('moved', message, moves);
  }

  /** Whether a later value of a handle is on its way. @param {string} name */
  holds(name) {
    return this.talk.holds(name);
  }

  /** @param {number} frame */
  position(frame) {
    if (this.known.frame === frame) return;
    this.known.frame = frame;
    this.report.frame?.(frame);
  }

  /** @param {number | null} row */
  select(row) {
    if (this.known.selected === row) return;
    this.known.selected = row;
    this.report.selected?.(row);
  }

  /** Ask for a finer picture when nothing has moved for a moment. @param {boolean} draft */
  rest(draft) {
    clearTimeout(this.resting);
    const ask = () => {
      if (!this.report.rest) return;
      this.report.rest();
      this.resting = setTimeout(ask, LATER);
    };
    if (draft) this.resting = setTimeout(ask, REST);
  }

  end() {
    clearTimeout(this.resting);
    this.talk.end();
    this.leave();
  }
}
