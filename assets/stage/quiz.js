/**
 * Questions in front of steps: one is asked before the step that answers it, the answer is given on
 * the picture or beside it, and the step plays from the guess to the truth. In a lecture
 * (`predict`) each such step waits; in a round of practice the questions follow each other. All of
 * it is graded here, without the server.
 * @module
 */
import { judge } from './answers.js';
import { ghosts, handlesOf, lightNumbers, numberAt, provingRows, verdictOn } from './guess.js';
import { nameForm, saveRound } from './handin.js';
import { Handles } from './handles.js';
import { button, takeAnswer } from './inputs.js';
import { partOf } from './page.js';
import { keepRound } from './progress.js';
/** @import { Panel } from './panel.js' */
/** @import { Player } from './player.js' */
/** @import { View } from './view.js' */
/** @import { Answered, Block, Context, Given, Moment, Places, Question } from './types' */
/** @import { Quiz as Questions, Scene, Theme } from './types' */

export class Quiz {
  /** @type {Questions | null} */
  questions = null;
  /** What has been loaded, as text. */
  loaded = '';
  /** The page that is asked about. */
  slug = '';
  /** The place of the question, and what is known of each. */
  index = 0;
  /** @type {(Answered | undefined)[]} */
  answers = [];
  /** @type {'' | 'asking' | 'committed' | 'answered' | 'ended'} */
  state = '';
  /** @type {Given | null} */
  held = null;
  began = 0;
  resumes = false;
  /** Shows beside the picture what was picked on it. @type {(given: any) => void} */
  show = () => {};

  /**
   * @param {HTMLElement} root
   * @param {Player} player
   * @param {View} view
   * @param {(name: string, value: string) => void} ask tells the server what is wanted
   * @param {() => boolean} served whether there is a server: a saved page has none
   */
  constructor(root, player, view, ask, served) {
    this.root = root;
    this.player = player;
    this.view = view;
    this.ask = ask;
    this.served = served;
    this.box = partOf(root, 'question');
    this.prompt = partOf(this.box, 'prompt');
    this.field = partOf(this.box, 'answer');
    this.verdict = partOf(this.box, 'verdict');
    this.acts = partOf(this.box, 'acts');
    this.handles = new Handles(view, {
      movable: true, holds: () => false, move: ({ x, y }) => this.moved(x, y),
    }, () => {});
    this.box.addEventListener('keydown', (event) => {
      const types = /** @type {Element} */ (event.target).tagName === 'INPUT';
      const isForm = Boolean(/** @type {Element} */ (event.target).closest('form'));
      if (types && (isForm || event.key !== 'Enter')) event.stopPropagation();  // it is no step
    });
    const { predict, practise } = player.questions;
    predict.onclick = () => ask('predict', String(predict.getAttribute('aria-pressed') !== 'true'));
    practise.onclick = () => ask('practice', '1');
  }

  get question() { return this.questions?.questions[this.index]; }
  get predicts() { return this.questions?.mode === 'predict'; }

  /** Whether a round is going on. */
  get practises() { return Boolean(this.questions) && !this.predicts; }

  get asks() { return this.state === 'asking' || this.state === 'committed'; }

  /** Take over the questions of a scene; those that are being asked already go on. @param {Scene} scene */
  load({ asks, quiz, still, name }) {
    if (still) return;
    const { predict, practise } = this.player.questions;
    predict.hidden = practise.hidden = !asks || !this.served();
    predict.setAttribute('aria-pressed', String(quiz?.mode === 'predict'));
    const text = JSON.stringify([name, quiz ?? null]);
    if (text === this.loaded) return;
    Object.assign(this, { loaded: text, questions: quiz ?? null, slug: name ?? '', answers: [] });
    this.root.classList.toggle('dm-quizzed', Boolean(quiz));
    this.root.classList.toggle('dm-practising', this.practises);
    this.close();
    if (!this.practises) return;
    if (this.questions?.questions.length) this.start();
    else if (this.questions?.mode === 'name') this.askName();
    else this.none();
  }

  start() {
    Object.assign(this, { answers: [], began: performance.now() });
    this.begin(0);
  }

  askName() {
    this.turn('ended');
    this.prompt.textContent = 'Everybody has data of their own here. What is your name?';
    this.verdict.hidden = true;
    this.field.replaceChildren(
      nameForm('Begin', (name) => this.ask('practice', `name:${name}`)));
    this.acts.replaceChildren(button('End', () => this.ask('practice', '')));
    this.focus();
  }

  // --- One question ------------------------------------------------------------------------------

  /**
   * Whether a step has to wait for an answer; then it is asked for.
   * @param {number} frame
   */
  holds(frame) {
    if (!this.predicts || this.state) return Boolean(this.state) && this.asks;
    const next = this.questions?.questions.findIndex((each, i) => (
      each.frame === frame && !this.answers[i])) ?? -1;
    if (next < 0) return false;
    this.resumes = this.player.playing;
    this.begin(next);
    return true;
  }

