/**
 * A question of the teacher's on a phone: the stage's own, whose answer is a vote. What is right is
 * known only when the teacher reveals it.
 * @module
 */
import { judge } from '../stage/answers.js';
import { button } from '../stage/inputs.js';
import { Quiz } from '../stage/quiz.js';
import { cloud, labelOf, tally } from './bars.js';
/** @import { Player } from '../stage/player.js' */
/** @import { Answer, Given, Layer, Question } from '../stage/types' */
/** @import { View } from '../stage/view.js' */
/** @import { Asked } from './types' */

const SENT = 'Your answer has arrived. You can change it until the votes are shown.';
const LATE = 'The time is up.';
const COUNTED = 'The votes are shown. Discuss your answer with your neighbours.';
const MISSED = 'You gave no answer to this question.';

/**
 * A question as the stage asks it, in front of a step. Its answer is known when it is revealed.
 * @type {(asked: Asked, frame: number) => Question}
 */
function questionOf({ prompt, answer: { hints, solution: words = '', proof = '', ...spec } }, frame) {
  const answer = /** @type {Answer} */ ({ ...spec, right: spec.right ?? [] });
  const { hides = [], about = [], of = '' } = hints ?? {};
  const solution = words || (answer.right.length ? labelOf(answer, answer.right[0]) : '');
  return {
    frame, prompt, answer, hides, about, of, solution, proof, topic: '', hint: '', tie: '', errors: [],
  };
}

export class Ballot extends Quiz {
  /** The round of the question that is asked. */
  round = '';
  /** @type {Asked | null} */
  asked = null;
  /** The answers of the class on the picture, once they are shown. @type {Layer | null} */
  layer = null;

  /**
   * @param {HTMLElement} root
   * @param {Player} player
   * @param {View} view
   * @param {{ vote: (asked: Asked, given: Given) => Promise<void>,
   *   earlier: (round: string) => Given | null }} host `earlier` is this phone's vote in a round
   */
  constructor(root, player, view, host) {
    super(root, player, view, () => {}, () => false);
    this.host = host;
    this.tally = this.box.appendChild(document.createElement('div'));
  }

  /** The questions of the scene are the teacher's to ask. */
  load() {}

  /** The teacher makes the steps. */
  holds() { return false; }
  skip() {}
  next() {}

  /** Ask what the teacher asks, in the state that it is in. @param {Asked | null} asked */
  follow(asked) {
    const round = asked ? `${asked.id}.${asked.round}` : '';
    const before = this.asked;
    this.asked = asked;
    if (!asked) {
      if (this.state) this.close();
      Object.assign(this, { round: '', layer: null });
      this.tally.replaceChildren();
      return;
    }
    if (round !== this.round) this.put(asked, round);
    this.tally.replaceChildren();
    if (asked.phase === before?.phase && round === this.round && asked.phase === 'asking') return;
    if (asked.phase === 'votes') this.shut(COUNTED);
    if (asked.phase === 'revealed') this.unveil(asked);
    const { answer } = questionOf(asked, 0);
    this.layer = asked.votes && cloud(answer, asked.votes);
    if (asked.votes && this.question) this.question.about = [];  // the votes are what is looked at
    this.view.invalidate();
    this.tally.replaceChildren(...tally(answer, asked.votes));
  }

  /** @type {(asked: Asked, round: string) => void} */
  put(asked, round) {
    Object.assign(this, { round, layer: null });
    const question = questionOf(asked, this.player.frame + 1);
    Object.assign(this, { questions: { mode: 'predict', questions: [question] }, answers: [] });
    this.begin(0);
    const label = asked.round > 1 ? 'Second vote' : 'Question';
    /** @type {HTMLElement} */ (this.prompt.firstElementChild).textContent = label;
    const given = this.host.earlier(round);
    if (given === null) return;
    this.hold(given);
    this.enter();
  }

  /** The vote that is held is the phone's. */
  enter() {
    this.turn('committed');
    this.write();
    this.say(SENT);
  }

  async commit() {
    const { held, asked } = this;
    if (this.state !== 'asking' || held === null || !asked) return;
    this.turn('committed');
    this.write();
    this.say('Sending …');
    const { round } = this;
    const isStill = () => this.round === round && this.state === 'committed';
    try {
      await this.host.vote(asked, held);
      if (isStill()) this.enter();
    } catch (error) {
      if (!isStill()) return;
      this.change();
      this.say(/** @type {Error} */ (error).message);
    }
  }

  change() {
    this.turn('asking');
    this.write();
  }

  /** No vote is taken any more. @param {string} reason */
  shut(reason) {
    this.held = this.host.earlier(this.round);
    this.show(this.held ?? []);
    this.turn('committed');
    this.write();
    this.say(this.held === null ? `${reason} ${MISSED}` : reason);
    this.acts.replaceChildren();
  }

  /** The time is up, if nothing else has happened. */
  expire() {
    if (this.asked?.phase === 'asking') this.shut(LATE);
  }

  /** Show what is right, and whether this phone's vote was. @param {Asked} asked */
  unveil(asked) {
    const { question } = this;
    if (!question) return;
    const held = this.host.earlier(this.round);
    const { answer, solution, proof } = questionOf(asked, question.frame);
    Object.assign(question, { answer, solution, proof });
    const isKnown = Boolean(answer.right.length);
    const given = held === null || !isKnown ? undefined : { given: held, rule: '', ...judge(question, held) };
    Object.assign(this, { held, answers: [given] });
    this.turn('answered');
    this.write();
    if (!given) this.say(isKnown ? `The answer: ${solution}. ${proof}` : '');
  }

  /** @type {Layer} */
  draw(...at) {
    super.draw(...at);
    this.layer?.(...at);
  }

  /** @param {string} text */
  say(text) {
    this.verdict.hidden = !text;
    this.verdict.textContent = text;
    delete this.verdict.dataset.right;
  }

  /** @type {Quiz['actions']} */
  actions(question, held) {
    if (this.state === 'committed') return [button('Change my answer', () => this.change())];
    if (this.state !== 'asking') return [];
    const vote = button('Vote', () => this.commit(), 'dm-primary');
    vote.disabled = held === null;
    vote.hidden = question.answer.kind === 'option';
    return [vote];
  }
}
