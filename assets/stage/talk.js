/**
 * What the stage says of controls and handles: one value in flight, the last one of each always
 * follows. While one moves, the server is asked for the picture alone, past Streamlit, which would
 * have the browser look at the whole page; once it rests, Streamlit is told (docs/decisions/0014).
 * Meanwhile the pictures of the values beside it are asked for (docs/decisions/0022).
 * @module
 */
/** @import { Message } from './types' */
/** @typedef {'changed' | 'moved'} Kind */
/** @typedef {{ kind: Kind, message: Message, moves: boolean }} Saying */
/**
 * The frame that is shown: null for the last, undefined if a single one would not do.
 * @typedef {number | null | undefined} At
 */
const REST = 250;  // milliseconds without a new value
const CALM = 60;  // and before the values beside it are asked for: a key that is held asks no more

/**
 * What the server answers to a question: bytes, nothing, or undefined where nobody answers.
 * @param {object} question
 */
async function ask(question) {
  try {
    const [server] = import.meta.url.split('_stcore');  // from where this module was loaded
    const body = JSON.stringify(question);
    const response = await fetch(`${server}live`, { method: 'POST', body });
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
  } catch {
    return undefined;
  }
}

/** Pictures that are asked for before they are wanted. */
class Ahead {
  /** @type {Map<string, Promise<Uint8Array | undefined>>} */
  pictures = new Map();
  /** @type {Message[]} */
  near = [];
  /** @type {number | undefined} */
  soon;

  /** @type {(at: At, message: Message) => string} */
  static key(at, { name, value }) { return JSON.stringify([at, name, value]); }

  /**
   * Take note of the values that a key may choose next; what is known of others is dropped.
   * @type {(near: Message[], at: At) => void}
   */
  expect(near, at) {
    const keys = near.map((message) => Ahead.key(at, message));
    this.near = near;
    this.pictures.forEach((_, key) => { if (!keys.includes(key)) this.pictures.delete(key); });
  }

  /** Forget all pictures: they are of data or settings that are no more. */
  forget() {
    clearTimeout(this.soon);
    this.pictures = new Map();
  }

  /**
   * Ask for the pictures of these values, one after the other.
   * @type {(token: string, at: At) => void}
   */
  look(token, at) {
    clearTimeout(this.soon);
    this.soon = setTimeout(async () => {
      const { near, pictures } = this;
      for (const message of near) {
        const key = Ahead.key(at, message);
        if (near !== this.near || pictures !== this.pictures) return;
        const picture = pictures.get(key) ?? ask({ token, at, ahead: true, changed: message });
        pictures.set(key, picture);
        if (!(await picture)?.length) {  // the server has others to answer
          pictures.delete(key);
          return;
        }
      }
    }, CALM);
  }
}

export class Talk {
  /** With which the server may be asked. */
  token = '';
  ahead = new Ahead();
  /** The messages of which one is likely to be next. @type {Message[]} */
  near = [];
  /** Numbers of messages: the last one, that of the picture that is shown, that of the question. */
  sent = 0;
  asked = 0;
  asking = 0;
  /** @type {Saying | null} */
  flying = null;
  /** @type {Map<string, Saying>} */
  waiting = new Map();
  /** @type {Saying | null} */
  untold = null;
  settling = false;
  /** @type {number | undefined} */
  resting;

  /**
   * @param {{ tell: (kind: Kind, message: Message) => void,
   *   show: (picture: Uint8Array, number: number) => void, at: () => At,
   *   busy: (busy: boolean) => void, unsaid: (unsaid: boolean) => void }} host
   *   `busy` hears whether a value is on its way, `unsaid` whether Streamlit is yet to be told of
   *   what is shown
   */
  constructor(host) {
    this.host = host;
    this.unsettled = null;
    this.leave = () => this.settle();
    // It may lead to another page.
    document.addEventListener('pointerdown', this.leave, { capture: true });
  }

  /**
   * Say a value: at once, or when the answer to the one before has come. `moves` is whether more of
   * its kind may follow, and `near` has the messages of which one is likely to.
   * @type {(kind: Kind, message: Message, moves?: boolean, near?: Message[]) => void}
   */
  say(kind, message, moves = false, near = []) {
    if (this.ahead.near[0]?.name !== near[0]?.name) this.ahead.forget();
    this.near = near;
    this.waiting.set(message.name, { kind, message, moves });
    if (!this.flying) this.next();
  }