  /** @param {number} index */
  begin(index) {
    Object.assign(this, { index, held: null });
    const { question } = this;
    if (!question) return;
    this.player.pause();
    this.player.go(question.frame - 1);
    this.turn('asking');
    const place = this.practises ? `${index + 1} of ${this.questions?.questions.length}` : 'Predict';
    this.prompt.replaceChildren(
      Object.assign(document.createElement('span'), { textContent: place }), ` ${question.prompt}`);
    this.box.dataset.kind = question.answer.kind;
    this.show = takeAnswer(this.field, question.answer, {
      hold: (given) => this.hold(given), commit: () => this.commit(),
    });
    this.handles.load(handlesOf(question, this.view), () => false);
    this.write();
    this.focus();
  }

  focus() {
    const first = /** @type {HTMLElement | null} */ (this.field.querySelector('input, button'));
    (first ?? this.root).focus({ preventScroll: true });
  }

  /** @param {typeof this.state} state */
  turn(state) {
    this.state = state;
    this.root.classList.toggle('dm-asking', state !== '');
    this.box.hidden = !state;
    this.view.hide(this.asks ? this.question?.hides ?? [] : []);
    this.view.invalidate();
  }

  /** @param {Given | null} given */
  hold(given) {
    if (this.state !== 'asking') return;
    this.held = given;
    this.show(given);
    this.write();
    this.view.invalidate();
  }

  /** @type {(x: unknown, y: unknown) => void} */
  moved(x, y) {
    const { question } = this;
    if (question?.answer.kind === 'angle') this.hold(Number(x));
    else this.hold([Number(x ?? 0), Number(y ?? 0)]);
  }

  commit() {
    const { held, question } = this;
    if (this.state !== 'asking' || held === null || !question) return;
    const { right, error } = judge(question, held);
    const answer = this.answers[this.index] = { given: held, right, rule: error?.rule ?? '' };
    this.root.dispatchEvent(new CustomEvent('dm-answer', { detail: { question, answer } }));
    this.turn('committed');
    if (this.practises) this.reveal();
    else this.write();
  }

  /** The step plays when nothing more is asked about it. */
  reveal() {
    const { question } = this;
    if (!question) return;
    this.turn('answered');
    const next = this.questions?.questions[this.index + 1];
    if (next?.frame !== question.frame) this.player.go(question.frame, true);
    this.write();
  }

  /** Show what is right without an answer, at once. */
  disclose() {
    const { question } = this;
    if (!question) return;
    this.held = null;
    this.turn('answered');
    this.player.go(question.frame);
  }

  /** Give no answer: to this question or, in a lecture, to none about this step. */
  skip() {
    const { frame } = this.question ?? {};
    this.questions?.questions.forEach((each, i) => {
      const isMeant = this.predicts ? each.frame === frame : i === this.index;
      if (isMeant) this.answers[i] ??= { given: null, right: false, rule: '' };
    });
    this.next();
  }

  next() {
    const { question, questions } = this;
    const next = questions?.questions[this.index + 1];
    const follows = next && (this.practises || next.frame === question?.frame);
    if (follows && !(this.predicts && this.answers[this.index + 1])) this.begin(this.index + 1);
    else if (this.practises) this.end();
    else {
      if (question) this.player.go(question.frame, true);
      this.close();
      if (this.resumes) this.player.play();
    }
  }

  close() {
    this.handles.load([], () => false);
    if (this.state) this.root.focus({ preventScroll: true });
    this.turn('');
  }

  // --- What is written ---------------------------------------------------------------------------

  write() {
    const { question, state, held } = this;
    if (!question) return;
    const answered = this.answers[this.index];
    for (const each of this.field.querySelectorAll('input, button')) {
      each.toggleAttribute('disabled', state !== 'asking');
    }
    const verdict = state === 'answered' && answered ? verdictOn(question, answered) : [];
    this.verdict.hidden = !verdict.length;
    this.verdict.replaceChildren(...verdict);
    if (verdict.length) this.verdict.dataset.right = String(answered?.right);
    else delete this.verdict.dataset.right;
    const acts = this.actions(question, held);
    if (this.practises && this.served()) acts.push(button('End', () => this.ask('practice', '')));
    this.acts.replaceChildren(...acts);
    if (state !== 'asking') acts[0]?.focus({ preventScroll: true });
  }

  /** What can be done about a question. @type {(question: Question, held: Given | null) => HTMLElement[]} */
  actions(question, held) {
    if (this.state === 'committed') return [button('Reveal', () => this.reveal(), 'dm-primary')];
    if (this.state === 'answered') return [button('Next', () => this.next(), 'dm-primary')];
    const check = button(this.predicts ? 'Commit' : 'Check', () => this.commit(), 'dm-primary');
    check.disabled = held === null;
    check.hidden = question.answer.kind === 'option';
    const hint = button('Hint', () => {
      hint.replaceWith(Object.assign(document.createElement('span'), { textContent: question.hint }));
    });
    const skip = button('Skip (S)', () => this.skip());
    return question.hint ? [check, hint, skip] : [check, skip];
  }

  none() {
    this.turn('ended');
    this.prompt.textContent = 'These data leave nothing to ask.';
    this.finish([]);
  }

