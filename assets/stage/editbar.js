/**
 * The bar of drawing: on and off, its tools, the classes, and what takes back.
 * @module
 */
import { symbolPicture } from './ledger.js';
/** @import { Edit, Theme } from './types' */

const TOOLS = {
  draw: ['Draw', 'Click to add a point, drag to move it, right-click to delete it'],
  join: ['Join', 'Drag from one node to another, or click them in turn: an edge comes, or goes'],
  spray: ['Spray', 'Hold and move to spray points'],
  lasso: ['Lasso', 'Draw a loop to delete what is inside'],
  erase: ['Erase', 'Click points, or edges, to delete them'],
};
const TURNS = 'Drag from one node to another: an edge comes, or goes. Click an edge: it turns';

/** The names of the tools with which something is drawn. @param {Edit} spec */
export function toolsOf({ classes, edges, names }) {
  if (names) return ['join', 'erase'];
  return classes ? Object.keys(TOOLS).filter((name) => name !== 'join' || edges) : [];
}

/** @type {(name: string, text: string, title: string, more?: string) => string} */
const button = (name, text, title, more = '') => (
  `<button type="button" data-do="${name}" title="${title}"${more}>${text}</button>`);
const pressed = (/** @type {boolean} */ is) => ` aria-pressed="${is}"`;
const BACK = button('undo', 'Undo', 'Undo (Ctrl+Z)') + button('redo', 'Redo', 'Redo (Ctrl+Y)')
  + button('clear', 'Clear', 'Delete all');

export class EditBar {
  /**
   * @param {HTMLElement} toolbar
   * @param {(name: string) => void} act hears what is pressed: `undo`, or `tool:lasso`, say
   */
  constructor(toolbar, act) {
    this.act = act;
    this.root = toolbar.appendChild(document.createElement('div'));
    this.root.className = 'dm-edit';
    this.hide();
  }

  hide() {
    this.root.hidden = true;
  }

  /**
   * Show what can be done; the focus stays on its button.
   * @param {Edit} spec
   * @param {{ on: boolean, tool: string, kind: number, possible: Record<string, number>,
   *   theme: Theme }} state
   */
  show(spec, { on, tool, kind, possible, theme }) {
    const { label, classes, directed } = spec;
    const { activeElement: focus } = document;
    const focused = focus instanceof HTMLElement && this.root.contains(focus) && focus.dataset.do;
    const tools = (on ? toolsOf(spec) : []).map((name) => {
      const [text, title] = TOOLS[/** @type {keyof typeof TOOLS} */ (name)];
      const own = name === 'join' && directed ? TURNS : title;
      return button(`tool:${name}`, text, own, pressed(name === tool));
    });
    this.root.hidden = false;
    this.root.innerHTML = button('toggle', label, `${label}: on or off`, pressed(on))
      + `${tools.join('')}<span class="dm-classes"></span>${on ? BACK : ''}`;
    if (on && classes && classes.length > 1) {
      const chips = classes.map((name, i) => chip(name, i, i === kind, theme));
      this.root.querySelector('.dm-classes')?.append(...chips);
    }
    for (const element of this.root.querySelectorAll('button')) {
      element.onclick = () => this.act(String(element.dataset.do));
    }
    this.enable(possible);
    if (focused) this.button(focused)?.focus();
  }

  /** @type {(name: string) => HTMLButtonElement | null} */
  button(name) {
    return this.root.querySelector(`[data-do='${name}']`);
  }

  /** Let only what has something to do be pressed. @param {Record<string, number>} possible */
  enable(possible) {
    for (const [name, is] of Object.entries(possible)) {
      const element = this.button(name);
      if (element) element.disabled = !is;
    }
  }
}

/** @type {(name: string, i: number, chosen: boolean, theme: Theme) => HTMLButtonElement} */
function chip(name, i, chosen, theme) {
  const element = document.createElement('button');
  Object.assign(element, { type: 'button', title: `Class ${name} (key ${i + 1})` });
  element.setAttribute('aria-pressed', String(chosen));
  element.setAttribute('aria-label', `Class ${name}`);
  element.dataset.do = `class:${i}`;
  element.append(symbolPicture(i, theme, 13));
  return element;
}
