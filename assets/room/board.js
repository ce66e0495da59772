/**
 * What a class is asked, under the picture on the projector: how many have answered, their votes,
 * what is right; or how far all are with their task.
 * @module
 */
import { lightNumbers } from '../stage/guess.js';
import { button } from '../stage/inputs.js';
import { make } from '../stage/make.js';
import { cloud, isRight, labelOf, rulesFollowed, tally } from './bars.js';
import { Pad } from './pad.js';
/** @import { Stage } from '../stage/stage.js' */
/** @import { Answer, Given, Layer, Question } from '../stage/types' */
/** @import { Asked, Cell, Collected, Field, Progress, Row, State, Task } from './types' */

const MAX_ROUNDS = 2;
const SHOWN = 4;  // misconceptions
const SHOWN_ROWS = 6;
const GIVES = { points: 'places one point', rows: 'fills in one row' };
const GAVE = { points: 'placed a point', rows: 'sent a row' };

/** Rows of a class as they come, the first of them. */
class Sheet {
  /** @param {Field[]} fields */
  constructor(fields) {
    this.body = make('tbody');
    this.more = make('p');
    const head = make('tr', '', ...fields.map(({ name }) => make('th', '', name)));
    this.element = make('div', 'dm-sheet', make('table', '', make('thead', '', head), this.body), this.more);
  }

  /** @param {Row[]} rows */
  show(rows) {
    const text = (/** @type {Cell} */ cell) => (Array.isArray(cell) ? cell.join(', ') : String(cell));
    this.body.replaceChildren(...rows.slice(0, SHOWN_ROWS).map((row) => (
      make('tr', '', ...row.map((cell) => make('td', '', text(cell)))))));
    const n = rows.length - SHOWN_ROWS;
    this.more.textContent = n > 0 ? `and ${n} more` : '';
  }
}

export class Board {
  /** @type {Stage | null} */
  stage = null;
  /** @type {State | null} */
  state = null;
  /** The question with its answer, which the phones do not get. @type {Question | null} */
  question = null;
  /** @type {Layer | null} */
  layer = null;
  /** @type {Row[]} */
  places = [];
  /** @type {number | undefined} */
  clock;

  /**
   * @param {{ act: (name: string) => void, reveal: () => void, use: (places: Row[]) => void,
   *   places: () => Promise<Row[]> }} host
   */
  constructor(host) {
    this.host = host;
    this.prompt = make('p', 'dm-prompt');
    this.verdict = make('div', 'dm-verdict');
    this.verdict.setAttribute('role', 'status');
    this.answered = make('p', 'dm-answered');
    this.answered.setAttribute('role', 'status');
    this.timer = make('span', 'dm-timer');
    this.acts = make('div', 'dm-acts');
    this.results = make('div', 'dm-class-results');
    const side = make('div', '', this.prompt, this.answered, this.acts, this.verdict);
    this.element = make('section', 'dm-question dm-board', side, this.results);
    this.element.dataset.testid = 'board';
    this.element.setAttribute('aria-label', 'Class');
    this.element.hidden = true;
    new ResizeObserver(() => this.makeRoom()).observe(this.element);
  }

  /** The picture leaves room for what stands under it. */
  makeRoom() {
    this.stage?.root.style.setProperty('--dm-board', `${this.element.offsetHeight}px`);
    this.stage?.view.resize();
  }

  /** Whether the class is asked, or has a task. */
  get isOn() { return Boolean(this.state?.question ?? this.state?.task); }

  clear() {
    this.state = null;
    this.write();
    this.element.remove();
  }

  /** Stand on a stage. @param {Stage} stage */
  stand(stage) {
    if (this.stage !== stage) this.release();
    this.stage = stage;
    this.draw();
  }

  /** @type {(state: State, question: Question | null, stage: Stage | null) => void} */
  show(state, question, stage) {
    this.state = state;
    this.question = question;
    this.stage = stage;
    this.write();
  }

  /** Take note of how many have answered. @type {(answered: number, members: number, progress: Progress | null) => void} */
  count(answered, members, progress) {
    const { question, task } = this.state ?? {};
    if (question) this.answered.replaceChildren(`${answered} of ${members} answered`, this.timer);
    if (task?.kind === 'try') this.showProgress(progress, members);
    if (task?.kind === 'collect') this.showPlaces(answered, members, task.about.kind);
  }

  // --- What is written ---------------------------------------------------------------------------

  write() {
    const { state, element } = this;
    element.hidden = !this.isOn;
    this.results.replaceChildren();
    this.verdict.replaceChildren();
    this.verdict.hidden = true;
    this.sheet = null;
    clearInterval(this.clock);
    if (state?.question) this.writeQuestion(state.question, state);
    else if (state?.task) this.writeTask(state.task, state);
    this.draw();
  }

  /** @type {(asked: Asked, state: State) => void} */
  writeQuestion(asked, { members }) {
    const { phase, round, prompt, votes } = asked;
    const label = round > 1 ? 'Second vote' : 'Question';
    this.prompt.replaceChildren(make('span', '', label), ` ${prompt}`);
    this.time(asked.seconds);
    this.count(asked.answered, members, null);
    const answer = this.answerOf(asked);
    this.results.replaceChildren(...tally(answer, votes));
    if (phase === 'revealed') this.writeVerdict(answer, votes ?? []);
    const show = button('Show votes', () => this.host.act('votes'), 'dm-primary');
    const again = button('Vote again', () => this.host.act('again'));
    const reveal = button('Reveal', () => this.host.reveal(), 'dm-primary');
    const end = button(phase === 'revealed' ? 'Done' : 'Cancel', () => this.host.act('clear'));
    const acts = { asking: [show, end], votes: [reveal, again, end], revealed: [end] }[phase];
    this.acts.replaceChildren(...acts.filter((each) => each !== again || round < MAX_ROUNDS));
  }

