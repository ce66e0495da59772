/**
 * Pictures to keep: PNG, SVG, and one HTML file that plays the scene without a network.
 * @module
 */
import { path } from '../vendor/d3.js';
import { bar } from './ledger.js';
import { VARIABLES, contextOf, symbolOf } from './theme.js';
/** @import { Panel } from './panel.js' */
/** @import { Box, Context, Key, Snapshot, Theme } from './types' */
/**
 * What a picture is made of, from top to bottom: the legend, the panels, the lines of the caption;
 * and its size.
 * @typedef {{ legend: Flowing<Key>[], places: (Box & { panel: Panel })[], caption: string[],
 *   bottom: number, line: number, size: number, width: number, height: number }} Plan
 */
/** @template Item @typedef {{ item: Item, x: number, row: number }} Flowing */

const PNG_SCALE = 2;
const FONT = /^(\d{3} )?([\d.]+)px (.*)$/;
const ANCHORS = { left: 'start', center: 'middle', right: 'end', start: 'start', end: 'end' };
/**
 * How far below the line that is meant SVG has to write, in sizes of the type.
 * @type {Record<string, number>}
 */
const SHIFTS = { top: 0.8, middle: 0.35, bottom: -0.2 };
const TYPE = 14;  // pixels of the type of legend and caption
const LINE = 1.5;  // height of a line, in sizes of its type
const EDGE = 12;  // pixels beside legend and caption
const LETTER = 0.55;  // width of a letter, in sizes of its type, where no canvas can measure it

/**
 * The menu of the stage's toolbar.
 * @param {() => Snapshot} snapshot of the stage as it stands
 */
export function exportMenu(snapshot) {
  const menu = Object.assign(document.createElement('details'), { className: 'dm-menu' });
  menu.innerHTML = '<summary>Save picture</summary>';
  const list = menu.appendChild(document.createElement('div'));
  const choices = { PNG: savePng, SVG: saveSvg, 'Playable HTML': saveHtml };
  for (const [label, save] of Object.entries(choices)) {
    const button = list.appendChild(document.createElement('button'));
    Object.assign(button, { type: 'button', textContent: label });
    button.onclick = () => {
      menu.open = false;
      save(snapshot());
    };
  }
  return menu;
}

