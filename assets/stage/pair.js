/**
 * Two runs side by side: the pinned one at the left, and what is written about both.
 * @module
 */
import { write } from './ledger.js';
import { partOf, stand } from './page.js';
/** @import { PanelSpec, Scene } from './types' */

const PINNED = 'pinned.';  // before the names of the pinned run's panels, as in dmlib/pictures/pair.py
const MAX_SMALL = 2;  // small panels of a run: more would be too small to be read

/** Whether a panel is of the pinned run. @param {string} name */
export const isPinned = (name) => name.startsWith(PINNED);

/** The name of a panel in its own run. @param {string} name */
export const ownName = (name) => (isPinned(name) ? name.slice(PINNED.length) : name);

/**
 * Let the panels of each run stand in a column of their own; without a pinned one there are none.
 * Returns whether there are.
 * @type {(main: HTMLElement, panels: PanelSpec[], boxOf: (name: string) => HTMLElement) => boolean}
 */
export function arrangePair(main, panels, boxOf) {
  for (const { name } of panels) boxOf(name).removeAttribute('hidden');
  const pinned = panels.filter(({ name }) => isPinned(name));
  if (!pinned.length) {
    main.querySelectorAll('.dm-run').forEach((column) => column.remove());
    return false;
  }
  const own = panels.filter(({ name }) => !isPinned(name));
  [pinned, own].forEach((some, run) => {
    const column = main.querySelectorAll('.dm-run')[run] ?? main.appendChild(columnElement());
    const [, large, small] = column.children;
    stand(large, some.filter(({ side }) => !side), boxOf);
    stand(small, some.filter(({ side }) => side), boxOf);
    [...small.children].forEach((box, i) => box.toggleAttribute('hidden', i >= MAX_SMALL));
  });
  return true;
}

function columnElement() {
  const column = Object.assign(document.createElement('div'), { className: 'dm-run' });
  for (const name of ['p', 'div', 'div']) column.append(document.createElement(name));
  column.children[0].className = 'dm-run-title';
  column.children[0].append(document.createElement('span'), document.createElement('span'));
  column.children[1].className = 'dm-run-large';
  column.children[2].className = 'dm-run-small';
  return column;
}

/**
 * Write what tells the two runs apart, where each stands, and what differs.
 * @type {(root: HTMLElement, scene: Scene, index: number) => void}
 */
export function writePair(root, { pair, frames }, index) {
  write(partOf(root, 'pinned'), frames[index].pinned ?? '');
  write(partOf(root, 'difference'), pair?.differences[index] ?? '');
  if (!pair) return;
  const titles = root.querySelectorAll('.dm-run-title');
  pair.titles.forEach((title, run) => {
    const [step, end] = [pair.steps[index][run], pair.ends[run]];
    const [name, place] = titles[run].children;
    write(name, `${run ? '' : 'Pinned: '}${title}`);
    write(place, end ? `step ${step} of ${end}` : '');
  });
}

/** The caption of both runs, for a picture that is saved. @type {(scene: Scene, index: number) => string} */
export function captionOf({ pair, frames }, index) {
  const { caption, pinned } = frames[index];
  if (!pair) return caption;
  const [left, right] = pair.titles;
  return `Left, ${left}: ${pinned} Right, ${right}: ${caption} ${pair.differences[index]}`.trim();
}
