/**
 * The arithmetic of a step as small tables and formulas, and the algorithm with the line that the step is. All text is set as text: names are data, never markup.
 * @module
 */
import { format, path } from '../vendor/d3.js';
import { topicOf } from './links.js';
import { symbolOf } from './theme.js';

const exact = format('.6~g');

/** Show a number with at most six significant digits, and very large and small ones with an exponent. */
export function show(cell) {
  if (typeof cell !== 'number') return cell ?? '';
  if (Number.isInteger(cell) && Math.abs(cell) < 1e12) {
    return Math.abs(cell) < 1e4 ? String(cell) : cell.toLocaleString('en').replaceAll(',', '\u202f');  // 1915 is a year
  }
  const size = Math.abs(cell);
  return size !== 0 && (size < 1e-4 || size >= 1e9) ? cell.toExponential(3) : exact(cell).replace('\u2212', '-');
}

const make = (tag, className = '', text = '') => Object.assign(document.createElement(tag), { className, textContent: text });

/** A class's symbol in its colour, as a small inline picture; it may have another's shape, and be hollow. */
export function symbolPicture(index, theme, size = 12, { shape: other = null, hollow = false } = {}) {
  const NS = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(NS, 'svg');
  svg.setAttribute('viewBox', '-8 -8 16 16');
  svg.setAttribute('width', size);
  svg.setAttribute('height', size);
  svg.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(NS, 'path');
  const outline = path();
  symbolOf(other ?? index).draw(outline, 120);
  shape.setAttribute('d', outline.toString());
  shape.setAttribute('fill', hollow ? theme.background : theme.colorOf(index));
  if (hollow) shape.setAttribute('stroke', theme.colorOf(index));
  if (hollow) shape.setAttribute('stroke-width', 2);
  svg.append(shape);
  return svg;
}

/** Write into an element, unless it says so already: what is written is laid out. */
const write = (element, text) => { if (element.textContent !== text) element.textContent = text; };

/** Give an element a child for each item, after `before` others, and let `fill` write into it; children that are there stay. */
function fillEach(parent, items, create, fill, before = 0) {
  while (parent.children.length > before + items.length) parent.lastElementChild.remove();
  items.forEach((item, i) => fill(parent.children[before + i] ?? parent.appendChild(create(i)), item, i));
}

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

function fillTable(wrap, block, theme) {
  const { caption, tHead, tBodies: [body] } = wrap.firstChild;
  write(caption, block.title);
  caption.hidden = !block.title;
  wrap.setAttribute('aria-label', block.title || 'Table of this step');
  const before = Number(Boolean(block.classes));
  const fillCell = (cell, sample, text) => {
    cell.className = typeof sample === 'number' ? 'dm-number' : '';
    write(cell, text);
  };
  const headCell = () => Object.assign(make('th'), { scope: 'col' });
  fillEach(tHead.rows[0], block.head, headCell, (cell, name, i) => fillCell(cell, block.rows[0]?.[i], name), before);
  fillEach(body, block.rows, (i) => lineElement(block, i, theme), (line, row, i) => {
    line.classList.toggle('dm-emphasis', block.emphasis.includes(i));
    fillEach(line, row, () => make('td'), (cell, value) => fillCell(cell, value, String(show(value))), before);
    if (!topicOf(block, i)) line.removeAttribute('tabindex');
    else if (!line.hasAttribute('tabindex')) line.tabIndex = -1;
  });
  // One stop of the Tab key for the table; its arrows go from row to row.
  const linked = body.querySelector('tr[tabindex="0"]') ?? body.querySelector('tr[tabindex]');
  if (linked) linked.tabIndex = 0;
  if (linked) wrap.removeAttribute('tabindex');
  else wrap.tabIndex = 0;
}

/** A row; where rows are classes, with the symbol and the number of its class. */
function lineElement({ classes }, i, theme) {
  const line = make('tr');
  if (classes) line.append(make('td', 'dm-key'));
  if (classes) line.lastChild.append(symbolPicture(i, theme), ` ${i + 1}`);
  return line;
}