/** @type {(content: Blob, name: string) => void} */
function download(content, name) {
  const url = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

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

/** @type {(snapshot: Snapshot) => Plan} */
function layOut(snapshot) {
  const size = TYPE * snapshot.theme.scale;
  const line = LINE * size;
  const ends = placesOf(snapshot, 0).map((place) => place.x + place.width);
  const width = Math.max(320, ...ends);
  const legend = flow(snapshot.legend, ({ text }) => (2.5 + text.length * LETTER) * size, width);
  const rows = 1 + (legend.at(-1)?.row ?? -1);
  const top = rows ? rows * line + size / 2 : 0;
  const places = placesOf(snapshot, top);
  const words = snapshot.caption.split(' ');
  /** @type {string[]} */
  const caption = [];
  for (const { item, row } of flow(words, (word) => (word.length + 1) * size * LETTER, width)) {
    caption[row] = caption[row] ? `${caption[row]} ${item}` : item;
  }
  const bottom = Math.max(top, ...places.map((place) => place.y + place.height)) + size / 2;
  const height = Math.ceil(bottom + caption.length * line + size / 2);
  return { legend, places, caption, bottom, line, size, width: Math.ceil(width), height };
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
function compose(g, { theme, moment, overlay }, { legend, places, caption, bottom, line, size }) {
  for (const { panel, ...box } of places) {
    const axes = panel.scales(box, theme.scale, panel.axesOnScreen.domain);
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

/** @param {Snapshot} snapshot */
function savePng(snapshot) {
  const plan = layOut(snapshot);
  const { width, height } = plan;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: width * PNG_SCALE, height: height * PNG_SCALE });
  const g = contextOf(canvas);
  g.scale(PNG_SCALE, PNG_SCALE);
  g.fillStyle = snapshot.theme.background;
  g.fillRect(0, 0, width, height);
  compose(g, snapshot, plan);
  canvas.toBlob((blob) => blob && download(blob, `${snapshot.name}.png`));
}

/**
 * The part of the canvas interface that the stage draws with, recorded as SVG.
 * @implements {Context}
 */
class SvgContext {
  /** @type {string[]} */
  out = [];
  /** @type {{ x: number, y: number, turn: number, group: number }[]} */
  stack = [];
  clips = 0;
  x = 0;
  y = 0;
  turn = 0;
  group = 0;
  path = path();
  /** @type {number[]} */
  dash = [];
  globalAlpha = 1;
  lineWidth = 1;
  imageSmoothingEnabled = true;
  font = '';
  /** Whether text is written as its outline. */
  outline = false;
  /** @type {CanvasTextAlign} */
  textAlign = 'left';
  /** @type {CanvasTextBaseline} */
  textBaseline = 'middle';
  /** @type {CanvasLineJoin} */
  lineJoin = 'round';
  /** @type {Context['fillStyle']} */
  fillStyle = '';
  /** @type {Context['strokeStyle']} */
  strokeStyle = '';

  save() { this.stack.push({ x: this.x, y: this.y, turn: this.turn, group: this.group }); }

  restore() {
    const state = this.stack.pop();
    if (!state) return;
    const { group, ...place } = state;
    for (; this.group > group; this.group -= 1) this.out.push('</g>');
    Object.assign(this, place);
  }

  /** @type {Context['translate']} */
  translate(dx, dy) {
    this.x += dx;
    this.y += dy;
  }

  /** @type {Context['rotate']} */
  rotate(angle) { this.turn += angle * 180 / Math.PI; }

  beginPath() { this.path = path(); }

  /** @type {Context['moveTo']} */
  moveTo(x, y) { this.path.moveTo(x + this.x, y + this.y); }

  /** @type {Context['lineTo']} */
  lineTo(x, y) { this.path.lineTo(x + this.x, y + this.y); }

  /** @type {Context['arc']} */
  arc(x, y, ...rest) { this.path.arc(x + this.x, y + this.y, ...rest); }

  /** @type {Context['rect']} */
  rect(x, y, width, height) { this.path.rect(x + this.x, y + this.y, width, height); }

  /** @type {Context['fillRect']} */
  fillRect(...box) {
    this.beginPath();
    this.rect(...box);
    this.fill();
  }

  /** @type {Context['strokeRect']} */
  strokeRect(...box) {
    this.beginPath();
    this.rect(...box);
    this.stroke();
  }

  closePath() { this.path.closePath(); }

  /** @type {Context['setLineDash']} */
  setLineDash(dash) { this.dash = dash; }

  clip() {
    this.clips += 1;
    this.group += 1;
    const id = `clip${this.clips}`;
    this.out.push(`<clipPath id="${id}"><path d="${this.path}"/></clipPath>`);
    this.out.push(`<g clip-path="url(#${id})">`);
  }

  fill() {
    const { fillStyle, globalAlpha } = this;
    this.out.push(`<path d="${this.path}" fill="${fillStyle}" opacity="${globalAlpha}"/>`);
  }

  /** How outlines are drawn. */
  get pen() {
    return `fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"`;
  }

  stroke() {
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash}"` : '';
    this.out.push(`<path d="${this.path}" ${this.pen} opacity="${this.globalAlpha}"${dash}/>`);
  }

  /** The font: weight, size in pixels and family. */
  get type() {
    const [, weight = '400 ', size = '', family = ''] = FONT.exec(this.font) ?? [];
    return { weight: weight.trim(), size: Number(size), family };
  }

  /** @type {Context['measureText']} */
  measureText(text) { return { width: text.length * this.type.size * LETTER }; }

  /** @type {Context['fillText']} */
  fillText(text, x, y) {
    const { weight, size, family } = this.type;
    const anchor = ANCHORS[this.textAlign];
    const paint = this.outline ? this.pen : `fill="${this.fillStyle}"`;
    const shift = (SHIFTS[this.textBaseline] ?? 0) * size;
    const place = `transform="translate(${this.x} ${this.y}) rotate(${this.turn})" x="${x}"`;
    const font = `font-size="${size}" font-weight="${weight}" font-family="${escape(family)}"`;
    this.out.push(`<text ${place} y="${y + shift}" ${font} text-anchor="${anchor}" ${paint}>`
      + `${escape(text)}</text>`);
  }

  /** Text on text: the outline is under what is written over it. @type {Context['strokeText']} */
  strokeText(text, x, y) {
    this.outline = true;
    this.fillText(text, x, y);
    this.outline = false;
  }

  /** @type {Context['drawImage']} */
  drawImage(image, x, y, width, height) {
    const edges = this.imageSmoothingEnabled ? '' : ' image-rendering="pixelated"';
    this.out.push(`<image href="${image.toDataURL()}" x="${x}" y="${y}" width="${width}" `
      + `height="${height}" preserveAspectRatio="none" opacity="${this.globalAlpha}"${edges}/>`);
  }
}

const escape = (/** @type {string} */ text) => (
  text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`));

/** The stage as it stands, as an SVG document. @param {Snapshot} snapshot */
export function svgOf(snapshot) {
  const g = new SvgContext();
  const plan = layOut(snapshot);
  const { width, height } = plan;
  compose(g, snapshot, plan);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" `
    + `viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" `
    + `fill="${snapshot.theme.background}"/>${g.out.join('')}</svg>`;
}

/** @param {Snapshot} snapshot */
function saveSvg(snapshot) {
  download(new Blob([svgOf(snapshot)], { type: 'image/svg+xml' }), `${snapshot.name}.svg`);
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  }
  return btoa(text);
}

/**
 * A module as an address that can stand in a script of a page: what would end either is escaped.
 * @param {string} source
 */
function addressOf(source) {
  const escaped = source.replace(/[%#\n\t]/g, encodeURIComponent);
  return JSON.stringify(`data:text/javascript;charset=utf-8,${escaped}`).replaceAll('<', '\\u003c');
}

/**
 * One HTML document that plays the scene by itself: the bundle that this module is part of, and the
 * scene as base64.
 * @param {Snapshot} snapshot
 */
export async function htmlOf(snapshot) {
  const read = async (/** @type {string | URL} */ url) => (await fetch(url)).text();
  const css = await read(new URL('stage.css', import.meta.url));
  const address = addressOf(await read(import.meta.url));
  const style = getComputedStyle(snapshot.body);
  const variables = VARIABLES.map((name) => `${name}: ${style.getPropertyValue(name)};`).join(' ');
  const title = escape(snapshot.title);
  return `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title><style>:root { ${variables} }
body { margin: 1rem; background: var(--st-background-color);
color: var(--st-text-color); font-family: var(--st-font); } h1 { font-size: 1.3rem; }
${css}</style>
<h1>${title}</h1><div class="dm-stage" data-testid="stage"></div><script type="module">
import { mount } from ${address};
const scene = Uint8Array.from(atob('${base64(snapshot.bytes)}'), (c) => c.charCodeAt(0));
mount(document.querySelector('.dm-stage'), scene).player.go(${snapshot.frame});
</script></html>`;
}

/** @param {Snapshot} snapshot */
async function saveHtml(snapshot) {
  download(new Blob([await htmlOf(snapshot)], { type: 'text/html' }), `${snapshot.name}.html`);
}
