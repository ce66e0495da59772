/**
 * The page of a phone: it joins the room of its address, or asks for a code, and then follows it.
 * @module
 */
import { button } from '../stage/inputs.js';
import { make } from '../stage/make.js';
import { recall, remember } from '../stage/page.js';
import { collect } from './collect.js';
import { post, RefusedError, request, Stream, takeEarly } from './request.js';
import { PracticeStage, Seat } from './seat.js';
/** @import { Answered, Given } from '../stage/types' */
/** @import { Asked, Member, State, Task } from './types' */

const [BASE] = location.pathname.split('/join');
const N_VARIANTS = 30;  // data of a practice round among which a phone has one: ui/rounds.py
/** Why a room ends for a phone. @type {Record<string, string>} */
const ENDS = {
  closed: 'The room is closed. Thank you for taking part.',
  removed: 'Your teacher has taken this phone out of the room.',
  elsewhere: 'This room is open in another tab. Load this page again to go on here.',
};
const AWAY = 'The connection is lost. This page tries again by itself.';

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** A phone in a room. */
class Phone {
  /** @type {State | null} */
  state = null;
  /** The scene that is on the stage, the one that is to be, and the one that came last. */
  digest = '';
  wanted = '';
  /** @type {{ digest: string, bytes: Uint8Array } | null} */
  fetched = null;
  frame = 0;
  /** The task that is shown. */
  task = '';
  /** @type {number | undefined} */
  clock;
  ends = Infinity;