/** Fill the element with the legend: a symbol and a name each. */
export function renderLegend(element, keys, theme) {
  const shape = JSON.stringify(keys);
  if (element.dmShape === shape && element.dmTheme === theme) return;
  Object.assign(element, { dmShape: shape, dmTheme: theme });
  element.replaceChildren(...keys.map(({ text, color, symbol, hollow }) => {
    const item = make('span');
    item.append(symbolPicture(color, theme, 12, { shape: symbol, hollow }), ` ${text}`);
    return item;
  }));
}

const shapeOf = (ledger) => ledger.map((block) => (block.rows ? `table ${Boolean(block.classes)}` : 'text')).join();

/** Fill the element with the ledger of a frame; only what is another than before is written. */
export function renderLedger(element, ledger, theme) {
  const shape = shapeOf(ledger);
  const focused = placeOf(element, document.activeElement);
  if (element.dmShape !== shape || element.dmTheme !== theme) {
    element.replaceChildren(...ledger.map((block) => (block.rows ? tableElement(block) : make('p', 'dm-formula'))));
    Object.assign(element, { dmShape: shape, dmTheme: theme });
  }
  ledger.forEach((block, i) => (block.rows ? fillTable(element.children[i], block, theme) : write(element.children[i], block.text)));
  if (focused && !element.contains(document.activeElement)) lineAt(element, focused)?.focus({ preventScroll: true });
}

const lineAt = (element, place) => {
  const [block, row] = place.split('.');
  return element.children[block]?.querySelectorAll('tbody tr')[row];
};

/** The place of the row that a node of the ledger is in, as `block.row`; null outside of linked tables. */
export function placeOf(element, node) {
  const line = element.contains(node) ? node.closest('tbody tr[tabindex]') : null;
  if (!line) return null;
  return `${[...element.children].indexOf(line.closest('.dm-table'))}.${[...line.parentElement.children].indexOf(line)}`;
}

/** Mark the rows at these places as those that the pointer is about. */
export function lightRows(element, places) {
  element.querySelectorAll('.dm-lit').forEach((line) => line.classList.remove('dm-lit'));
  places.forEach((place) => lineAt(element, place)?.classList.add('dm-lit'));
}

/** Go to the next row of a linked table, or to the one before; true if the key was that. */
export function walkRows(element, event) {
  const line = element.contains(event.target) ? event.target.closest('tbody tr[tabindex]') : null;
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!line || !by || event.shiftKey) return false;
  const lines = [...line.parentElement.querySelectorAll('tr[tabindex]')];
  const next = lines[lines.indexOf(line) + by] ?? line;
  line.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
  return true;
}

/** Show the headline numbers: large, with their labels and what they are shares of. */
export function renderResults(element, results) {
  const triple = () => {
    const all = make('div');
    all.append(make('dt'), make('dd'), make('dd'));
    return all;
  };
  fillEach(element, results, triple, ({ children }, { label, text, note }) => {
    [label, text, note].forEach((words, i) => write(children[i], words));
  });
}

/** Fill the element with the lines of the algorithm; without any it is hidden. */
export function renderPseudocode(element, pseudocode) {
  if (element.dmShown === pseudocode) return;
  Object.assign(element, { dmShown: pseudocode, hidden: !pseudocode });
  const { source = '', lines = [] } = pseudocode ?? {};
  write(element.querySelector('.dm-source'), source);
  fillEach(element.querySelector('ol'), lines, () => make('li'), (item, line) => {
    write(item, line.trimStart());
    item.style.setProperty('--dm-indent', `${line.search(/\S/)}ch`);
  });
}

/** Mark a line of the algorithm as the current one, and no other. */
export function markLine(element, index) {
  element.querySelectorAll('li').forEach((line, i) => {
    if (i === index) line.setAttribute('aria-current', 'step');
    else line.removeAttribute('aria-current');
  });
}
