/**
 * What a stage has on its page: its elements, the ways to the controls, the key that fills the
 * screen, the server's return, and what is remembered from page to page.
 * @module
 */
import { arrangePair } from './pair.js';
/** @import { PanelSpec } from './types' */

// Width of a plane, in heights, from which it gets more than its share, and is over the others.
const BROAD = 1.2;
const WIDE = 1.9;
const TYPED = 'input:not([type=range], [type=checkbox], [type=radio]), textarea, select, '
  + '[role=combobox]';

export const SKELETON = `
  <button type="button" class="dm-skip">Skip to the controls</button>
  <div class="dm-bar" role="toolbar" aria-label="Picture"><div class="dm-legend"></div></div>
  <div class="dm-body">
    <div class="dm-main"></div>
    <p class="dm-pinned"></p>
    <p class="dm-caption" aria-live="polite"></p>
    <p class="dm-difference" data-testid="difference" role="status"></p>
    <section class="dm-question" data-testid="question" aria-label="Question" hidden>
      <p class="dm-prompt" aria-live="polite"></p>
      <p class="dm-verdict" data-testid="verdict" role="status" hidden></p>
      <div class="dm-reply">
        <div class="dm-answer" role="group" aria-label="Your answer"></div><div class="dm-acts"></div>
      </div>
    </section>
    <div class="dm-player" role="group" aria-label="Player"></div>
    <div class="dm-side">
      <div class="dm-panels"></div>
      <div class="dm-tabs" role="group" aria-label="Beside the picture">
        <button type="button" data-tab="ledger">Numbers</button>
        <button type="button" data-tab="pseudocode">Algorithm</button></div>
      <div class="dm-ledger"></div>
      <div class="dm-pseudocode"><p>Algorithm <span class="dm-source"></span></p><ol></ol></div>
    </div>
    <div class="dm-aside"><dl class="dm-results"></dl><div class="dm-controls"></div></div>
  </div>
  <div class="dm-tip" hidden></div>`;

/** The element of a stage that has the class `dm-` and this name. */
export const partOf = (/** @type {HTMLElement} */ root, /** @type {string} */ name) => (
  /** @type {HTMLElement} */ (root.querySelector(`.dm-${name}`)));

/**
 * Let the button of the stage, and one at the head of the page, lead to the controls.
 * @param {HTMLElement} button
 * @param {() => void} focus
 */
export function skipLinks(button, focus) {
  document.querySelector('body > .dm-skip')?.remove();  // of the page before
  const copy = /** @type {HTMLElement} */ (button.cloneNode(true));
  document.body.insertBefore(copy, document.body.firstChild);
  const both = [button, copy];
  for (const skip of both) skip.onclick = focus;
  return {
    hide: (/** @type {boolean} */ hidden) => both.forEach((skip) => { skip.hidden = hidden; }),
    end: () => copy.remove(),
  };
}

/** The width of a panel's plane in heights. @param {PanelSpec} spec */
const aspect = ({ x, y }) => (x.high - x.low) / (y.high - y.low);

/**
 * Let panels stand in a place, in their order.
 * @type {(place: Element, panels: PanelSpec[], boxOf: (name: string) => HTMLElement) => void}
 */
export function stand(place, panels, boxOf) {
  const boxes = panels.map(({ name }) => boxOf(name));
  if (boxes.some((box, i) => place.children[i] !== box)) place.append(...boxes);
}

/**
 * Let the panels of a scene share the stage: each stands where and in the order that the scene
 * says, wherever it stood in the one before. `boxOf` gives the element of a panel by its name.
 * @param {HTMLElement} root
 * @param {PanelSpec[]} panels
 * @param {(name: string) => HTMLElement} boxOf
 */
export function arrange(root, panels, boxOf) {
  const large = panels.filter((panel) => !panel.side);
  const small = panels.filter((panel) => panel.side);
  const paired = arrangePair(partOf(root, 'main'), panels, boxOf);
  root.classList.toggle('dm-pair', paired);
  if (!paired) {
    stand(partOf(root, 'main'), large, boxOf);
    stand(partOf(root, 'panels'), small, boxOf);
  }
  root.classList.toggle('dm-several', large.length > 1 && !paired);
  // A wide plane with equal units would be a strip in a narrow panel: then it is broader than the
  // other panels, or all stand one over the other.
  const plane = large.length > 1 && !paired && large[0].equal ? aspect(large[0]) : 0;
  root.classList.toggle('dm-stacked', plane > WIDE);
  root.classList.toggle('dm-broad', plane > BROAD && plane <= WIDE);
  root.classList.toggle('dm-panelled', small.length > 0 && !paired);
  root.style.setProperty('--dm-large', String(large.length));
}

/**
 * Let the buttons of the tabs choose what stands beside the picture; it is remembered.
 * @type {(tabs: HTMLElement, root: HTMLElement) => void}
 */
export function chooseTab(tabs, root) {
  const buttons = [...tabs.querySelectorAll('button')];
  const choose = (/** @type {string} */ name) => {
    root.classList.toggle('dm-algorithm', name === 'pseudocode');
    for (const each of buttons) each.setAttribute('aria-pressed', String(each.dataset.tab === name));
  };
  for (const each of buttons) {
    each.onclick = () => {
      choose(String(each.dataset.tab));
      remember('dm-tab', String(each.dataset.tab));
    };
  }
  choose(recall('dm-tab') ?? 'ledger');
}

/** Fill the screen with an element, or leave it again. @param {HTMLElement} element */
export function fillScreen(element) {
  if (document.fullscreenElement === element) document.exitFullscreen();
  else element.requestFullscreen?.().then(() => element.focus({ preventScroll: true }));
}

/** Act when F is pressed anywhere on the page; return what ends that. @param {() => void} act */
export function onF(act) {
  const listen = (/** @type {KeyboardEvent} */ event) => { if (isPlainF(event)) act(); };
  document.addEventListener('keydown', listen);
  return () => document.removeEventListener('keydown', listen);
}

/**
 * Act when the server can be reached again; return what ends that. A saved page has no server.
 * @param {() => void} act
 */
export function onReturn(act) {
  const app = /** @type {HTMLElement | null} */ (document.querySelector('[data-testid=stApp]'));
  const observer = new MutationObserver(() => {
    if (app?.dataset.testConnectionState === 'CONNECTED') act();
  });
  if (app) observer.observe(app, { attributeFilter: ['data-test-connection-state'] });
  return () => observer.disconnect();
}

/**
 * Whether a key press is the letter F by itself, and not typed into something.
 * @param {KeyboardEvent} event
 */
function isPlainF({ key, target, ctrlKey, metaKey, altKey, repeat }) {
  const element = /** @type {HTMLElement} */ (target);
  const typed = element.isContentEditable || element.closest?.(TYPED);
  return key.toLowerCase() === 'f' && !ctrlKey && !metaKey && !altKey && !repeat && !typed;
}

/**
 * Where cookies are forbidden, the browser forbids this too.
 * @type {(name: string, value: string) => void}
 */
export function remember(name, value) {
  try { localStorage.setItem(name, value); } catch { /* then it is forgotten */ }
}

/** @type {(name: string) => string | null} */
export function recall(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}
