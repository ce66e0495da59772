/**
 * Requests to the server of rooms, and its events.
 * @module
 */
/** @import { Events } from './types' */

const SILENCE = 40_000;  // milliseconds without a sign, which comes each 15 s, after which a connection is dead
const STALE = 17_000;  // and in which one is doubted by who looks at the screen again
const WAITS = [500, 1000, 2000, 4000, 8000];  // milliseconds until a connection is tried again
const GONE = [401, 403, 404];

/** An answer that refuses, with its sentence. */
export class RefusedError extends Error {
  /**
   * @param {number} status
   * @param {string} sentence
   * @param {number} [wait] milliseconds until it may be tried again
   */
  constructor(status, sentence, wait = 0) {
    super(sentence);
    this.status = status;
    this.wait = wait;
  }

  /** Whether there is no such room any more, or nobody of this name in it. */
  get isGone() { return GONE.includes(this.status); }
}

/**
 * The error that a response is.
 * @param {Response} response
 */
async function refusal(response) {
  const message = await response.json().catch(() => ({}));
  const seconds = Number(response.headers.get('Retry-After'));
  const sentence = message.error ?? 'The server cannot answer now. Try again.';
  return new RefusedError(response.status, sentence, 1000 * (seconds || 1));
}

/**
 * Take, once, what the page has asked for while its program was on its way: join.html.
 * @param {'member' | 'scene'} name
 */
export function takeEarly(name) {
  const sent = window.early?.[name];
  if (window.early) delete window.early[name];
  return sent;
}

/**
 * Send a request; what it throws says in a sentence what is wrong. One that was sent early is only
 * waited for, unless it has failed.
 * @type {(address: string, options?: RequestInit, early?: Promise<Response | null>) => Promise<Response>}
 */
export async function request(address, options = {}, early = undefined) {
  const response = await early?.catch(() => null) ?? await fetch(address, options).catch(() => {
    throw new RefusedError(0, 'There is no connection to the server. Check the network.');
  });
  if (!response.ok) throw await refusal(response);
  return response;
}

/**
 * Send values and return those that are answered.
 * @type {(address: string, values: object, headers?: Record<string, string>,
 *   early?: Promise<Response | null>) => Promise<any>}
 */
export async function post(address, values, headers = {}, early = undefined) {
  const body = JSON.stringify(values);
  const type = { 'Content-Type': 'application/json' };
  const options = { method: 'POST', body, headers: { ...type, ...headers } };
  const response = await request(address, options, early);
  return response.json();
}

/** The events of a room: they go on after a cut, and after a phone has slept. */
export class Stream {
  isOver = false;
  seen = 0;
  cut = new AbortController();
  wake = () => {};
  /** @type {number | undefined} */
  watchdog;

  /**
   * @param {string} address
   * @param {Record<string, string>} headers
   * @param {{ [Name in keyof Events]: (event: Events[Name]) => void }
   *   & { connected: (is: boolean) => void, refused: (error: RefusedError) => void }} host
   */
  constructor(address, headers, host) {
    this.address = address;
    this.headers = headers;
    this.host = host;
    this.ends = new AbortController();
    const doubt = () => {
      if (document.hidden) return;
      if (Date.now() - this.seen > STALE) this.cut.abort();
      this.wake();
    };
    for (const name of ['visibilitychange', 'pageshow', 'online']) {
      const target = name === 'visibilitychange' ? document : window;
      target.addEventListener(name, doubt, { signal: this.ends.signal });
    }
    window.addEventListener('offline', () => this.cut.abort(), { signal: this.ends.signal });
    this.run();
  }

  async run() {
    for (let failures = 0; !this.isOver; failures += 1) {
      try {
        await this.listen(() => { failures = 0; });
      } catch (error) {
        if (error instanceof RefusedError && error.isGone) {
          this.end();
          this.host.refused(error);
        }
      }
      if (this.isOver) return;
      this.host.connected(false);
      await this.pause(WAITS[Math.min(failures, WAITS.length - 1)]);
    }
  }

  /** @param {() => void} began */
  async listen(began) {
    this.cut = new AbortController();
    this.expect();
    const { headers, cut: { signal } } = this;
    const response = await request(this.address, { headers, signal, cache: 'no-store' });
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    const decoder = new TextDecoder();
    this.host.connected(true);
    began();
    for (let text = ''; ;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.expect();
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = /** @type {string} */ (blocks.pop());
      for (const block of blocks) this.hear(block);
    }
  }

  /** @param {string} block the lines of an event */
  hear(block) {
    const field = (/** @type {string} */ name) => block.split('\n')
      .filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2))[0];
    const [name, data] = [field('event'), field('data')];
    if (!name || !(name in this.host)) return;
    if (name === 'end') this.end();
    this.host[/** @type {keyof Events} */ (name)](JSON.parse(data || '{}'));
  }

  /** Take note of a sign of life; without another one the connection is cut. */
  expect() {
    this.seen = Date.now();
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => this.cut.abort(), SILENCE);
  }

  /** @param {number} wait */
  pause(wait) {
    return new Promise((done) => {
      const timer = setTimeout(done, wait);
      this.wake = () => {
        clearTimeout(timer);
        done(undefined);
      };
    });
  }

  end() {
    this.isOver = true;
    clearTimeout(this.watchdog);
    this.ends.abort();
    this.cut.abort();
    this.wake();
  }
}
