/**
 * Pictures to keep: PNG, SVG, and one HTML file that plays the scene without a network.
 * @module
 */
import { path } from '../vendor/d3.js';
import { VARIABLES, symbolOf } from './theme.js';

const PNG_SCALE = 2;
const TYPE = 14;  // pixels of the type of legend and caption
const LINE = 1.5;  // height of a line, in sizes of its type
const EDGE = 12;  // pixels beside legend and caption
const LETTER = 0.55;  // width of a letter, in sizes of its type, where no canvas can measure it

/** The menu of the stage's toolbar. */
export function exportMenu(stage) {
  const menu = Object.assign(document.createElement('details'), { className: 'dm-menu' });
  menu.innerHTML = '<summary>Save picture</summary><div></div>';
  const choices = { PNG: savePng, SVG: saveSvg, 'Playable HTML': saveHtml };
  for (const [label, save] of Object.entries(choices)) {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: label });
    button.onclick = () => { menu.open = false; save(stage); };
    menu.lastChild.append(button);
  }
  return menu;
}

function download(stage, content, type, ending) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  Object.assign(document.createElement('a'), { href: url, download: `${stage.scene.name ?? 'stage'}.${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The panels that are on the screen, each with its place in the picture below `top`. */
function placesOf(stage, top) {
  const origin = stage.root.querySelector('.dm-body').getBoundingClientRect();
  return [...stage.panels.values()].map((panel) => {
    const { left, top: upper, width, height } = panel.canvas.getBoundingClientRect();
    return { panel, x: left - origin.left, y: upper - origin.top + top, width, height };
  }).filter(({ width }) => width > 0);
}

/** What the picture is made of, from top to bottom: the legend, the panels, the lines of the caption; and its size. */
function layOut(stage) {
  const { scale } = stage.theme;
  const width = Math.max(320, ...placesOf(stage, 0).map((place) => place.x + place.width));
  const size = TYPE * scale;
  const line = LINE * size;
  const legend = flow(stage.editor.active ? [] : stage.scene.legend, ({ text }) => 2.5 * size + text.length * size * LETTER, width);
  const top = legend.length ? (legend.at(-1).row + 1) * line + size / 2 : 0;
  const places = placesOf(stage, top);
  const words = stage.scene.frames[stage.player.moment.frame].caption.split(' ');
  const caption = [];
  flow(words, (word) => (word.length + 1) * size * LETTER, width).forEach(({ item, row }) => { caption[row] = caption[row] ? `${caption[row]} ${item}` : item; });
  const bottom = Math.max(top, ...places.map((place) => place.y + place.height)) + size / 2;
  return { legend, places, caption, bottom, line, size, width: Math.ceil(width), height: Math.ceil(bottom + caption.length * line + size / 2) };
}

/** Put items side by side, and on a new row where one does not fit. */
function flow(items, lengthOf, width) {
  let [x, row] = [EDGE, 0];
  return items.map((item) => {
    const length = lengthOf(item);
    if (x > EDGE && x + length > width - EDGE) [x, row] = [EDGE, row + 1];
    x += length;
    return { item, x: x - length, row };
  });
}

/** Draw the stage as on the screen, with its legend over it and the caption under it, onto any 2-D context. */
function compose(g, stage, { legend, places, caption, bottom, line, size }) {
  const { theme, player: { moment } } = stage;
  for (const { panel, ...box } of places) {
    panel.render(g, panel.scales(box, theme.scale, panel.axesOnScreen.domain), moment, theme, (_, axes) => stage.overlay(g, axes, panel, moment));
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

/** Draw the symbol of a key of the legend. */
function key(g, { color, symbol, hollow }, x, y, theme) {
  g.beginPath();
  g.translate(x, y);
  symbolOf(symbol ?? color).draw(g, 60 * theme.scale ** 2);
  g.translate(-x, -y);
  g.fillStyle = hollow ? theme.background : theme.colorOf(color);
  g.fill();
  if (!hollow) return;
  g.strokeStyle = theme.colorOf(color);
  g.lineWidth = 1.5 * theme.scale;
  g.stroke();
}

function savePng(stage) {
  const plan = layOut(stage);
  const { width, height } = plan;
  const canvas = Object.assign(document.createElement('canvas'), { width: width * PNG_SCALE, height: height * PNG_SCALE });
  const g = canvas.getContext('2d');
  g.scale(PNG_SCALE, PNG_SCALE);
  g.fillStyle = stage.theme.background;
  g.fillRect(0, 0, width, height);
  compose(g, stage, plan);
  canvas.toBlob((blob) => download(stage, blob, 'image/png', 'png'));
}

/** The part of the canvas interface that the stage draws with, recorded as SVG. */
class SvgContext {
  constructor() {
    Object.assign(this, { out: [], stack: [], clips: 0, x: 0, y: 0, turn: 0, dash: [], globalAlpha: 1, group: 0 });
  }

  save() { this.stack.push({ x: this.x, y: this.y, turn: this.turn, group: this.group }); }

  restore() {
    const { group, ...state } = this.stack.pop();
    for (; this.group > group; this.group -= 1) this.out.push('</g>');
    Object.assign(this, state);
  }

  translate(dx, dy) { this.x += dx; this.y += dy; }

  rotate(angle) { this.turn += angle * 180 / Math.PI; }

  beginPath() { this.path = path(3); }

  moveTo(x, y) { this.path.moveTo(x + this.x, y + this.y); }

  lineTo(x, y) { this.path.lineTo(x + this.x, y + this.y); }

  arc(x, y, ...rest) { this.path.arc(x + this.x, y + this.y, ...rest); }

  rect(x, y, width, height) { this.path.rect(x + this.x, y + this.y, width, height); }

  closePath() { this.path.closePath(); }

  setLineDash(dash) { this.dash = dash; }

  clip() {
    this.clips += 1;
    this.group += 1;
    this.out.push(`<clipPath id="clip${this.clips}"><path d="${this.path}"/></clipPath><g clip-path="url(#clip${this.clips})">`);
  }

  fill() { this.out.push(`<path d="${this.path}" fill="${this.fillStyle}" opacity="${this.globalAlpha}"/>`); }

  stroke() {
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash}"` : '';
    this.out.push(`<path d="${this.path}" fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}" opacity="${this.globalAlpha}"${dash}/>`);
  }

  measureText(text) { return { width: text.length * parseFloat(/([\d.]+)px/.exec(this.font)[1]) * LETTER }; }

  fillText(text, x, y) {
    const [, weight, size, family] = /^(\d{3} )?([\d.]+)px (.*)$/.exec(this.font);
    const anchor = { left: 'start', center: 'middle', right: 'end' }[this.textAlign];
    const paint = this.outline ? `fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"` : `fill="${this.fillStyle}"`;
    const shift = { top: 0.8, middle: 0.35, bottom: -0.2 }[this.textBaseline] * Number(size);
    this.out.push(`<text transform="translate(${this.x} ${this.y}) rotate(${this.turn})" x="${x}" y="${y + shift}" font-size="${size}" `
      + `font-weight="${(weight ?? '400').trim()}" font-family="${escape(family)}" text-anchor="${anchor}" ${paint}>${escape(text)}</text>`);
  }

  /** Text on text: the outline is under what is written over it. */
  strokeText(text, x, y) {
    this.outline = true;
    this.fillText(text, x, y);
    this.outline = false;
  }

  drawImage(image, x, y, width, height) {
    const edges = this.imageSmoothingEnabled === false ? ' image-rendering="pixelated"' : '';
    this.out.push(`<image href="${image.toDataURL()}" x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="none" opacity="${this.globalAlpha}"${edges}/>`);
  }
}

