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

function tableElement(block, theme) {
  const wrap = make('div', 'dm-table');
  const table = make('table');
  if (block.title) table.append(make('caption', '', block.title));
  const head = make('tr');
  if (block.classes) head.append(make('td'));
  block.head.forEach((name, column) => {
    const kind = typeof block.rows[0]?.[column] === 'number' ? 'dm-number' : '';
    head.append(Object.assign(make('th', kind, name), { scope: 'col' }));
  });
  const body = make('tbody');
  let linked = false;
  block.rows.forEach((row, i) => {
    const line = make('tr', block.emphasis.includes(i) ? 'dm-emphasis' : '');
    // One stop of the Tab key for the table; its arrows go from row to row.
    if (topicOf(block, i)) line.tabIndex = linked ? -1 : 0;
    linked ||= line.tabIndex === 0;
    if (block.classes) line.append(make('td', 'dm-key'));
    if (block.classes) line.lastChild.append(symbolPicture(i, theme), ` ${i + 1}`);
    row.forEach((cell) => line.append(make('td', typeof cell === 'number' ? 'dm-number' : '', show(cell))));
    body.append(line);
  });
  const section = make('thead');
  section.append(head);
  table.append(section, body);
  wrap.append(table);
  if (!linked) wrap.tabIndex = 0;
  wrap.setAttribute('role', 'region');
  wrap.setAttribute('aria-label', block.title || 'Table of this step');
  return wrap;
}

/** Fill the element with the legend: a symbol and a name each. */
export function renderLegend(element, keys, theme) {
  element.replaceChildren(...keys.map(({ text, color, symbol, hollow }) => {
    const item = make('span');
    item.append(symbolPicture(color, theme, 12, { shape: symbol, hollow }), ` ${text}`);
    return item;
  }));
}

const shapeOf = (ledger) => JSON.stringify(ledger.map((block) => (block.rows
  ? [block.title, block.head, block.classes, block.of, block.numbers, block.rows.map((row) => row.map((cell) => typeof cell))] : 'text')));

/** Fill the element with the ledger of a frame; where only numbers change, only those are written. */
export function renderLedger(element, ledger, theme) {
  const shape = shapeOf(ledger);
  if (element.dmShape !== shape || element.dmTheme !== theme) {
    const focused = placeOf(element, document.activeElement);
    element.replaceChildren(...ledger.map((block) => (block.rows ? tableElement(block, theme) : make('p', 'dm-formula', block.text))));
    Object.assign(element, { dmShape: shape, dmTheme: theme });
    if (focused) lineAt(element, focused)?.focus({ preventScroll: true });
    return;
  }
  ledger.forEach((block, i) => {
    const node = element.children[i];
    if (!block.rows) {
      if (node.textContent !== block.text) node.textContent = block.text;
      return;
    }
    const lines = node.querySelectorAll('tbody tr');
    block.rows.forEach((row, r) => {
      lines[r].classList.toggle('dm-emphasis', block.emphasis.includes(r));
      row.forEach((cell, c) => {
        const target = lines[r].children[c + (block.classes ? 1 : 0)];
        const text = String(show(cell));
        if (target.textContent !== text) target.textContent = text;
      });
    });
  });
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

/** Show the headline numbers: large, with their labels. */
export function renderResults(element, results) {
  element.replaceChildren(...results.map(({ label, text }) => {
    const pair = make('div');
    pair.append(make('dt', '', label), make('dd', '', text));
    return pair;
  }));
}

/** Fill the element with the lines of the algorithm; without any it is hidden. */
export function renderPseudocode(element, pseudocode) {
  element.hidden = !pseudocode;
  const { source = '', lines = [] } = pseudocode ?? {};
  element.querySelector('.dm-source').textContent = source;
  element.querySelector('ol').replaceChildren(...lines.map((line) => {
    const item = make('li', '', line.trimStart());
    item.style.setProperty('--dm-indent', `${line.search(/\S/)}ch`);
    return item;
  }));
}

/** Mark a line of the algorithm as the current one, and no other. */
export function markLine(element, index) {
  const lines = element.querySelectorAll('li');
  lines.forEach((line) => line.removeAttribute('aria-current'));
  lines[index]?.setAttribute('aria-current', 'step');
}