  next() {
    clearTimeout(this.resting);
    this.flying = null;
    const { unsettled } = this;
    const [waiting] = this.waiting.values();
    if (!waiting) {
      this.host.busy(false);
      this.lookAhead();
      if (unsettled) this.resting = setTimeout(() => this.settle(), REST);
      return;
    }
    this.host.busy(true);
    if (unsettled && unsettled.message.name !== waiting.message.name) {
      this.settle();  // what is asked rests on what Streamlit knows
      this.flying = unsettled;
    } else {
      this.flying = waiting;
      this.waiting.delete(waiting.message.name);
      if (waiting.moves && this.token && this.host.at() !== undefined) this.ask(waiting);
      else this.tell(waiting);
    }
  }

  /** What only a picture was asked for. */
  get unsettled() { return this.untold; }

  set unsettled(saying) {
    this.untold = saying;
    this.host.unsaid(Boolean(saying));
  }

  number() {
    this.sent = Math.max(Date.now(), this.sent + 1);
    return this.sent;
  }

  /** @param {Saying} saying */
  async ask(saying) {
    const number = this.number();
    const at = this.host.at();
    Object.assign(this, { asked: number, asking: number });
    const known = await this.ahead.pictures.get(Ahead.key(at, saying.message));
    const question = { token: this.token, number, at, [saying.kind]: saying.message };
    const picture = known?.length ? known : await ask(question);
    if (this.asking !== number) return;
    this.asking = 0;
    if (picture === undefined) this.token = '';  // there is no such server
    // Elsewhere the player went on, and would be put back.
    if (picture?.length && this.host.at() === at) {
      Object.assign(this, { unsettled: saying, settling: false, asked: this.number() });
      this.host.show(picture, this.asked);
    } else this.tell(saying);
  }

  /** @param {Saying} saying */
  tell(saying) {
    Object.assign(this, { asked: 0, unsettled: null, settling: false });
    this.host.tell(saying.kind, { ...saying.message, number: this.number() });
  }

  /** Tell Streamlit what only a picture was asked for. */
  settle() {
    clearTimeout(this.resting);
    if (!this.unsettled || this.settling) return;
    this.settling = true;
    this.host.tell(this.unsettled.kind, { ...this.unsettled.message, number: this.number() });
    // The answer is of an older value than the picture that is on its way.
    if (this.asking) this.asked = this.number();
  }

  lookAhead() {
    const at = this.host.at();
    // Else not yet, to Streamlit.
    const known = !this.unsettled || this.unsettled.message.name === this.near[0]?.name;
    this.ahead.expect(this.token && at !== undefined && known ? this.near : [], at);
    if (this.ahead.near.length) this.ahead.look(this.token, at);
  }

  /**
   * Take note of the number that a picture answers; the next value may follow. Of a `still`, all
   * else is as it was.
   * @type {(number: number, still?: boolean) => void}
   */
  heard(number, still = false) {
    if (!still && !this.settling) this.ahead.forget();
    if (number < this.sent) {
      // A server that has heard nothing yet was restarted, and may have lost what it was told.
      if (!number && this.flying && !this.asked) this.tell(this.flying);
      return;
    }
    if (this.settling) Object.assign(this, { unsettled: null, settling: false });
    this.next();
  }

  /**
   * Whether a picture of Streamlit's is older than the one that is shown or asked for.
   * @param {number} number
   */
  overtaken(number) {
    return number < this.asked;
  }

  /**
   * Whether a later value of a control or a handle is on its way than the one that a picture
   * answers.
   * @type {(name: string, number?: number) => boolean}
   */
  holds(name, number = 0) {
    return this.waiting.has(name) || (this.flying?.message.name === name && number < this.sent);
  }

  end() {
    clearTimeout(this.resting);
    Object.assign(this, { asked: Infinity, asking: Infinity });
    this.near = [];
    this.ahead.forget();
    document.removeEventListener('pointerdown', this.leave, { capture: true });
  }
}