const escape = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** The stage as it stands, as an SVG document. */
export function svgOf(stage) {
  const g = new SvgContext();
  const plan = layOut(stage);
  const { width, height } = plan;
  compose(g, stage, plan);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`
    + `<rect width="100%" height="100%" fill="${stage.theme.background}"/>${g.out.join('')}</svg>`;
}

const saveSvg = (stage) => download(stage, svgOf(stage), 'image/svg+xml', 'svg');

function base64(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

/** A module as an address that can stand in a script of a page: what would end either is escaped. */
const addressOf = (source) => JSON.stringify(`data:text/javascript;charset=utf-8,${source.replace(/[%#\n\t]/g, encodeURIComponent)}`)
  .replaceAll('<', '\\u003c');

/** One HTML document that plays the scene by itself: the bundle that this module is part of, and the scene as base64. */
export async function htmlOf(stage) {
  const read = async (url) => (await fetch(url)).text();
  const [script, css] = await Promise.all([import.meta.url, new URL('stage.css', import.meta.url)].map(read));
  const style = getComputedStyle(stage.root);
  const variables = VARIABLES.map((name) => `${name}: ${style.getPropertyValue(name)};`).join(' ');
  const title = escape(stage.scene.title ?? 'dmlib');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>:root { ${variables} } body { margin: 1rem; background: var(--st-background-color);
color: var(--st-text-color); font-family: var(--st-font); } h1 { font-size: 1.3rem; }
${css}</style>
<h1>${title}</h1><div class="dm-stage" data-testid="stage"></div><script type="module">
import { mount } from ${addressOf(script)};
const scene = Uint8Array.from(atob('${base64(stage.bytes)}'), (c) => c.charCodeAt(0));
mount(document.querySelector('.dm-stage'), scene, { exports: false }).player.go(${stage.player.frame});
</script></html>`;
}

const saveHtml = async (stage) => download(stage, await htmlOf(stage), 'text/html', 'html');
