/**
 * The highlight: what lies under the pointer or the focus, and what belongs to it, in the ledger
 * and in the picture.
 * @module
 */
import { light, rowsFor, topicOf, topicsOf } from './links.js';
/** @import { Block, Context, Lit, Mark, Moment, Places, Theme, Topic } from './types' */

export class Highlight {
  /** @type {Lit} */
  lit = {};

  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
  }

  /**
   * Light what the row of the ledger at a place is about, or the rows that are about part of a
   * mark; {} for nothing.
   * @param {Lit} lit
   */
  set(lit) {
    const { place, mark, index } = this.lit;
    if (lit.place === place && lit.mark === mark && lit.index === index) return;
    this.lit = lit;
    this.changed();
  }

  /** Let go of a mark, which is of the scene before. */
  release() {
    if (this.lit.mark) this.lit = {};
  }

  /**
   * The places of the rows of the ledger that are lit.
   * @type {(ledger: Block[], moment: Moment) => string[]}
   */
  rows(ledger, moment) {
    const { place, mark, index } = this.lit;
    if (place) return [place];
    return mark && index !== undefined ? rowsFor(ledger, mark, index, moment) : [];
  }

  /** @type {(ledger: Block[], moment: Moment) => Topic | null} */
  topic(ledger, moment) {
    const { place, mark, index } = this.lit;
    if (place) {
      const [block, row] = place.split('.').map(Number);
      return topicOf(ledger[block], row);
    }
    const topic = mark && index !== undefined ? topicsOf(mark, index, moment) : null;
    return topic?.number ? topic : null;
  }

  /**
   * Outline what is lit in a panel; returns how many parts of marks that is.
   * @param {Context} g
   * @param {Places} places
   * @param {Mark[]} marks
   * @param {Block[]} ledger
   * @param {Moment} moment
   * @param {Theme} theme
   */
  draw(g, places, marks, ledger, moment, theme) {
    const topic = this.topic(ledger, moment);
    return topic ? light(g, marks, topic, moment, places, theme) : 0;
  }
}
