/**
 * What a class has collected as data of a page: points in its link (dmlib/datasets/drawn/points.py), or
 * rows in a file that it reads.
 * @module
 */
/** @import { Collected, Row } from './types' */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const STEPS = 400;  // in a unit
const LENGTH = 5;  // characters of a point, six bits each
const MAX_POINTS = 300;

/**
 * Write points as text; each has the number of its class.
 * @type {(points: Row[], classes: string[]) => string}
 */
export function encodePoints(points, classes) {
  return points.slice(0, MAX_POINTS).map(([x, y, name]) => {
    const [across, up] = [x, y].map((value) => Math.round(Number(value) * STEPS));
    const bits = (across * 2 ** 18) + (up * 2 ** 6) + Math.max(0, classes.indexOf(String(name)));
    return Array.from({ length: LENGTH }, (_, i) => (
      DIGITS[Math.floor(bits / 64 ** (LENGTH - 1 - i)) % 64])).join('');
  }).join('');
}

/**
 * The link of a page on such points: the parameters of its method stay, its data go.
 * @type {(address: string, slug: string, points: string) => string}
 */
export function linkWith(address, slug, points) {
  const url = new URL(address);
  for (const name of [...url.searchParams.keys()]) {
    const stays = name === 'projector' || (name.startsWith(`${slug}.`) && !name.endsWith('.look_for'));
    if (!stays) url.searchParams.delete(name);
  }
  url.searchParams.set('source', 'draw');
  url.searchParams.set('points', points);
  return url.href;
}

/** A row of CSV. @param {unknown[]} cells */
const line = (...cells) => `${cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(',')}\n`;

/**
 * Rows as a file: of a table, of baskets with an item a line, or of texts.
 * @type {(rows: Row[], collected: Collected) => File}
 */
export function fileOf(rows, { reader, fields }) {
  if (reader === 'read_baskets') {
    const lines = rows.flatMap(([items], i) => [items].flat().map((item) => line(i + 1, item)));
    return new File([line('basket', 'item'), ...lines], 'class.csv');
  }
  if (reader === 'read_strings') return new File([rows.map(([text]) => text).join('\n')], 'class.txt');
  const records = rows.map((row) => Object.fromEntries(fields.map(({ name }, i) => [name, row[i]])));
  return new File([JSON.stringify(records)], 'class.json');
}
