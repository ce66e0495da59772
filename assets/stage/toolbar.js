/**
 * The toolbar over the picture: the zoom, the ledger's column and the whole screen.
 * @module
 */
import { fillScreen, recall, remember } from './page.js';
/** @import { View } from './view.js' */

export class Toolbar {
  /** What it is remembered by whether the ledger is folded away. */
  foldName = '';

  /**
   * @param {HTMLElement} bar
   * @param {View} view
   * @param {HTMLElement | null} menu what stands after the first button
   */
  constructor(bar, view, menu) {
    const button = (/** @type {string} */ label, /** @type {() => void} */ act) => {
      const element = document.createElement('button');
      Object.assign(element, { type: 'button', textContent: label, onclick: act });
      return bar.appendChild(element);
    };
    this.view = view;
    this.resetButton = button('Reset zoom', () => view.reset());
    if (menu) bar.append(menu);
    this.foldButton = button('Ledger', () => {
      const folded = !view.root.classList.contains('dm-folded');
      remember(this.foldName, String(folded));
      this.fold(folded);
    });
    this.foldButton.classList.add('dm-fold');
    const screenButton = button('Full screen', () => fillScreen(view.root));
    screenButton.title = 'Full screen (F), back by Esc';
    screenButton.hidden = !document.fullscreenEnabled;
  }

  /** A projector shows the ledger only when it is asked for. @param {boolean} projector */
  load(projector) {
    this.foldName = projector ? 'dm-folded-projector' : 'dm-folded';
    this.fold((recall(this.foldName) ?? String(projector)) === 'true');
  }

  /** Fold the ledger's column away, so that the picture gets its room. @param {boolean} folded */
  fold(folded) {
    this.view.root.classList.toggle('dm-folded', folded);
    this.foldButton.setAttribute('aria-expanded', String(!folded));
    this.foldButton.title = folded ? 'Show the ledger' : 'Hide the ledger';
    this.view.resize();
  }

  /** Offer to reset the zoom only where there is one. */
  update() {
    this.resetButton.hidden = !this.view.zoomed;
  }
}
