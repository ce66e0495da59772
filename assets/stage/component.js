/**
 * What the outside knows of the stage: Streamlit mounts the default export, a saved page calls
 * `mount`. `npm run build` makes assets/stage.min.js of this module and all that it needs.
 * @module
 */
import { movieOf } from './movie.js';
import { Stage } from './stage.js';

export { writeSheets } from './worksheet.js';

const TOKEN = 22;  // bytes behind the scene, as in ui/stage.py
/**
 * Each stage, and the data that it shows.
 * @type {WeakMap<Element, { stage: Stage, data?: Uint8Array }>}
 */
const STAGES = new WeakMap();

/**
 * Show a scene in an element and keep it there, without a server.
 * @param {HTMLElement} element
 * @param {Uint8Array} bytes
 */
export function mount(element, bytes) {
  const stage = new Stage(element, {}, false);
  stage.load(bytes);
  return stage;
}

/**
 * A moving picture of what an element shows, for who drives a saved page.
 * @param {Stage} stage
 * @param {import('./movie.js').Wish} wish
 */
export function movie(stage, wish) {
  const { signal } = new AbortController();
  return movieOf((frame) => stage.snapshot(frame), wish, () => {}, signal);
}

/**
 * Streamlit's entry: called again whenever the data or the theme change.
 * @param {{ data: Uint8Array, parentElement: ParentNode,
 *   setStateValue: (name: string, value: unknown) => void }} component
 */
export default function stageComponent({ data, parentElement, setStateValue }) {
  const element = /** @type {HTMLElement} */ (parentElement.querySelector('.dm-stage'));
  const say = (/** @type {string} */ name) => (/** @type {unknown} */ value) => {
    setStateValue(name, value);
  };
  // The number makes every message a new one: the same row may be chosen again.
  const numbered = (/** @type {string} */ name) => (/** @type {unknown} */ value) => {
    setStateValue(name, { value, number: Date.now() });
  };
  try {
    const shown = STAGES.get(element) ?? { stage: new Stage(element, {}), data: undefined };
    STAGES.set(element, shown);
    const { stage } = shown;
    const end = data.length - TOKEN;
    stage.link.talk.token = new TextDecoder().decode(data.subarray(end)).trim();
    stage.link.report = {
      changed: say('changed'),
      edited: say('edited'),
      moved: say('moved'),
      themed: say('themed'),
      frame: numbered('frame'),
      selected: numbered('selected'),
      rest: () => setStateValue('rest', { number: Date.now() }),
    };
    if (shown.data === data) stage.retheme();
    else stage.load(data.subarray(0, end));
    shown.data = data;
    return () => {
      // Streamlit also calls this for a call that a newer one has overtaken, while the stage is on
      // the page.
      if (element.isConnected) return;
      stage.destroy();
      STAGES.delete(element);
    };
  } catch (error) {
    // An exception that leaves this function would show its stack to the reader.
    console.error(error);
    STAGES.get(element)?.stage.destroy();
    STAGES.delete(element);
    element.textContent = 'The picture could not be drawn. Reload the page; if it happens again, '
      + 'report the link.';
    return undefined;
  }
}