  /** @param {string} code */
  constructor(code) {
    this.code = code;
    this.name = `dm-room-${code}`;
    this.seat = new Seat(part('stage'), {
      vote: (asked, given) => this.vote(asked, given),
      earlier: (round) => (this.member.vote?.round === round ? this.member.vote.given : null),
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.seat.retheme());
    const form = /** @type {HTMLFormElement} */ (part('nickname'));
    form.onsubmit = (event) => {
      event.preventDefault();
      this.rename(String(new FormData(form).get('nickname') ?? '').trim());
    };
  }

  get path() { return `${BASE}/room/${this.code}`; }

  /** What this phone remembers of the room. @returns {Member} */
  get member() {
    try {
      return JSON.parse(recall(this.name) ?? '{}') ?? {};
    } catch {
      return {};
    }
  }

  /** @param {Member} values */
  keep(values) {
    remember(this.name, JSON.stringify({ ...this.member, ...values }));
  }

  async join() {
    const { token } = this.member;
    const values = token ? { token } : {};
    const { scene, ...member } = await post(`${this.path}/members`, values, {}, takeEarly('member'));
    this.keep(member);
    part('enter').hidden = true;
    part('room').hidden = false;
    part('code').textContent = this.code;
    this.want(scene);
    this.listen();
  }

  listen() {
    const { token = '' } = this.member;
    this.stream = new Stream(`${this.path}/events?token=${encodeURIComponent(token)}`, {}, {
      state: (state) => this.follow(state),
      frame: ({ number, frame }) => this.step(number, frame),
      count: ({ members }) => this.count(members),
      end: ({ reason }) => this.end(ENDS[reason] ?? ENDS.closed),
      connected: (is) => this.say(is ? '' : AWAY),
      refused: (error) => this.end(error.message),
    });
  }

  /** @param {string} nickname */
  async rename(nickname) {
    const { token } = this.member;
    try {
      await post(`${this.path}/members`, { token, nickname });
      part('named').textContent = nickname ? `Your teacher sees: ${nickname}` : 'You have no name here.';
    } catch (error) {
      part('named').textContent = /** @type {Error} */ (error).message;
    }
  }

  /** @param {State} state */
  follow(state) {
    if (state.number < (this.state?.number ?? 0)) return;
    this.state = state;
    this.frame = state.frame ?? 0;
    part('title').textContent = state.title || 'Class';
    document.title = `${state.title || 'Class'} · ${this.code}`;
    this.count(state.members);
    this.want(state.scene);
    this.arrive();
  }

  /** Fetch a scene, unless it is here or on its way. @param {string | null} scene */
  want(scene) {
    const digest = scene ?? '';
    if (this.wanted === digest) return;
    this.wanted = digest;
    if (digest !== this.digest) this.fetch(digest);
  }

  /** @param {string} digest */
  async fetch(digest) {
    if (!digest || digest !== this.wanted) return;
    try {
      const response = await request(`${this.path}/scene/${digest}`, {}, takeEarly('scene'));
      const bytes = new Uint8Array(await response.arrayBuffer());
      this.fetched = { digest, bytes };
      this.arrive();
    } catch (error) {
      // A scene that is no longer there has been followed by another one.
      if (!(error instanceof RefusedError)) throw error;
      if (this.wanted !== digest) return;
      if ([404, 410].includes(error.status)) this.wanted = '';
      else setTimeout(() => this.fetch(digest), error.wait || 1000);
    }
  }

  /** Scene and state are here: go to the step, and to what is asked. */
  arrive() {
    const { state, wanted, fetched } = this;
    if (!state) return;
    if (this.digest !== wanted && fetched?.digest === wanted) this.load(fetched);
    if (this.digest !== wanted) return;
    if (!this.seat.player.still) this.seat.player.go(this.frame, true);
    this.time(state.question);
    this.seat.ballot.follow(state.question);
    this.work(state.task);
  }

  /** @param {{ digest: string, bytes: Uint8Array }} scene */
  load({ digest, bytes }) {
    this.digest = digest;
    this.fetched = null;
    part('waiting').hidden = true;
    part('stage').hidden = false;
    this.seat.load(bytes);
  }

  /** @type {(number: number, frame: number) => void} */
  step(number, frame) {
    if (!this.state || number < this.state.number) return;
    this.frame = frame;
    if (this.digest === this.wanted && !this.seat.player.still) this.seat.player.go(frame, true);
  }

  /** Show the time that remains. @param {Asked | null} asked */
  time(asked) {
    clearInterval(this.clock);
    const timer = part('timer');
    const seconds = asked?.phase === 'asking' ? asked.seconds : null;
    timer.hidden = seconds === null;
    if (seconds === null) return;
    const end = performance.now() + 1000 * seconds;
    const tick = () => {
      const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
      timer.textContent = `${left} s`;
      if (left) return;
      clearInterval(this.clock);
      this.seat.ballot.expire();
    };
    this.clock = setInterval(tick, 250);
    setTimeout(tick);
  }

  /** @param {number} members */
  count(members) {
    part('members').textContent = members === 1 ? '1 joined' : `${members} joined`;
  }

  /** @type {(asked: Asked, given: Given) => Promise<void>} */
  async vote({ id, round }, given) {
    const { token } = this.member;
    await post(`${this.path}/votes`, { token, question: id, round, answer: given });
    this.keep({ vote: { round: `${id}.${round}`, given } });
  }

  // --- Tasks -------------------------------------------------------------------------------------

  /** @param {Task | null} task */
  work(task) {
    const id = task ? String(task.id) : '';
    if (id === this.task) return;
    this.task = id;
    const box = part('task');
    this.practice?.destroy();
    this.practice = null;
    box.replaceChildren();
    box.hidden = !task;
    part('stage').hidden = Boolean(task);
    if (task?.kind === 'try') this.practise(box, task);
    if (task?.kind !== 'collect') return;
    const { token } = this.member;
    collect(box, task.about, (row) => post(`${this.path}/places`, { token, task: task.id, row }));
  }

  /** @type {(box: HTMLElement, task: Extract<Task, { kind: 'try' }>) => Promise<void>} */
  async practise(box, { id, about }) {
    const { data } = this.member;
    const number = data?.task === String(id) ? data.number : Math.floor(Math.random() * N_VARIANTS);
    this.keep({ data: { task: String(id), number } });
    const note = make('p', 'dm-wait', 'Your data are on their way …');
    note.setAttribute('role', 'status');
    const root = make('div', 'dm-stage');
    box.append(make('h2', '', 'Everybody tries, on data of their own'), note, root);
    try {
      const response = await request(`${BASE}/room/rounds/${about.slug}/${about.round}/${number}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (this.task !== String(id)) return;
      note.remove();
      this.practice = new PracticeStage(root, (answers) => this.tell(id, answers));
      this.practice.load(bytes);
    } catch (error) {
      note.textContent = /** @type {Error} */ (error).message;
      box.append(button('Try again', () => {
        this.task = '';
        this.work(this.state?.task ?? null);
      }));
    }
  }

  /** @type {(task: string | number, answers: (Answered | undefined)[]) => void} */
  tell(task, answers) {
    const done = answers.filter((each) => each !== undefined);
    const { token } = this.member;
    const misconceptions = [...new Set(done.flatMap((each) => each?.rule || []))];
    const right = done.filter((each) => each?.right).length;
    post(`${this.path}/progress`, { token, task, right, of: done.length, misconceptions })
      .catch((error) => this.say(error.message));
  }

  // --- The connection ----------------------------------------------------------------------------

  /** @param {string} text */
  say(text) {
    const note = part('status');
    note.hidden = !text;
    note.textContent = text;
  }

  /** @param {string} sentence */
  end(sentence) {
    this.stream?.end();
    clearInterval(this.clock);
    part('room').hidden = true;
    this.say('');
    ask(sentence);
  }
}

/** Ask for a code. @param {string} [sentence] says what is wrong */
function ask(sentence = '') {
  const form = /** @type {HTMLFormElement} */ (part('enter'));
  form.hidden = false;
  part('refusal').textContent = sentence;
  const input = /** @type {HTMLInputElement} */ (part('typed'));
  form.onsubmit = (event) => {
    event.preventDefault();
    const code = input.value.replace(/\s/g, '').toUpperCase();
    if (code) location.assign(`${BASE}/join/${encodeURIComponent(code)}`);
    else input.focus();
  };
}

const [, code = ''] = location.pathname.split('/join/');
if (code) {
  const phone = new Phone(decodeURIComponent(code).toUpperCase());
  phone.join().catch((error) => {
    if (!(error instanceof RefusedError)) throw error;
    ask(error.message);
  });
} else ask();
