/**
 * The dialog of a moving picture: which steps, how large, how fast.
 * @module
 */
import { durationsOf, movieOf, SIZE } from './movie.js';
import { SPEEDS } from './player.js';
/** @import { Snapshot } from './types' */

const WIDTHS = [640, 800, 1280, 1920];
const FASTEST = 16;  // steps per second: a GIF that is faster is slowed down by browsers
const SHORT = 'This run has one step. A moving picture needs two: choose PNG or SVG.';
const FAILED = 'The file could not be written. Choose fewer steps or a smaller size.';

/** @type {(name: string, label: string, options: [value: string | number, text: string][]) => string} */
const choice = (name, label, options) => `<label><span>${label}</span><select name="${name}">${
  options.map(([value, text]) => `<option value="${value}">${text}</option>`).join('')
}</select></label>`;
/** @type {(name: string, label: string, value: number, last: number) => string} */
const number = (name, label, value, last) => `<label><span>${label}</span><input type="number" `
  + `name="${name}" value="${value}" min="0" max="${last}" step="1" required></label>`;

const formOf = (/** @type {number} */ last) => `<form>
  <h2>Moving picture</h2>
  ${choice('format', 'Format', [['gif', 'GIF, in a loop'], ['webm', 'WebM, a video']])}
  ${number('first', 'From step', 0, last)}
  ${number('last', 'To step', last, last)}
  ${choice('width', 'Size', WIDTHS.map((width) => [
    width, `${width} × ${width * SIZE.height / SIZE.width}`]))}
  ${choice('speed', 'Speed', SPEEDS.filter((speed) => speed <= FASTEST).map((speed) => [
    speed, `${speed} steps a second`]))}
  <p class="dm-length" role="status"></p>
  <p class="dm-fault" role="alert" hidden></p>
  <progress max="1" value="0" aria-label="Written" hidden></progress>
  <div><button type="submit" class="dm-primary">Save</button>
    <button type="button">Cancel</button></div>
</form>`;

/**
 * Ask what is to be saved, and save it.
 * @param {HTMLElement} menu after which the dialog stands
 * @param {(frame?: number) => Snapshot} snapshot
 * @param {(content: Blob, name: string) => void} download
 */
export function openMovieDialog(menu, snapshot, download) {
  const { frames, name } = snapshot();
  const dialog = Object.assign(document.createElement('dialog'), { className: 'dm-movie' });
  dialog.setAttribute('aria-label', 'Moving picture');
  dialog.innerHTML = formOf(frames - 1);
  menu.after(dialog);
  const abort = new AbortController();
  const form = /** @type {HTMLFormElement} */ (dialog.querySelector('form'));
  const field = (/** @type {string} */ key) => (
    /** @type {HTMLInputElement} */ (form.elements.namedItem(key)));
  const part = (/** @type {string} */ selector) => (
    /** @type {HTMLElement} */ (form.querySelector(selector)));
  const save = /** @type {HTMLButtonElement} */ (part('[type=submit]'));
  const progress = /** @type {HTMLProgressElement} */ (part('progress'));
  Object.assign(field('width'), { value: SIZE.width });
  Object.assign(field('speed'), { value: 2 });

  const wish = () => {
    const ends = [field('first').valueAsNumber, field('last').valueAsNumber];
    const first = Math.min(...ends);
    const width = Number(field('width').value);
    return {
      format: /** @type {'gif' | 'webm'} */ (field('format').value),
      frames: Array.from({ length: Math.max(...ends) - first + 1 }, (_, i) => first + i),
      width,
      height: width * SIZE.height / SIZE.width,
      speed: Number(field('speed').value),
    };
  };
  const complain = (/** @type {string} */ text) => {
    Object.assign(part('.dm-fault'), { textContent: text, hidden: !text });
  };
  const describe = () => {
    complain(frames < 2 ? SHORT : '');
    save.disabled = frames < 2;
    if (!form.checkValidity()) return;
    const durations = durationsOf(wish());
    const seconds = durations.reduce((sum, each) => sum + each, 0) / 1000;
    part('.dm-length').textContent = `${durations.length} pictures, ${Number(seconds.toFixed(1))} s`;
  };
  const show = (/** @type {boolean} */ busy) => {
    progress.hidden = !busy;
    for (const each of form.querySelectorAll('input, select')) each.toggleAttribute('disabled', busy);
    save.disabled = busy;
  };
  const write = async () => {
    const wanted = wish();
    show(true);
    complain('');
    try {
      const file = await movieOf(snapshot, wanted, (share) => { progress.value = share; },
        abort.signal);
      download(file, `${name}.${wanted.format}`);
      dialog.close();
    } catch (error) {
      if (abort.signal.aborted) return;
      show(false);
      complain(error instanceof Error && error.message.endsWith('.') ? error.message : FAILED);
    }
  };
  form.oninput = describe;
  form.onsubmit = (event) => {
    event.preventDefault();
    write();
  };
  part('button[type=button]').onclick = () => dialog.close();
  dialog.onkeydown = (event) => event.stopPropagation();  // arrows are no steps here
  dialog.onclose = () => {
    abort.abort();
    dialog.remove();
    menu.querySelector('summary')?.focus();
  };
  describe();
  dialog.showModal();
}
