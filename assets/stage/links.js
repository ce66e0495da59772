/**
 * What a row of the ledger and a mark have to do with each other: the same class, or the same number of the same thing
 * (a row of the data, say). Drawn as outlines over the picture and around rows of tables, never as a colour alone.
 * @module
 */
import { outline } from './draw.js';
import { NO_CLASS } from './scene.js';

const only = (values, i) => values?.[values.length === 1 ? 0 : i];

/** What row `i` of a block of the ledger is about: { of, number, color }; null for nothing. */
export function topicOf(block, i) {
  if (!block?.rows?.[i]) return null;
  const number = block.numbers?.[i] ?? null;
  if (number !== null) return { of: block.of, number, color: null };
  return block.classes ? { of: null, number: null, color: i } : null;
}

/** What part `index` of a mark is about. */
export function topicsOf(mark, index, moment) {
  const color = mark.get('color', moment) ?? mark.color;
  return { of: mark.of, number: only(mark.get('numbers', moment), index) ?? null, color: (typeof color === 'object' ? only(color, index) : color) ?? null };
}

/** Whether a row of a table answers to part of a mark, and the other way round. */
const same = (topic, part) => (topic.number === null ? topic.color === part.color
  : topic.of === part.of && topic.number === part.number);

const EXTENT = { Line: () => 1, Raster: (mark, moment) => mark.get('pixels', moment).length };
const countOf = (mark, moment) => EXTENT[mark.kind]?.(mark, moment) ?? (mark.get('x', moment) ?? mark.get('x0', moment) ?? []).length;

/** The parts of a mark that a row of a table is about. */
export function partsOf(mark, topic, moment) {
  if (!mark.of || mark.kind === 'Cells' || mark.kind === 'Texts') return [];
  if ((topic.number !== null || mark.kind === 'Raster') && !mark.channels.numbers) return [];
  return [...Array(countOf(mark, moment)).keys()].filter((i) => same(topic, topicsOf(mark, i, moment)));
}

/** The places in the ledger that answer to part of a mark, as `block.row`. */
export function rowsFor(ledger, mark, index, moment) {
  if (!mark.of) return [];
  const part = topicsOf(mark, index, moment);
  if (part.color === NO_CLASS) part.color = null;
  const places = ledger.flatMap((block, b) => (block.rows ?? []).map((_, r) => ({ place: `${b}.${r}`, topic: topicOf(block, r) })));
  return places.filter(({ topic }) => topic && same(topic, part)).map(({ place }) => place);
}

/** Outline all that a row of a table is about; returns how many parts of marks that is. */
export function light(g, marks, topic, moment, axes, theme) {
  let lit = 0;
  for (const mark of marks) {
    const parts = partsOf(mark, topic, moment);
    if (parts.length) outline(g, mark, parts, moment, axes, theme);
    lit += parts.length;
  }
  return lit;
}
