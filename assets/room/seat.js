/**
 * The stage of a phone: it shows what the teacher's shows, at the teacher's step, and takes votes.
 * A round of practice has one of its own.
 * @module
 */
import { Quiz } from '../stage/quiz.js';
import { Stage } from '../stage/stage.js';
import { Ballot } from './ballot.js';
/** @import { Answered } from '../stage/types' */

export class Seat extends Stage {
  /**
   * @param {HTMLElement} root
   * @param {Ballot['host']} host
   */
  constructor(root, host) {
    super(root, {}, false);
    root.setAttribute('aria-label', 'The picture of the class');
    this.ballot = new Ballot(root, this.player, this.view, host);
    this.quiz = this.ballot;
  }

  /** What is the teacher's to move and to ask stays there. @param {Uint8Array} bytes */
  read(bytes) {
    const scene = super.read(bytes);
    return {
      ...scene, controls: [], handles: [], edit: null, quiz: null, asks: false, frame: undefined,
      projector: false, selectable: false, draft: false,
    };
  }

  /** The teacher makes the steps. @param {KeyboardEvent} event */
  key(event) {
    if (!this.scene) return;
    if (!this.quiz.key(event) && !this.readout.key(event) && !this.viewKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** A round of questions, of which each answer is told. */
class Round extends Quiz {
  /** @type {(answers: (Answered | undefined)[]) => void} */
  report = () => {};

  commit() {
    super.commit();
    this.report(this.answers);
  }

  skip() {
    super.skip();
    this.report(this.answers);
  }
}

/** A stage on which a round is practised. */
export class PracticeStage extends Stage {
  /**
   * @param {HTMLElement} root
   * @param {(answers: (Answered | undefined)[]) => void} report
   */
  constructor(root, report) {
    super(root, {}, false);
    const round = new Round(root, this.player, this.view, () => {}, () => false);
    round.report = report;
    this.quiz = round;
  }
}
