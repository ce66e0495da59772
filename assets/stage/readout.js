/**
 * The readout: all that is read beside the picture. The caption, the ledger, the algorithm, the
 * headline numbers and the legend.
 * @module
 */
import {
  lightRows, markLine, placeOf, renderLedger, renderLegend, renderPseudocode, renderResults,
  walkRows,
} from './ledger.js';
import { partOf } from './page.js';
import { writePair } from './pair.js';
/** @import { Frame, Scene, Theme } from './types' */

export class Readout {
  /** What is written. @type {Frame | null} */
  frame = null;
  /** @type {Theme | null} */
  theme = null;

  /**
   * @param {HTMLElement} root
   * @param {(place: string | null) => void} point hears of the row that the pointer or the focus is
   *   on, as `block.row`
   */
  constructor(root, point) {
    this.root = root;
    this.caption = partOf(root, 'caption');
    this.ledger = partOf(root, 'ledger');
    this.legend = partOf(root, 'legend');
    this.pseudocode = partOf(root, 'pseudocode');
    this.results = partOf(root, 'results');
    const enter = (/** @type {Event} */ { target }) => point(placeOf(this.ledger, target));
    const leave = () => point(placeOf(this.ledger, document.activeElement));
    for (const type of ['pointerover', 'focusin']) this.ledger.addEventListener(type, enter);
    for (const type of ['pointerleave', 'focusout']) this.ledger.addEventListener(type, leave);
  }

  /**
   * Write what belongs to a frame.
   * @param {Scene} scene
   * @param {number} index
   * @param {Theme} theme
   * @param {{ quiet: boolean }} how `quiet`: the caption is not announced
   */
  write(scene, index, theme, { quiet }) {
    const frame = scene.frames[index];
    if (this.frame === frame && this.theme === theme) return;
    Object.assign(this, { frame, theme });
    this.caption.setAttribute('aria-live', quiet ? 'off' : 'polite');
    this.say(frame.caption);
    writePair(this.root, scene, index);
    renderPseudocode(this.pseudocode, scene.pseudocode);
    markLine(this.pseudocode, scene.pseudocode?.current[index]);
    renderResults(this.results, scene.results?.[index] ?? []);
    renderLedger(this.ledger, frame.ledger, theme);
    renderLegend(this.legend, scene.legend, theme);
  }

  /** Say something in place of the caption. @param {string} text */
  say(text) {
    this.caption.textContent = text;
  }

  /** Light the rows of the ledger at these places, and no others. @param {string[]} places */
  light(places) {
    lightRows(this.ledger, places);
  }

  /**
   * Go from row to row of the ledger; true if the key was for that.
   * @param {KeyboardEvent} event
   */
  key(event) {
    return walkRows(this.ledger, event);
  }
}
