/**
 * The teacher's side of a room: its strip over the stage asks and shows, and what the stage shows is
 * sent to the phones. It stays from page to page; assets/class.js loads it.
 * @module
 */
import { watchStages } from '../stage/audience.js';
import { button } from '../stage/inputs.js';
import { make } from '../stage/make.js';
import { partOf } from '../stage/page.js';
import { Board } from './board.js';
import { fileOf, encodePoints, linkWith } from './data.js';
import { askDialog, closeDialog, codeDialog, collectDialog } from './dialogs.js';
import { Feed } from './feed.js';
import { classesOf } from './pad.js';
import { post, request, Stream } from './request.js';
/** @import { Stage } from '../stage/stage.js' */
/** @import { Answer, Question } from '../stage/types' */
/** @import { RefusedError } from './request.js' */
/** @import { Collected, Nickname, Offer, Room, Row, State } from './types' */

const NAME = 'dm-class';  // in the session of the tab: the secret is nobody else's
const [BASE] = import.meta.url.split('room/files');  // from where this module was loaded
const UNUSED = 'The rows are in the results (CSV).';
const AWAY = 'The connection to the room is lost. It is tried again.';

/** @returns {Room & { question?: Question } | null} */
function remembered() {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {object | null} room */
function keep(room) {
  try {
    if (room) sessionStorage.setItem(NAME, JSON.stringify(room));
    else sessionStorage.removeItem(NAME);
  } catch { /* then the room ends with the page */ }
}

class Desk {
  /** @type {Room & { question?: Question } | null} */
  room = null;
  /** @type {Stage | null} */
  stage = null;
  /** @type {State | null} */
  state = null;
  members = 0;
  /** @type {Nickname[]} */
  nicknames = [];
  /** @type {ReturnType<typeof codeDialog> | null} */
  code = null;

  constructor() {
    this.name = make('button', 'dm-room-code');
    this.name.dataset.testid = 'room-code';
    this.name.title = 'Show the code large';
    this.name.onclick = () => this.showCode();
    this.joined = make('span', 'dm-joined');
    this.note = make('span', 'dm-room-note');
    this.note.setAttribute('role', 'status');
    this.asks = button('Ask', () => this.chooseQuestion());
    this.tries = button('Everybody tries', () => this.everybodyTries());
    this.collects = button('Collect', () => this.collect());
    this.strip = make('div', 'dm-room', this.name, this.joined, this.note, this.asks, this.tries, this.collects,
      button('Results (CSV)', () => this.save()), button('Close room', () => this.askToClose()));
    this.strip.setAttribute('role', 'group');
    this.strip.setAttribute('aria-label', 'Class');
    this.board = new Board({
      act: (name) => this.act(name),
      reveal: () => this.reveal(),
      use: (places) => this.use(places),
      places: () => this.places(),
    });
    watchStages({ scene: (stage) => this.follow(stage), frame: (stage) => this.step(stage) });
    const room = remembered();
    if (room) this.enter(room);
  }

  get slug() { return this.stage?.scene?.name ?? ''; }
  get address() { return `${BASE}room/${this.room?.code}`; }
  get headers() { return { 'X-Room-Secret': this.room?.secret ?? '' }; }
  get link() { return `${new URL('join', BASE).href}/${this.room?.code}`; }

  // --- The room ----------------------------------------------------------------------------------

  async open() {
    if (this.room) {
      this.showCode();
      return;
    }
    try {
      this.enter(await post(`${BASE}room`, {}));
      this.showCode();
    } catch (error) {
      this.say(/** @type {Error} */ (error).message);
      this.stage?.root.prepend(this.note);
    }
  }

  /** @param {Room & { question?: Question }} room */
  enter(room) {
    this.room = room;
    keep(room);
    this.name.textContent = room.code;
    this.strip.insertBefore(this.note, this.asks);
    this.say('');
    const refused = (/** @type {RefusedError} */ error) => {
      if (error.isGone) this.leave();
      this.say(error.message);
    };
    this.feed = new Feed(this.address, this.headers, refused);
    this.stream = new Stream(`${this.address}/events`, this.headers, {
      state: (state) => this.hear(state),
      frame: () => {},
      count: ({ members, answered, nicknames, progress }) => {
        this.count(members, nicknames);
        this.board.count(answered, members, progress ?? null);
      },
      end: () => this.leave(),
      connected: (is) => this.say(is ? '' : AWAY),
      refused,
    });
    if (this.stage) this.follow(this.stage);
  }

  leave() {
    this.stream?.end();
    if (this.feed) this.feed.isOver = true;
    Object.assign(this, { room: null, state: null, feed: null });
    keep(null);
    this.board.clear();
    this.code?.dialog.close();
    this.strip.remove();
    this.stage?.root.classList.remove('dm-roomed');
    this.stage?.view.resize();
  }

  /** @param {string} text */
  say(text) {
    this.note.textContent = text;
  }

  /** @type {(members: number, nicknames?: Nickname[]) => void} */
  count(members, nicknames = this.nicknames) {
    Object.assign(this, { members, nicknames });
    this.joined.textContent = `${members} joined`;
    this.code?.show(members, nicknames);
  }

  /** @param {State} state */
  hear(state) {
    this.state = state;
    this.board.show(state, this.room?.question ?? null, this.stage);
    this.count(state.members, state.nicknames);
  }

  showCode() {
    const place = this.stage?.root;
    if (!place || !this.room) return;
    this.code?.dialog.close();
    this.code = codeDialog(place, this.link, this.room.code);
    this.code.act = (name, member) => this.act(name, { member });
    this.code.show(this.members, this.nicknames);
  }

  // --- The stage ---------------------------------------------------------------------------------

  /** Stand on a stage, and send its scene. @param {Stage} stage */
  follow(stage) {
    if (stage.scene?.living || !stage.link.changeable) return;
    this.stage = stage;
    if (!this.room) return;
    const { root } = stage;
    if (this.strip.parentElement !== root) {
      root.prepend(this.strip);
      root.classList.add('dm-roomed');
      partOf(root, 'body').append(this.board.element);
      stage.view.resize();
    }
    this.tries.disabled = !stage.scene?.asks;
    this.board.stand(stage);
    this.feed?.follow(stage);
  }

  /** @param {Stage} stage */
  step(stage) {
    if (this.room && stage === this.stage) this.feed?.follow(stage);
  }

  // --- What the teacher does ---------------------------------------------------------------------

  /** @type {(name: string, values?: object) => Promise<boolean>} */
  async act(name, values = {}) {
    try {
      await post(`${this.address}/teacher`, { act: name, ...values }, this.headers);
      this.say('');
      return true;
    } catch (error) {
      this.say(/** @type {Error} */ (error).message);
      return false;
    }
  }

  /** What can be asked and collected on the page as it stands. @returns {Promise<Offer>} */
  async offer() {
    const body = JSON.stringify({ token: this.stage?.link.talk.token, asks: true });
    const response = await fetch(`${BASE}live`, { method: 'POST', body }).catch(() => null);
    const text = response?.ok ? await response.text() : '';
    return text ? JSON.parse(text) : { questions: [], points: [], rows: [], reader: '' };
  }

  async chooseQuestion() {
    const { stage } = this;
    if (!stage) return;
    stage.player.pause();
    const { questions } = await this.offer();
    const [panel = ''] = [...stage.view.panels.keys()];
    askDialog(stage.root, {
      questions,
      frame: stage.player.frame,
      panel,
      go: (frame) => {
        stage.player.go(frame);
        this.chooseQuestion();
      },
      ask: (question, seconds) => this.ask(question, seconds),
    });
  }

  /** @type {(question: Question | { prompt: string, answer: Answer }, seconds: number) => Promise<void>} */
  async ask(question, seconds) {
    if (!this.room) return;
    const { prompt, answer } = question;
    const { hides = [], about = [], of = '' } = /** @type {Partial<Question>} */ (question);
    const own = { errors: [], solution: '', proof: '', tie: '', hides, about, of, frame: null };
    this.room = { ...this.room, question: /** @type {Question} */ ({ ...own, ...question }) };
    keep(this.room);
    const { solution = '', proof = '', tie = '' } = /** @type {Partial<Question>} */ (question);
    const spec = { ...answer, solution, proof: `${proof} ${tie}`.trim(), hints: { hides, about, of } };
    await this.act('ask', { prompt, answer: spec, ...(seconds ? { seconds } : {}) });
  }

  /** The step plays, to the answer. */
  async reveal() {
    const frame = this.room?.question?.frame;
    if (!await this.act('reveal')) return;
    if (typeof frame === 'number') this.stage?.player.go(frame, true);
  }

  everybodyTries() {
    return this.act('try', { about: { slug: this.slug, round: this.stage?.scene?.round ?? 0 } });
  }

  async collect() {
    const { points, rows, reader } = await this.offer();
    const { slug, stage } = this;
    const start = (/** @type {Collected['kind']} */ kind) => (
      this.act('collect', { about: { kind, slug, reader, fields: kind === 'rows' ? rows : points } }));
    if (points.length && rows.length && stage) collectDialog(stage.root, rows, start);
    else if (points.length) start('points');
    else if (rows.length) start('rows');
    else this.say('The data of this page cannot be collected: it takes no points, and no rows of a table.');
  }

  /** What was collected for the task. @returns {Promise<Row[]>} */
  async places() {
    const response = await request(`${this.address}/places`, { headers: this.headers });
    return (await response.json()).places;
  }

  /** Let what the class has collected be the data of the page. @param {Row[]} rows */
  async use(rows) {
    const { task } = this.state ?? {};
    if (task?.kind !== 'collect') return;
    const { about } = task;
    if (about.kind === 'points') {
      if (!await this.act('clear')) return;
      location.assign(linkWith(location.href, this.slug, encodePoints(rows, classesOf(about.fields))));
      return;
    }
    // It goes the way of a file that is dropped (assets/drop.js).
    const given = new CustomEvent('dm-file', { detail: fileOf(rows, about), cancelable: true });
    if (document.dispatchEvent(given)) this.say(`This page takes no file. ${UNUSED}`);
    else this.act('clear');
  }

  async save() {
    try {
      const response = await request(`${this.address}/results.csv`, { headers: this.headers });
      const href = URL.createObjectURL(await response.blob());
      Object.assign(make('a'), { href, download: `class-${this.room?.code}.csv` }).click();
      setTimeout(() => URL.revokeObjectURL(href), 10_000);
    } catch (error) {
      this.say(/** @type {Error} */ (error).message);
    }
  }

  askToClose() {
    const place = this.stage?.root;
    if (!place) return;
    closeDialog(place, {
      save: () => this.save(),
      close: async () => { if (await this.act('close')) this.leave(); },
    });
  }
}

const DESK = new Desk();

/** Open a room, or show the code of the one that is open. */
export const open = () => DESK.open();
