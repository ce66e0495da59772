/**
 * The toolbar over the picture: the zoom, the ledger's column and the whole screen.
 * @module
 */
import { ownAddress, ownLink } from './embedding.js';
import { fillScreen, recall, remember } from './page.js';
/** @import { Scene } from './types' */
/** @import { View } from './view.js' */

export class Toolbar {
  /** What it is remembered by whether the ledger is folded away. */
  foldName = '';

  /**
   * @param {HTMLElement} bar
   * @param {View} view
   * @param {HTMLElement | null} menu what stands after the first button
   * @param {(value: string) => void} pin pins the run that is shown, or none
   */
  constructor(bar, view, menu, pin) {
    const button = (/** @type {string} */ label, /** @type {() => void} */ act) => {
      const element = document.createElement('button');
      Object.assign(element, { type: 'button', textContent: label, onclick: act });
      return bar.appendChild(element);
    };
    this.view = view;
    this.resetButton = button('Reset zoom', () => view.reset());
    this.pinButton = button('Pin', () => pin('true'));
    this.pinButton.title = 'Pin this run: it stays at the left, the controls change another one';
    this.unpinButton = button('Unpin', () => pin(''));
    this.unpinButton.title = 'Show one run again';
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
    if (ownAddress()) bar.append(ownLink());
  }

  /**
   * On a projector and beside a pinned run the ledger is shown only when it is asked for.
   * @param {Scene} scene
   * @param {boolean} pins whether there is a run that can be pinned
   */
  load({ pair, projector, selectable }, pins) {
    this.foldName = projector ? 'dm-folded-projector' : pair ? 'dm-folded-pair' : 'dm-folded';
    this.fold((recall(this.foldName) ?? String(Boolean(projector || pair))) === 'true');
    this.pinButton.hidden = !pins || !selectable;
    this.pinButton.textContent = pair ? 'Pin again' : 'Pin';
    this.unpinButton.hidden = !pins || !pair;
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
