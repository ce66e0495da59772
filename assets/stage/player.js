/**
 * The player: which frame is shown, the clock, the bar of controls and the keys.
 * @module
 */
/** @import { Moment } from './types' */

export const SPEEDS = [0.5, 1, 2, 4, 8, 16, 30, 60];
const DEFAULT_SPEED = 2;
const SHOW = 90;  // milliseconds between two positions of the slider, or captions, while playing
const GLIDE = 220;  // milliseconds in which marks move to their next place,
const HASTY = 4;  // unless there are more steps than this in a second
const NAP = 40;  // milliseconds from which on it is worth sleeping until the next step

const ICONS = {
  first: 'M4 4h2v12H4zM16 4v12l-9-6z', back: 'M13 4v12l-8-6zM14 4h2v12h-2z', play: 'M5 3v14l12-7z',
  pause: 'M5 3h4v14H5zM11 3h4v14h-4z', forward: 'M7 4v12l8-6zM4 4h2v12H4z',
  last: 'M4 4v12l9-6zM14 4h2v12h-2z',
  loop: 'M5 7h8V4l4 4-4 4V9H7v3H5zM15 13H7v3l-4-4 4-4',
};
const LABELS = {
  first: 'First step (Home)', back: 'Step back (left arrow)', play: 'Play (space)',
  forward: 'Step forward (right arrow)', last: 'Last step (End)', loop: 'Loop',
};
/** @type {Record<string, string>} */
const KEYS = {
  ' ': 'play', ArrowRight: 'forward', ArrowLeft: 'back', Home: 'first', End: 'last',
  '+': 'faster', '=': 'faster', '-': 'slower',
};