  /** The answer with what is right, once that is revealed. @type {(asked: Asked) => Answer} */
  answerOf({ answer, phase }) {
    const right = phase === 'revealed' ? this.question?.answer.right ?? answer.right : [];
    return /** @type {Answer} */ ({ ...answer, right: right ?? [] });
  }

  /** @type {(answer: Answer, votes: Given[][]) => void} */
  writeVerdict(answer, votes) {
    if (!answer.right.length) return;
    const { solution = '', proof = '', tie = '' } = this.question ?? {};
    const shares = votes.map((round) => (
      `${round.filter((given) => isRight(answer, given)).length} of ${round.length}`));
    const parts = [
      make('strong', '', `${solution || labelOf(answer, answer.right[0])}. `), `${proof} ${tie} `,
      make('span', '', `Right: ${shares.join(', then ')}. `),
    ];
    const rules = this.question ? rulesFollowed({ ...this.question, answer }, votes[votes.length - 1] ?? []) : [];
    parts.push(...rules.map(({ rule, count }) => make('span', '', `“${rule}” ${count}×. `)));
    this.verdict.replaceChildren(...parts);
    this.verdict.hidden = false;
  }

  /** Count down. @param {number | null} seconds */
  time(seconds) {
    this.timer.textContent = '';
    if (seconds === null) return;
    const end = performance.now() + 1000 * seconds;
    const tick = () => {
      const rest = Math.max(0, Math.ceil((end - performance.now()) / 1000));
      this.timer.textContent = rest ? ` · ${rest} s` : ' · time is up';
      if (!rest) clearInterval(this.clock);
    };
    tick();
    this.clock = setInterval(tick, 250);
  }

  /** @type {(task: Task, state: State) => void} */
  writeTask(task, { members, progress }) {
    const end = button('End', () => this.host.act('clear'));
    if (task.kind === 'try') {
      this.prompt.replaceChildren(make('span', '', 'Everybody tries'), ' on data of their own.');
      this.acts.replaceChildren(end);
      this.showProgress(progress ?? null, members);
      return;
    }
    const { kind, fields } = task.about;
    this.prompt.replaceChildren(make('span', '', 'Collect'), ` Each phone ${GIVES[kind]}.`);
    this.sheet = kind === 'points' ? new Pad(fields) : new Sheet(fields);
    this.results.replaceChildren(this.sheet.element);
    this.useButton = button('Use these data', () => this.host.use(this.places), 'dm-primary');
    this.acts.replaceChildren(this.useButton, end);
    this.showPlaces(0, members, kind);
  }

  /** @type {(progress: Progress | null, members: number) => void} */
  showProgress(progress, members) {
    const { finished = 0, right = 0, of = 0, misconceptions = {} } = progress ?? {};
    this.answered.textContent = `${finished} of ${members} have begun · ${right} of ${of} answers right`;
    const rules = Object.entries(misconceptions).sort(([, a], [, b]) => b - a).slice(0, SHOWN);
    this.results.replaceChildren(...(rules.length ? [make('p', '', make('b', '', 'Misconceptions')),
      make('ul', 'dm-misconceptions', ...rules.map(([rule, phones]) => (
        make('li', '', `${rule} (${phones} ${phones === 1 ? 'phone' : 'phones'})`))))] : []));
  }

  /** @type {(answered: number, members: number, kind: Collected['kind']) => Promise<void>} */
  async showPlaces(answered, members, kind) {
    const { sheet } = this;
    const write = (/** @type {number} */ n) => { this.answered.textContent = `${n} of ${members} ${GAVE[kind]}`; };
    write(answered);
    const places = await this.host.places().catch(() => this.places);
    if (sheet !== this.sheet || !sheet) return;
    this.places = places;
    sheet.show(places);
    write(places.length);
    if (this.useButton) this.useButton.disabled = places.length < 2;
  }

  // --- On the picture ----------------------------------------------------------------------------

  /** Draw what is asked about, and the votes. */
  draw() {
    const { stage, state } = this;
    if (!stage) return;
    this.release();
    stage.root.classList.toggle('dm-asking', this.isOn || stage.quiz.state !== '');
    stage.root.classList.toggle('dm-quizzed', this.isOn || Boolean(stage.quiz.questions));
    stage.root.dataset.class = state?.task?.kind ?? state?.question?.phase ?? '';
    const asked = state?.question;
    const { hides = [], about = [], of = '' } = asked?.answer.hints ?? {};
    stage.view.hide(asked && asked.phase !== 'revealed' ? hides : []);
    if (asked) {
      const votes = asked.votes ? cloud(this.answerOf(asked), asked.votes) : null;
      this.layer = (...at) => {
        if (votes) votes(...at);
        else lightNumbers(about, of, ...at);
      };
      stage.layers.push(this.layer);
    }
    stage.view.resize();
    stage.view.invalidate();
  }

  release() {
    const { stage, layer } = this;
    if (stage && layer) stage.layers = stage.layers.filter((each) => each !== layer);
    this.layer = null;
  }
}
