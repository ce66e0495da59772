/**
 * The stage as one picture: its legend over the panels, its caption under them.
 * @module
 */
import { bar } from './ledger.js';
import { symbolOf } from './theme.js';
/** @import { Panel } from './panel.js' */
/** @import { Box, Context, Key, Snapshot, Theme } from './types' */
/**
 * What a picture is made of, from top to bottom: the legend, the panels, the lines of the caption;
 * and its size.
 * @typedef {{ legend: Flowing<Key>[], places: (Box & { panel: Panel })[], caption: string[],
 *   bottom: number, line: number, size: number, width: number, height: number }} Plan
 */
/** @template Item @typedef {{ item: Item, x: number, row: number }} Flowing */

const TYPE = 14;  // pixels of the type of legend and caption
const LINE = 1.5;  // height of a line, in sizes of its type
const EDGE = 12;  // pixels beside legend and caption
const COLUMN = 0.34;  // of the width, for small panels
/** Width of a letter, in sizes of its type, where no canvas can measure it. */
export const LETTER = 0.55;

/**
 * The panels that are on the screen, each with its place in the picture below `top`.
 * @type {(snapshot: Snapshot, top: number) => Plan['places']}
 */
function placesOf({ body, panels }, top) {
  const origin = body.getBoundingClientRect();
  return panels.map((panel) => {
    const { left, top: upper, width, height } = panel.canvas.getBoundingClientRect();
    return { panel, x: left - origin.left, y: upper - origin.top + top, width, height };
  }).filter(({ width }) => width > 0);
}

/**
 * The texts of a picture of this width, and where the panels begin.
 * @type {(snapshot: Snapshot, width: number) =>
 *   Pick<Plan, 'legend' | 'caption' | 'line' | 'size'> & { top: number }}
 */
function textsOf(snapshot, width) {
  const size = TYPE * snapshot.theme.scale;
  const line = LINE * size;
  const legend = flow(snapshot.legend, ({ text }) => (2.5 + text.length * LETTER) * size, width);
  const rows = 1 + (legend.at(-1)?.row ?? -1);
  const words = snapshot.caption.split(' ');
  /** @type {string[]} */
  const caption = [];
  for (const { item, row } of flow(words, (word) => (word.length + 1) * size * LETTER, width)) {
    caption[row] = caption[row] ? `${caption[row]} ${item}` : item;
  }
  return { legend, caption, line, size, top: rows ? rows * line + size / 2 : 0 };
}

/** The picture as large as the stage is on the screen. @type {(snapshot: Snapshot) => Plan} */
export function layOut(snapshot) {
  const ends = placesOf(snapshot, 0).map((place) => place.x + place.width);
  const width = Math.max(320, ...ends);
  const { top, ...texts } = textsOf(snapshot, width);
  const places = placesOf(snapshot, top);
  const { caption, line, size } = texts;
  const bottom = Math.max(top, ...places.map((place) => place.y + place.height)) + size / 2;
  const height = Math.ceil(bottom + caption.length * line + size / 2);
  return { ...texts, places, bottom, width: Math.ceil(width), height };
}

/** How many lines the caption has in a picture of this width. @type {(snapshot: Snapshot, width: number) => number} */
export const linesOf = (snapshot, width) => textsOf(snapshot, width).caption.length;

/**
 * The picture in a size of its own, with room for so many lines of caption: the large panels as
 * they stand on the screen, the small ones in a column beside them.
 * @type {(snapshot: Snapshot, width: number, height: number, lines: number) => Plan}
 */
export function fit(snapshot, width, height, lines) {
  const { top, ...texts } = textsOf(snapshot, width);
  const bottom = height - lines * texts.line - texts.size / 2;
  const all = placesOf(snapshot, 0);
  const isLarge = (/** @type {{ panel: Panel }} */ { panel }) => panel.canvas.closest('.dm-main');
  const large = all.filter(isLarge);
  const small = all.filter((place) => !isLarge(place));
  const column = small.length ? COLUMN * width : 0;
  const [left, upper] = [Math.min(...large.map(({ x }) => x)), Math.min(...large.map(({ y }) => y))];
  const across = (width - column) / (Math.max(...large.map((box) => box.x + box.width)) - left);
  const down = (bottom - top) / (Math.max(...large.map((box) => box.y + box.height)) - upper);
  const share = Math.min((bottom - top) / small.length, column);
  const places = [
    ...large.map((box) => ({
      panel: box.panel,
      x: (box.x - left) * across,
      y: top + (box.y - upper) * down,
      width: box.width * across,
      height: box.height * down,
    })),
    ...small.map(({ panel }, i) => ({
      panel, x: width - column, y: top + i * share, width: column, height: share,
    })),
  ];
  return { ...texts, places, bottom, width, height };
}

/**
 * Put items side by side, and on a new row where one does not fit.
 * @template Item
 * @param {Item[]} items
 * @param {(item: Item) => number} lengthOf
 * @param {number} width
 * @returns {Flowing<Item>[]}
 */
function flow(items, lengthOf, width) {
  let [x, row] = [EDGE, 0];
  return items.map((item) => {
    const length = lengthOf(item);
    if (x > EDGE && x + length > width - EDGE) [x, row] = [EDGE, row + 1];
    x += length;
    return { item, x: x - length, row };
  });
}

/**
 * Draw the stage as on the screen, with its legend over it and the caption under it, onto any 2-D
 * context.
 * @type {(g: Context, snapshot: Snapshot, plan: Plan) => void}
 */
export function compose(g, { theme, moment, overlay }, { legend, places, caption, bottom, line, size }) {
  for (const { panel, ...box } of places) {
    const domain = panel.zoomed ? panel.axesOnScreen.domain : null;
    const axes = panel.scales(box, theme.scale, domain);
    panel.render(g, axes, moment, theme, (_, inside) => overlay(g, inside, panel));
  }
  g.font = `${size}px ${theme.font}`;
  g.textAlign = 'left';
  g.textBaseline = 'middle';
  for (const { item, x, row } of legend) {
    const y = (row + 0.5) * line + size / 4;
    key(g, item, x + size / 2, y, theme);
    g.fillStyle = theme.ink;
    g.fillText(item.text, x + 1.2 * size, y);
  }
  g.fillStyle = theme.ink;
  caption.forEach((text, row) => g.fillText(text, EDGE, bottom + (row + 0.5) * line));
}

/**
 * Draw the symbol of a key of the legend.
 * @type {(g: Context, item: Key, x: number, y: number, theme: Theme) => void}
 */
function key(g, { color, symbol, hollow, kind }, x, y, theme) {
  g.beginPath();
  g.translate(x, y);
  if (kind === 'mark') symbolOf(symbol ?? color).draw(g, 60 * theme.scale ** 2);
  else bar(g, kind, 6 * theme.scale);
  g.translate(-x, -y);
  g.fillStyle = hollow ? theme.background : theme.colorOf(color);
  g.globalAlpha = kind === 'area' ? 0.35 : 1;
  g.fill();
  g.globalAlpha = 1;
  if (!hollow) return;
  g.strokeStyle = theme.colorOf(color);
  g.lineWidth = 1.5 * theme.scale;
  g.stroke();
}
