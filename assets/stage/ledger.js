/**
 * The arithmetic of a step as small tables and formulas, and the algorithm with the line that the
 * step is. All text is set as text: names are data, never markup.
 * @module
 */
import { format, path } from '../vendor/d3.js';
import { topicOf } from './links.js';
import { symbolOf } from './theme.js';
/** @import { Block, Cell, Key, LedgerTable, Pseudocode, Result, Theme } from './types' */

/**
 * Of what an element was made; where that is the same, it stays.
 * @type {WeakMap<Element, unknown[]>}
 */
const MADE_OF = new WeakMap();
/** Letters that a symbol of the legend takes the room of. */
const SYMBOL = 4;
/** Letters of a legend that fit beside the tools of a drawing, in two lines. */
const MAX_BESIDE_TOOLS = 80;
/** Characters of a headline number that fit into its column when they are large. */
const MAX_LARGE = 9;

const exact = format('.6~g');
const scientific = format('.3~e');

/**
 * Show a number with at most six significant digits, and very large and small ones with an
 * exponent.
 * @param {Cell} cell
 */
export function show(cell) {
  return typeof cell === 'number' ? digits(cell).replaceAll('-', '\u2212') : cell ?? '';
}

/** @param {number} number */
function digits(number) {
  const size = Math.abs(number);
  if (Number.isInteger(number) && size < 1e12) {
    if (size < 1e4) return String(number);  // 1915 is a year
    return number.toLocaleString('en').replaceAll(',', '\u202f');
  }
  return size !== 0 && (size < 1e-4 || size >= 1e9) ? scientific(number) : exact(number);
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @returns {HTMLElementTagNameMap[Tag]}
 */
const make = (tag, className = '', text = '') => (
  Object.assign(document.createElement(tag), { className, textContent: text }));

/**
 * Whether an element is made of these; if not, it will be.
 * @type {(element: Element, ...parts: unknown[]) => boolean}
 */
function isMadeOf(element, ...parts) {
  const before = MADE_OF.get(element);
  MADE_OF.set(element, parts);
  return Boolean(before?.every((part, i) => part === parts[i]));
}

/**
 * A class's symbol in its colour, as a small inline picture; it may have another's shape, be
 * hollow, or be a line or an area.
 * @param {number} index
 * @param {Theme} theme
 * @param {number} [size]
 * @param {{ symbol?: number | null, hollow?: boolean, kind?: Key['kind'] }} [how]
 */
export function symbolPicture(index, theme, size = 12, how = {}) {
  const { symbol = null, hollow = false, kind = 'mark' } = how;
  const NS = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(NS, 'svg');
  svg.setAttribute('viewBox', '-8 -8 16 16');
  svg.setAttribute('width', String(size));
  svg.setAttribute('height', String(size));
  svg.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(NS, 'path');
  const outline = path();
  if (kind === 'mark') symbolOf(symbol ?? index).draw(outline, 120);
  else bar(outline, kind, 8);
  shape.setAttribute('d', outline.toString());
  if (kind === 'area') shape.setAttribute('opacity', '0.35');
  shape.setAttribute('fill', hollow ? theme.background : theme.colorOf(index));
  if (hollow) shape.setAttribute('stroke', theme.colorOf(index));
  if (hollow) shape.setAttribute('stroke-width', '2');
  svg.append(shape);
  return svg;
}

/**
 * Draw what stands for a line, a dashed line or an area, so many pixels to each side.
 * @param {{ rect: (x: number, y: number, width: number, height: number) => void }} g
 * @param {Key['kind']} kind
 * @param {number} half
 */
export function bar(g, kind, half) {
  const thick = half / 4;
  if (kind === 'area') g.rect(-half, -half, 2 * half, 2 * half);
  else if (kind === 'line') g.rect(-half, -thick, 2 * half, 2 * thick);
  else for (const left of [-half, half / 4]) g.rect(left, -thick, 0.75 * half, 2 * thick);
}

/**
 * Write into an element, unless it says so already: what is written is laid out.
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent === text) return;
  // A long name of a column breaks behind its words.
  element.replaceChildren(...text.split(/(?<=_)/).flatMap((part, i) => (
    i ? [document.createElement('wbr'), part] : [part])));
}

/**
 * Give an element a child for each item, after `before` others, and let `fill` write into it;
 * children that are there stay.
 * @template Item
 * @template {Element} Child
 * @param {Element} parent
 * @param {Item[]} items
 * @param {(i: number) => Child} create
 * @param {(child: Child, item: Item, i: number) => void} fill
 */
function fillEach(parent, items, create, fill, before = 0) {
  while (parent.children.length > before + items.length) parent.lastElementChild?.remove();
  items.forEach((item, i) => {
    const there = /** @type {Child | undefined} */ (parent.children[before + i]);
    fill(there ?? parent.appendChild(create(i)), item, i);
  });
}

/** @param {LedgerTable} block */
function tableElement({ classes }) {
  const wrap = make('div', 'dm-table');
  const table = wrap.appendChild(make('table'));
  table.createCaption();
  const head = table.createTHead().insertRow();
  if (classes) head.append(make('td'));
  table.createTBody();
  wrap.setAttribute('role', 'region');
  return wrap;
}

/** @type {(wrap: HTMLElement, block: LedgerTable, theme: Theme) => void} */
function fillTable(wrap, block, theme) {
  const table = /** @type {HTMLTableElement} */ (wrap.firstChild);
  const [caption, head, [body]] = [table.createCaption(), table.createTHead(), table.tBodies];
  write(caption, block.title);
  caption.hidden = !block.title;
  wrap.setAttribute('aria-label', block.title || 'Table of this step');
  const before = Number(Boolean(block.classes));
  /** @type {(cell: HTMLElement, sample: Cell, text: string) => void} */
  const fillCell = (cell, sample, text) => {
    cell.className = typeof sample === 'number' ? 'dm-number' : '';
    write(cell, text);
  };
  const headCell = () => Object.assign(make('th'), { scope: 'col' });
  fillEach(head.rows[0], block.head, headCell, (cell, name, i) => {
    const sample = block.rows.find((row) => row[i] !== null && row[i] !== '');
    fillCell(cell, sample?.[i] ?? null, name);
  }, before);
  fillEach(body, block.rows, (i) => lineElement(block, i, theme), (line, row, i) => {
    line.classList.toggle('dm-emphasis', block.emphasis.includes(i));
    fillEach(line, row, () => make('td'), (cell, value) => {
      fillCell(cell, value, String(show(value)));
    }, before);
    if (!topicOf(block, i)) line.removeAttribute('tabindex');
    else if (!line.hasAttribute('tabindex')) line.tabIndex = -1;
  });
  // One stop of the Tab key for the table; its arrows go from row to row.
  const linked = /** @type {HTMLElement | null} */ (
    body.querySelector('tr[tabindex="0"]') ?? body.querySelector('tr[tabindex]'));
  if (linked) linked.tabIndex = 0;
  if (linked) wrap.removeAttribute('tabindex');
  else wrap.tabIndex = 0;
}

/**
 * A row; where rows are classes, with the symbol and the number of its class.
 * @type {(block: LedgerTable, i: number, theme: Theme) => HTMLElement}
 */
function lineElement({ classes }, i, theme) {
  const line = make('tr');
  if (!classes) return line;
  const cell = line.appendChild(make('td', 'dm-key'));
  cell.append(symbolPicture(i, theme), ` ${i + 1}`);
  return line;
}

/**
 * Fill the element with the legend: a symbol and a name each.
 * @type {(element: HTMLElement, keys: Key[], theme: Theme) => void}
 */
export function renderLegend(element, keys, theme) {
  if (isMadeOf(element, JSON.stringify(keys), theme)) return;
  element.replaceChildren(...keys.map((key) => {
    const item = make('span');
    item.append(symbolPicture(key.color, theme, 12, key), ` ${key.text}`);
    return item;
  }));
  const width = keys.reduce((sum, { text }) => sum + text.length + SYMBOL, 0);
  element.classList.toggle('dm-wordy', width > MAX_BESIDE_TOOLS);
}

/** @param {Block[]} ledger */
const shapeOf = (ledger) => ledger.map((block) => (
  block.rows ? `table ${Boolean(block.classes)}` : 'text')).join();

/**
 * Fill the element with the ledger of a frame; only what is another than before is written.
 * @type {(element: HTMLElement, ledger: Block[], theme: Theme) => void}
 */
export function renderLedger(element, ledger, theme) {
  const focused = placeOf(element, document.activeElement);
  if (!isMadeOf(element, shapeOf(ledger), theme)) {
    element.replaceChildren(...ledger.map((block) => (
      block.rows ? tableElement(block) : make('p', 'dm-formula'))));
  }
  ledger.forEach((block, i) => {
    const child = /** @type {HTMLElement} */ (element.children[i]);
    if (block.rows) fillTable(child, block, theme);
    else write(child, block.text);
  });
  if (!focused || element.contains(document.activeElement)) return;
  lineAt(element, focused)?.focus({ preventScroll: true });
}

/** @type {(element: HTMLElement, place: string) => HTMLElement | undefined} */
const lineAt = (element, place) => {
  const [block, row] = place.split('.').map(Number);
  const lines = element.children[block]?.querySelectorAll('tbody tr');
  return /** @type {HTMLElement | undefined} */ (lines?.[row]);
};

/** @type {(element: HTMLElement, target: EventTarget | null) => HTMLElement | null} */
function linkedLine(element, target) {
  if (!(target instanceof Element) || !element.contains(target)) return null;
  return target.closest('tbody tr[tabindex]');
}

/** @param {Element} element */
const placeAmongSiblings = (element) => (
  [...(element.parentElement?.children ?? [])].indexOf(element));

/**
 * The place of the row that a node of the ledger is in, as `block.row`; null outside of linked
 * tables.
 * @type {(element: HTMLElement, target: EventTarget | null) => string | null}
 */
export function placeOf(element, target) {
  const line = linkedLine(element, target);
  const table = line?.closest('.dm-table');
  return line && table ? `${placeAmongSiblings(table)}.${placeAmongSiblings(line)}` : null;
}

/**
 * Mark the rows at these places as those that the pointer is about.
 * @type {(element: HTMLElement, places: string[]) => void}
 */
export function lightRows(element, places) {
  element.querySelectorAll('.dm-lit').forEach((line) => line.classList.remove('dm-lit'));
  places.forEach((place) => lineAt(element, place)?.classList.add('dm-lit'));
}

/**
 * Go to the next row of a linked table, or to the one before; true if the key was that.
 * @type {(element: HTMLElement, event: KeyboardEvent) => boolean}
 */
export function walkRows(element, event) {
  const line = linkedLine(element, event.target);
  const by = Number(event.key === 'ArrowDown') - Number(event.key === 'ArrowUp');
  if (!line || !by || event.shiftKey) return false;
  /** @type {HTMLElement[]} */
  const lines = [...(line.parentElement?.querySelectorAll('tr') ?? [])]
    .filter((other) => other.hasAttribute('tabindex'));
  const next = lines[lines.indexOf(line) + by] ?? line;
  line.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
  return true;
}

/**
 * Show the headline numbers: large, with their labels and what they are shares of.
 * @type {(element: HTMLElement, results: Result[]) => void}
 */
export function renderResults(element, results) {
  const triple = () => {
    const all = make('div');
    all.append(make('dt'), make('dd'), make('dd'));
    return all;
  };
  fillEach(element, results, triple, ({ children }, { label, text, note, pinned }) => {
    const both = pinned === undefined ? text : `${pinned} → ${text}`;
    [label, both, note].forEach((words, i) => write(children[i], words));
    children[1].classList.toggle('dm-long', pinned === undefined && text.length > MAX_LARGE);
  });
}

/**
 * Fill the element with the lines of the algorithm; without any it is hidden.
 * @type {(element: HTMLElement, pseudocode: Pseudocode | null | undefined) => void}
 */
export function renderPseudocode(element, pseudocode) {
  if (isMadeOf(element, pseudocode)) return;
  element.hidden = !pseudocode;
  const { source = '', lines = [] } = pseudocode ?? {};
  const [where, list] = ['.dm-source', 'ol'].map((name) => element.querySelector(name));
  if (!where || !list) return;
  write(where, source);
  fillEach(list, lines, () => make('li'), (item, line) => {
    write(item, line.trimStart());
    item.style.setProperty('--dm-indent', `${line.search(/\S/)}ch`);
  });
}

/**
 * Mark a line of the algorithm as the current one, and no other.
 * @type {(element: HTMLElement, index: number | null | undefined) => void}
 */
export function markLine(element, index) {
  element.querySelectorAll('li').forEach((line, i) => {
    if (i === index) line.setAttribute('aria-current', 'step');
    else line.removeAttribute('aria-current');
  });
}
