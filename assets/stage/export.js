/**
 * Pictures to keep: PNG, SVG, moving ones, and one HTML file that plays the scene without a
 * network.
 * @module
 */
import { path } from '../vendor/d3.js';
import { compose, layOut, LETTER } from './composition.js';
import { openMovieDialog } from './moviedialog.js';
import { base64, packed, unpacked, WEBM } from './packing.js';
import { VARIABLES, contextOf } from './theme.js';
/** @import { Context, Snapshot } from './types' */

const PNG_SCALE = 2;
const FONT = /^(\d{3} )?([\d.]+)px (.*)$/;
const ANCHORS = { left: 'start', center: 'middle', right: 'end', start: 'start', end: 'end' };
/**
 * How far below the line that is meant SVG has to write, in sizes of the type.
 * @type {Record<string, number>}
 */
const SHIFTS = { top: 0.8, middle: 0.35, bottom: -0.2 };

/**
 * The menu of the stage's toolbar.
 * @param {(frame?: number) => Snapshot} snapshot of the stage as it stands, or at a frame
 * @param {boolean} served whether there is a server: a saved page is not saved again
 */
export function exportMenu(snapshot, served) {
  const menu = Object.assign(document.createElement('details'), { className: 'dm-menu' });
  menu.innerHTML = '<summary>Save picture</summary>';
  const list = menu.appendChild(document.createElement('div'));
  const choose = (/** @type {string} */ label, /** @type {() => void} */ act) => {
    const button = list.appendChild(document.createElement('button'));
    Object.assign(button, { type: 'button', textContent: label });
    button.onclick = () => {
      menu.open = false;
      act();
    };
  };
  choose('PNG', () => savePng(snapshot()));
  choose('SVG', () => saveSvg(snapshot()));
  choose('Moving: GIF or WebM', () => openMovieDialog(menu, snapshot, download));
  if (served) choose('Playable HTML', () => saveHtml(snapshot()));
  return menu;
}

/** @type {(content: Blob, name: string) => void} */
function download(content, name) {
  const url = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
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

/**
 * One HTML document that plays the scene by itself: the bundle that this module is part of, the
 * writer of WebM and the scene. dmlib/playback/page.py writes the same.
 * @param {Snapshot} snapshot
 */
export async function htmlOf(snapshot) {
  const read = async (/** @type {string | URL} */ url) => (await fetch(url)).text();
  const commented = await read(new URL('stage.css', import.meta.url));
  const css = commented.replace(/\/\*.*?\*\/\s*/gs, '').replace(/\s*([{};,])\s*/g, '$1');
  const [script, webm] = await Promise.all(
    [import.meta.url, new URL('vendor/webm.js', import.meta.url)].map(packed));
  const style = getComputedStyle(snapshot.body);
  const variables = VARIABLES.map((name) => `${name}: ${style.getPropertyValue(name)};`).join(' ');
  const title = escape(snapshot.title);
  return `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title><style>:root { ${variables} }
body { margin: 1rem; background: var(--st-background-color);
color: var(--st-text-color); font-family: var(--st-font); } h1 { font-size: 1.3rem; }
${css}</style>
<h1>${title}</h1><div class="dm-stage" data-testid="stage"></div>
<script type="text/plain" id="${WEBM}">${webm}</script><script type="module">
const unpacked = ${unpacked};
const { mount } = await import(await unpacked('${script}'));
const scene = Uint8Array.from(atob('${base64(snapshot.bytes)}'), (c) => c.charCodeAt(0));
mount(document.querySelector('.dm-stage'), scene).player.go(${snapshot.frame});
</script></html>`;
}

/** @param {Snapshot} snapshot */
async function saveHtml(snapshot) {
  download(new Blob([await htmlOf(snapshot)], { type: 'text/html' }), `${snapshot.name}.html`);
}
