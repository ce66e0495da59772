/**
 * What a row of the ledger and a mark have to do with each other: the same class, or the same
 * number of the same thing (a row of the data, say). Drawn as outlines over the picture and around
 * rows of tables, never as a colour alone.
 * @module
 */
import { outline } from './outline.js';
import { NO_CLASS } from './scene.js';
/** @import { Block, Context, Mark, Moment, Places, Theme, Topic, Values } from './types' */

/** @type {(values: Values | undefined, i: number) => number | undefined} */
const only = (values, i) => values?.[values.length === 1 ? 0 : i];

/**
 * What row `i` of a block of the ledger is about; null for nothing.
 * @type {(block: Block | undefined, i: number) => Topic | null}
 */
export function topicOf(block, i) {
  if (!block?.rows?.[i]) return null;
  const number = block.numbers?.[i] ?? null;
  if (number !== null) return { of: block.of, number, color: null };
  return block.classes ? { of: null, number: null, color: i } : null;
}

/**
 * What part `index` of a mark is about.
 * @type {(mark: Mark, index: number, moment: Moment) => Topic}
 */
export function topicsOf(mark, index, moment) {
  const number = only(mark.get('numbers', moment), index) ?? null;
  const color = mark.kind === 'Line' ? mark.color : only(mark.get('color', moment), index);
  return { of: mark.of, number, color: color ?? null };
}

/**
 * Whether a row of a table answers to part of a mark, and the other way round.
 * @type {(topic: Topic, part: Topic) => boolean}
 */
const same = (topic, part) => (topic.number === null ? topic.color === part.color
  : topic.of === part.of && topic.number === part.number);

/** @type {(mark: Mark, moment: Moment) => number} */
function countOf(mark, moment) {
  if (mark.kind === 'Line') return 1;
  if (mark.kind === 'Raster') return mark.get('pixels', moment).length;
  return (mark.get('x', moment) ?? mark.get('x0', moment) ?? []).length;
}

/**
 * The parts of a mark that a row of a table is about.
 * @type {(mark: Mark, topic: Topic, moment: Moment) => number[]}
 */
export function partsOf(mark, topic, moment) {
  if (!mark.of || mark.kind === 'Cells' || mark.kind === 'Texts') return [];
  if ((topic.number !== null || mark.kind === 'Raster') && !mark.channels.numbers) return [];
  const parts = [...Array(countOf(mark, moment)).keys()];
  return parts.filter((i) => same(topic, topicsOf(mark, i, moment)));
}

/**
 * The places in the ledger that answer to part of a mark, as `block.row`.
 * @type {(ledger: Block[], mark: Mark, index: number, moment: Moment) => string[]}
 */
export function rowsFor(ledger, mark, index, moment) {
  if (!mark.of) return [];
  const part = topicsOf(mark, index, moment);
  if (part.color === NO_CLASS) part.color = null;
  return ledger.flatMap((block, b) => (block.rows ?? []).flatMap((_, r) => {
    const topic = topicOf(block, r);
    return topic && same(topic, part) ? [`${b}.${r}`] : [];
  }));
}

/**
 * Outline all that a row of a table is about; returns how many parts of marks that is.
 * @param {Context} g
 * @param {Mark[]} marks
 * @param {Topic} topic
 * @param {Moment} moment
 * @param {Places} axes
 * @param {Theme} theme
 */
export function light(g, marks, topic, moment, axes, theme) {
  let lit = 0;
  for (const mark of marks) {
    const parts = partsOf(mark, topic, moment);
    if (parts.length) outline(g, mark, parts, moment, axes, theme);
    lit += parts.length;
  }
  return lit;
}