  end() {
    const right = this.answers.filter((each) => each?.right).length;
    const total = this.questions?.questions.length ?? 0;
    const rules = [...new Set(this.answers.flatMap((each) => each?.rule || []))];
    keepRound(this.slug, right, total, this.answers);
    this.turn('ended');
    const noun = this.questions?.mode === 'all' ? 'decisions' : 'answers';
    this.prompt.textContent = `${right} of ${total} ${noun} right at the first try.`;
    this.finish(rules);
    const seconds = Math.round((performance.now() - this.began) / 1000);
    const kept = this.answers.slice(0, total);
    if (!this.served()) return;  // only a link says which data it was
    this.acts.append(
      nameForm('Save to hand in', (name) => saveRound(this.slug, name, kept, seconds)));
  }

  /** @param {string[]} rules */
  finish(rules) {
    this.field.replaceChildren();
    this.verdict.hidden = !rules.length;
    delete this.verdict.dataset.right;
    this.verdict.textContent = rules.length ? `Look again at: ${rules.join(' ')}` : '';
    const { mode, questions } = this.questions ?? {};
    const again = questions?.length && (mode === 'own' || !this.served())
      ? button('Again', () => this.start(), 'dm-primary')
      : button('New data', () => this.ask('practice', '1'), 'dm-primary');
    const watch = button('Watch the run', () => {
      this.close();
      this.player.go(0);
      this.player.play();
    });
    this.acts.replaceChildren(again, watch);
    if (this.served()) {
      this.acts.append(button('Be the algorithm', () => this.ask('practice', 'all')),
        button('End', () => this.ask('practice', '')));
    }
    again.focus({ preventScroll: true });
  }

  // --- On the picture ----------------------------------------------------------------------------

  /** @param {Panel} panel */
  attach(panel) {
    this.handles.attach(panel);
  }

  /** A click on a panel; true if it was an answer. @type {(event: MouseEvent, panel: Panel) => boolean} */
  click(event, panel) {
    const { question } = this;
    if (!this.asks || !question) return this.practises;
    if (this.handles.at(event, panel) && this.held !== null) return true;  // it was dragged
    if (question.answer.kind === 'place') this.handles.bring(event, panel);
    if (question.answer.kind !== 'pick') return true;
    const number = numberAt(event, panel, question.answer.of, this.player.moment);
    const { among, several } = question.answer;
    if (number === null || (among.length && !among.includes(number))) return true;
    const before = Array.isArray(this.held) ? this.held : [];
    const without = before.filter((each) => each !== number);
    if (!several) this.hold([number]);
    else this.hold(without.length < before.length ? without : [...before, number]);
    return true;
  }

  /**
   * Draw what was answered, dashed, and what is right.
   * @type {(g: Context, places: Places, panel: Panel, moment: Moment, theme: Theme) => void}
   */
  draw(g, places, panel, moment, theme) {
    const { question, held, state } = this;
    if (!question || !state || state === 'ended') return;
    if (state === 'asking') this.handles.draw(g, places, panel, theme);
    const { about, answer, of } = question;
    const isAnswered = state === 'answered';
    const draw = (/** @type {number[]} */ numbers, /** @type {string} */ what) => (
      lightNumbers(numbers, what, g, places, panel, moment, theme));
    draw(about, of);
    if (answer.kind === 'pick') {
      if (isAnswered && !this.answers[this.index]?.right) draw(answer.right[0] ?? [], answer.of);
      g.setLineDash(isAnswered ? [5, 4] : []);
      if (Array.isArray(held)) draw(held, answer.of);
      g.setLineDash([]);
    } else if (state !== 'asking') ghosts(g, places, panel, question, held, isAnswered, theme);
  }

  /**
   * The places of the rows of the ledger that prove an answer; null where nothing was answered.
   * @type {(ledger: Block[]) => string[] | null}
   */
  rows(ledger) {
    return this.state === 'answered' && this.question ? provingRows(this.question, ledger) : null;
  }

  /** Handle a key; true if it was an answer. @param {KeyboardEvent} event */
  key(event) {
    if (!this.state || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (this.asks && this.handles.key(event)) return true;
    const target = /** @type {Element} */ (event.target);
    if (event.key === 'Enter' && !target.closest('button')) {
      /** @type {HTMLElement | null} */ (this.acts.querySelector('.dm-primary'))?.click();
      return true;
    }
    return target.tagName !== 'INPUT' && !target.closest('select') && this.letter(event);
  }

  /** S skips, a digit is an option, space goes on. @param {KeyboardEvent} event */
  letter({ key, target }) {
    const options = this.question?.answer.kind === 'option'
      ? [...this.field.querySelectorAll('button')] : [];
    if (key.toLowerCase() === 's' && this.asks) this.skip();
    else if (/^[1-5]$/.test(key)) options[Number(key) - 1]?.click();
    else if (key === ' ' && this.state === 'answered') {
      if (/** @type {Element} */ (target).closest('button')) return false;
      this.next();
    } else return false;
    return true;
  }
}
