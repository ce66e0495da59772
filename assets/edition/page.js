/**
 * A page of the edition: the stage, with what was computed before in place of a server.
 * @module
 */
import { Stage } from '../stage/stage.js';
import { computedPlaces, homesOf, placeOf, sceneAt } from './sliders.js';
import { bytesOf, valueOf } from './store.js';
/** @import { Choice, Message, Question, Quiz } from '../stage/types' */
/**
 * @typedef {{ slug: string, app: string, first: string,
 *   states: { name: string, title: string, note: string, path: string }[] }} Config
 * @typedef {{ scene: string, still: boolean, at: number, controls: Choice[],
 *   ends: number[], pairs: number[][], asks: boolean, code: string, link: string }} State
 * @typedef {{ scene: string, data: string, link: string, seed: string, round: Question[],
 *   decisions: Question[] }} Round
 */

/** An element of the page; those below the picture may not be there yet. @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

export class Page {
  /** The state that is shown. @type {State | null} */
  state = null;
  name = '';
  /** Of its sliders. @type {number[]} */
  places = [];
  /** Counts what moves the player. */
  serial = 0;
  /** Of what is loaded: only the last one is shown. */
  turn = 0;
  rounds = 0;
  /** Of the last message of the stage. */
  number = 0;

  /**
   * @param {HTMLElement} root of the stage
   * @param {Config} config
   */
  constructor(root, config) {
    this.config = config;
    this.stage = new Stage(root, { changed: (message) => this.answer(message) });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.stage.retheme();
      this.stage.view.invalidate();
    });
    /** @type {HTMLSelectElement} */ (element('states')).onchange = ({ target }) => {
      this.adopt(/** @type {HTMLSelectElement} */ (target).value);
    };
    window.addEventListener('hashchange', () => {
      const { known } = this;
      if (known !== this.name) this.show(known, true);
    });
    document.addEventListener('DOMContentLoaded', () => this.write());
  }

  /** The state that the address names, or that in which the page opens. */
  get known() {
    const name = decodeURIComponent(location.hash.slice(1));
    return this.config.states.some((state) => state.name === name) ? name : this.config.first;
  }

  /** Show a state, and say so in the address. @param {string} name */
  adopt(name) {
    history.pushState(null, '', `#${name}`);
    this.show(name);
  }

  /**
   * Do what may have to load something; say so where that is missing.
   * @param {() => Promise<() => void>} load what then shows it
   */
  async perform(load) {
    this.turn += 1;
    const { turn } = this;
    try {
      const paint = await load();
      if (turn !== this.turn) return;
      element('fault').hidden = true;
      paint();
    } catch (error) {
      console.error(error);
      element('fault').hidden = false;
      this.stage.link.talk.heard(this.number);
    }
  }

  /**
   * Show a state from its beginning.
   * @param {string} name
   * @param {boolean} [scrolls] whether it was chosen elsewhere on the page
   */
  show(name, scrolls = false) {
    return this.perform(async () => {
      /** @type {State} */
      const state = await valueOf(`${this.config.slug}/${name}`);
      return () => {
        Object.assign(this, { state, name, places: homesOf(state.controls) });
        this.serial += 1;
        this.paint(bytesOf(state.scene), state.controls, null);
        this.write();
        if (scrolls) this.stage.root.scrollIntoView({ block: 'start' });
        if (state.still) this.complete();
      };
    });
  }

  /** Show the state with its steps, where it came as one picture. */
  complete() {
    return this.perform(async () => {
      const { bytes, controls } = await this.whole();
      return () => this.paint(bytes, controls, null, this.stage.player.frame);
    });
  }

  /** The state with all of its steps. */
  async whole() {
    const { config: { slug }, name, state } = this;
    if (!state) throw new Error('There is no state yet.');
    const scene = state.still ? await valueOf(`${slug}/${name}.steps`) : state.scene;
    return { bytes: bytesOf(scene), controls: state.controls };
  }

  /**
   * @param {Uint8Array} bytes
   * @param {Choice[]} controls
   * @param {Quiz | null} quiz
   * @param {number} [at]
   */
  paint(bytes, controls, quiz, at = this.state?.at ?? 0) {
    const { asks = false } = this.state ?? {};
    const isRound = quiz !== null && quiz.mode !== 'predict';
    const frame = { at: isRound ? 0 : at, serial: this.serial };
    this.stage.load(bytes, this.number, {
      controls, quiz, frame, asks: asks || isRound, edit: null, selectable: false, draft: false,
    });
    const { pinButton, unpinButton } = this.stage.toolbar;
    pinButton.hidden = unpinButton.hidden = true;  // nothing else could be pinned
  }

  /** Answer a message of the stage. @param {Message} message */
  answer({ name, value, number }) {
    this.number = Number(number);
    if (name === 'predict') return this.predict(value === 'true');
    if (name === 'practice') return value ? this.practise(String(value)) : this.show(this.name);
    return this.move(name, String(value));
  }

  /**
   * Show what a slider does to the state; say so where the other one does not stay where it is.
   * @type {(name: string, value: string) => Promise<void>}
   */
  move(name, value) {
    return this.perform(async () => {
      const { config: { slug }, places: from, state } = this;
      if (!state) throw new Error('There is no state yet.');
      const { controls } = state;
      const wanted = controls.map((control, i) => (
        control.name === name ? placeOf(control, value) : from[i]));
      const places = computedPlaces(state, from, wanted);
      const bytes = await sceneAt(`${slug}/${this.name}`, state, places);
      const moved = controls.map((control, i) => (
        { ...control, value: control.options[places[i]][0] }));
      const other = moved.find((_, i) => places[i] !== wanted[i]);
      return () => {
        this.places = places;
        this.paint(bytes, moved, null);
        this.write(moved.filter((each, i) => each.value !== controls[i].value));
        if (state.ends.some((i) => moved[i].value !== controls[i].value)) {
          element('note').textContent = 'Here only the last step of each position was computed.';
        }
        if (!other) return;
        const label = other.options[placeOf(other, other.value)][1];
        element('note').textContent = state.pairs.length
          ? 'Of two sliders only some pairs of positions were computed: these are the nearest.'
          : `${other.label} is back at ${label}: here two sliders were not computed together.`;
      };
    });
  }

  /** Let steps wait for an answer, or not. @param {boolean} predicts */
  predict(predicts) {
    const { config: { slug }, name } = this;
    return this.perform(async () => {
      const { bytes, controls } = await this.whole();
      const questions = predicts ? await valueOf(`${slug}/${name}.questions`) : null;
      return () => {
        this.places = homesOf(controls);
        this.paint(bytes, controls, questions && { mode: 'predict', questions });
        this.write();
      };
    });
  }

  /** Begin a round of practice on other data. @param {string} mode */
  practise(mode) {
    return this.perform(async () => {
      /** @type {Round[]} */
      const rounds = await valueOf(`${this.config.slug}/practice`);
      const { scene, round, decisions } = rounds[this.rounds % rounds.length];
      return () => {
        this.rounds += 1;
        this.serial += 1;
        const questions = mode === 'all' ? decisions : round;
        this.paint(bytesOf(scene), [], { mode: mode === 'all' ? 'all' : '1', questions });
      };
    });
  }

  /**
   * Write what stands around the picture.
   * @param {Choice[]} [moved] the sliders that are not where the state has them
   */
  write(moved = []) {
    const { state, name } = this;
    const choice = this.config.states.find((each) => each.name === name);
    if (!state || !choice) return;
    /** @type {HTMLSelectElement} */ (element('states')).value = name;
    const saysWhatToSee = choice !== this.config.states[0];  // the first says what the technique does
    const mark = moved.length && saysWhatToSee ? 'Changed since: ' : '';
    element('note').textContent = mark + choice.note;
    if (element('code')) {
      element('code').textContent = state.code;
      element('code-part').hidden = !state.code;
    }
    this.lead(state, moved);
  }

  /** Let a link lead to the same in the full app. @type {(state: State, moved: Choice[]) => void} */
  lead({ link }, moved) {
    const full = /** @type {HTMLAnchorElement} */ (element('full'));
    const [page, query] = link.split('?');
    const settings = new URLSearchParams(query);
    for (const { name, value } of moved) settings.set(name, value);
    full.hidden = !this.config.app;
    full.href = `${this.config.app}/${page}${moved.length || query ? '?' : ''}${settings}`;
  }
}