const icon = (/** @type {keyof typeof ICONS} */ name) => '<svg viewBox="0 0 20 20" width="18" '
  + `height="18" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
const button = (/** @type {keyof typeof LABELS} */ name, more = '') => '<button type="button" '
  + `data-act="${name}" title="${LABELS[name]}" aria-label="${LABELS[name]}"${more}>`
  + `${icon(name)}</button>`;

const BAR = `<div class="dm-buttons">
    ${button('first')}${button('back')}${button('play')}${button('forward')}${button('last')}</div>
  <input type="range" min="0" step="1" aria-label="Step">
  <output class="dm-count"></output>
  <label class="dm-speed"><span class="dm-hidden">Speed</span>
    <select aria-label="Speed in steps per second">
      ${SPEEDS.map((speed) => `<option value="${speed}">${speed}/s</option>`).join('')}
    </select></label>
  ${button('loop', ' class="dm-loop" aria-pressed="false"')}
  <button type="button" class="dm-predict" aria-pressed="false" hidden
    title="Answer before each step that has a question">Predict</button>
  <button type="button" class="dm-practise" hidden title="A round of questions">Practise</button>`;

export class Player {
  frame = 0;
  frames = 1;
  /** The frame that the marks glide from, and since when. */
  from = 0;
  started = -Infinity;
  /** Whether only the frame that is shown is here. */
  still = false;
  playing = false;
  loop = false;
  hidden = false;
  /** Whether there is time to read what is shown. */
  legible = true;
  speed = DEFAULT_SPEED;
  glide = GLIDE;
  /** Milliseconds more at the end, before a loop begins again. */
  linger = 0;
  /** When the next step is due, and when the player has last said where it is. */
  due = 0;
  shownAt = 0;
  /** Whether there is something new to paint: a clock that runs is nothing new. */
  stale = false;
  /** @type {number | undefined} */
  request;
  /** @type {number | undefined} */
  napping;

  /**
   * @param {HTMLElement} bar the element that gets the controls
   * @param {{ paint: () => void, settled: (frame: number) => void,
   *   holds: (frame: number) => boolean }} host `holds` says whether a step has to wait
   */
  constructor(bar, host) {
    this.bar = bar;
    this.host = host;
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
    bar.innerHTML = BAR;
    this.range = /** @type {HTMLInputElement} */ (bar.querySelector('input'));
    this.count = /** @type {HTMLOutputElement} */ (bar.querySelector('output'));
    this.select = /** @type {HTMLSelectElement} */ (bar.querySelector('select'));
    this.select.value = String(this.speed);
    /** The buttons of questions. */
    this.questions = {
      predict: /** @type {HTMLButtonElement} */ (bar.querySelector('.dm-predict')),
      practise: /** @type {HTMLButtonElement} */ (bar.querySelector('.dm-practise')),
    };
    for (const element of bar.querySelectorAll('button[data-act]')) {
      const one = /** @type {HTMLButtonElement} */ (element);
      one.onclick = () => this.act(String(one.dataset.act));
    }
    this.range.oninput = () => {
      const wanted = Number(this.range.value);  // pausing puts the slider where the picture is
      this.pause();
      this.go(wanted);
    };
    this.select.onchange = () => { this.speed = Number(this.select.value); };
  }

  /**
   * Take over a new scene: the position stays, and the end stays the end. A `still` has only the
   * frame that is shown.
   * @param {number} frames
   * @param {number | null} [frame]
   * @param {boolean} [still]
   */
  load(frames, frame = null, still = false) {
    this.still = still;
    const wasLast = this.frames > 1 && this.frame === this.frames - 1;
    const wanted = frame ?? (wasLast ? frames - 1 : this.frame);
    this.frames = frames;
    this.frame = this.from = Math.max(0, Math.min(wanted, frames - 1));
    this.started = -Infinity;
    this.bar.classList.toggle('dm-still', frames < 2);
    this.range.max = String(frames - 1);
    this.show();
  }

  /**
   * Say where the player is; while playing seldom: nobody reads sixty numbers a second, and every
   * one would be laid out.
   */
  show() {
    const now = performance.now();
    const slow = !this.playing || 1000 / this.speed >= SHOW;
    this.legible = slow || this.frame === this.frames - 1 || now - this.shownAt >= SHOW;
    if (!this.legible) return;
    this.shownAt = now;
    this.range.value = String(this.frame);
    const last = this.frames - 1;
    this.range.style.setProperty('--dm-share', `${(100 * this.frame) / Math.max(1, last)}%`);
    this.range.setAttribute('aria-valuetext', `step ${this.frame} of ${last}`);
    const count = `${this.frame} / ${last}`;  // what is written is laid out
    if (this.count.textContent !== count) this.count.textContent = count;
  }

  /** When it is, for marks. @returns {Moment} */
  get moment() {
    if (this.still) return { frame: 0, from: 0, t: 1 };
    return { frame: this.frame, from: this.from, t: this.progress };
  }

  get progress() {
    if (this.calm.matches || (this.playing && this.speed > HASTY)) return 1;
    const left = 1 - Math.min(1, (performance.now() - this.started) / this.glide);
    return 1 - left ** 3;
  }

  /** @type {(frame: number, glide?: boolean) => void} */
  go(frame, glide = false) {
    const next = Math.max(0, Math.min(this.frames - 1, frame));
    if (next === this.frame) return;
    const near = glide && Math.abs(next - this.frame) === 1;
    this.from = near ? this.frame : next;
    this.started = near ? performance.now() : -Infinity;
    this.frame = next;
    this.show();
    this.wake();
    this.host.settled(next);
  }

  /** @param {string} name */
  act(name) {
    /** @type {Record<string, () => void>} */
    const acts = {
      play: () => (this.playing ? this.pause() : this.play()),
      loop: () => {
        this.loop = !this.loop;
        this.bar.querySelector('.dm-loop')?.setAttribute('aria-pressed', String(this.loop));
      },
      faster: () => this.change(1),
      slower: () => this.change(-1),
      forward: () => {
        this.pause();
        if (!this.host.holds(this.frame + 1)) this.go(this.frame + 1, true);
      },
      back: () => { this.pause(); this.go(this.frame - 1, true); },
      first: () => { this.pause(); this.go(0); },
      last: () => { this.pause(); this.go(this.frames - 1); },
    };
    acts[name]();
  }

  /** Play faster or slower by so many speeds. @param {number} by */
  change(by) {
    const wanted = SPEEDS.indexOf(this.speed) + by;
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, wanted))];
    this.select.value = String(this.speed);
  }

  play() {
    if (this.frames < 2) return;
    this.playing = true;
    if (this.frame === this.frames - 1) this.go(0);
    this.due = performance.now() + 1000 / this.speed;
    this.showPlaying();
    this.wake();
    this.host.settled(this.frame);  // a rest before playing is over
  }

  pause() {
    this.playing = false;
    this.show();
    this.wake();
    this.showPlaying();
    this.host.settled(this.frame);
  }

  showPlaying() {
    const element = /** @type {HTMLElement} */ (this.bar.querySelector('[data-act=play]'));
    element.innerHTML = icon(this.playing ? 'pause' : 'play');
    element.title = this.playing ? 'Pause (space)' : LABELS.play;
    element.setAttribute('aria-label', element.title);
  }

  wake() {
    this.stale = true;
    this.watch();
  }

  watch() {
    this.request ??= requestAnimationFrame((now) => this.tick(now));
  }

  /** @param {number} now */
  tick(now) {
    this.request = undefined;
    // Half a millisecond of grace: frames come a little early or late, and 60 steps a second must
    // not become 30.
    if (this.playing && now >= this.due - 0.5) this.advance(now);
    const gliding = this.progress < 1;
    if (this.stale) this.host.paint();
    this.stale = false;
    if (this.hidden) return;
    if (gliding) this.wake();
    else if (this.playing) this.nap(this.due - now);
  }

  /** Nothing moves until the next step: leave the processor to others. @param {number} wait */
  nap(wait) {
    clearTimeout(this.napping);
    if (wait < NAP) this.watch();
    else this.napping = setTimeout(() => this.watch(), wait - NAP / 2);
  }

  /** Stand still while nobody can see it, and go on where it was. @param {boolean} hidden */
  hide(hidden) {
    this.hidden = hidden;
    if (!hidden) this.wake();
  }

  /** @param {number} now */
  advance(now) {
    this.due = Math.max(this.due + 1000 / this.speed, now);
    if (this.host.holds(this.frame + 1)) return;
    if (this.frame < this.frames - 1) {
      this.go(this.frame + 1, true);
      if (this.loop && this.frame === this.frames - 1) this.due += this.linger;
    } else if (this.loop) this.go(0);
    else this.pause();
  }

  /** Handle a key; true if it was one of the player's. @param {KeyboardEvent} event */
  key(event) {
    const name = KEYS[event.key];
    const target = /** @type {Element} */ (event.target);
    const onButton = target.closest?.('button, summary') && event.key === ' ';
    const chooses = target.tagName === 'SELECT';
    const command = event.ctrlKey || event.metaKey || event.altKey;
    if (!name || onButton || chooses || command) return false;
    this.act(name);
    return true;
  }

  stop() {
    clearTimeout(this.napping);
    if (this.request !== undefined) cancelAnimationFrame(this.request);
    this.request = undefined;
  }
}
