/**
 * What the outside knows of the stage: Streamlit mounts the default export, a saved page calls `mount`. `npm run build`
 * makes assets/stage.min.js of this module and all that it needs.
 * @module
 */
import { Stage } from './stage.js';

const TOKEN = 22;  // bytes behind the scene, as in ui/stage.py
const STAGES = new WeakMap();

/** Show a scene in an element and keep it there. */
export function mount(element, bytes, report = {}) {
  const stage = new Stage(element, report);
  stage.load(bytes);
  return stage;
}

/** Streamlit's entry: called again whenever the data or the theme change. */
export default function stageComponent({ data, parentElement, setStateValue }) {
  const element = parentElement.querySelector('.dm-stage');
  try {
    let stage = STAGES.get(element);
    if (!stage) {
      stage = new Stage(element, {});
      STAGES.set(element, stage);
    }
    // What Python knows is not sent again. The number makes every message a new one: the same row may be chosen again.
    const tell = (name) => (value) => {
      if (stage.known[name] === value) return;
      stage.known[name] = value;
      setStateValue(name, { value, number: Date.now() });
    };
    const end = data.length - TOKEN;
    stage.talk.token = new TextDecoder().decode(data.subarray(end)).trim();
    const say = (name) => (value) => setStateValue(name, value);
    const rest = () => setStateValue('rest', { number: Date.now() });
    const themed = say('themed');  // pictures on the page follow; Streamlit does not say so by itself
    const [changed, edited, moved] = ['changed', 'edited', 'moved'].map(say);
    Object.assign(stage.report, { changed, frame: tell('frame'), selected: tell('selected'), edited, moved, rest, themed });
    if (stage.received === data) stage.retheme();
    else stage.load(data.subarray(0, end));
    stage.received = data;
    return () => {
      // Streamlit also calls this for a call that a newer one has overtaken, while the stage is on the page.
      if (element.isConnected) return;
      stage.destroy();
      STAGES.delete(element);
    };
  } catch (error) {
    // An exception that leaves this function would show its stack to the reader.
    console.error(error);
    STAGES.get(element)?.destroy();
    STAGES.delete(element);
    element.textContent = 'The picture could not be drawn. Reload the page; if it happens again, report the link.';
    return undefined;
  }
}
