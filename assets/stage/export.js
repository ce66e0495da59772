/**
 * Pictures to keep: PNG, SVG, and one HTML file that plays the scene without a network.
 * @module
 */
import { path } from '../vendor/d3.js';
import { VARIABLES } from './theme.js';

const MODULES = [
  'vendor/d3.js', 'vendor/inflate.js', 'stage/scene.js', 'stage/theme.js', 'stage/draw.js', 'stage/ledger.js',
  'stage/panel.js', 'stage/player.js', 'stage/edit.js', 'stage/handles.js', 'stage/export.js', 'stage.js',
];
const PNG_SCALE = 2;
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

/** Draw all panels as on the screen, with the caption under them, onto any 2-D context. */
function compose(g, stage) {
  const { theme } = stage;
  const origin = stage.root.querySelector('.dm-body').getBoundingClientRect();
  for (const panel of stage.panels.values()) {
    const box = panel.canvas.getBoundingClientRect();
    const place = { x: box.left - origin.left, y: box.top - origin.top, width: box.width, height: box.height };
    panel.render(g, panel.scales(place, theme.scale, panel.axesOnScreen.domain), stage.player.moment, theme);
  }
  g.fillStyle = theme.ink;
  g.font = `${14 * theme.scale}px ${theme.font}`;
  g.textAlign = 'left';
  g.textBaseline = 'top';
  g.fillText(stage.scene.frames[stage.player.frame].caption, 12, sizeOf(stage)[1] - 26 * theme.scale);
}

function sizeOf(stage) {
  const origin = stage.root.querySelector('.dm-body').getBoundingClientRect();
  const bottoms = [...stage.panels.values()].map((panel) => panel.canvas.getBoundingClientRect().bottom - origin.top);
  return [Math.ceil(origin.width), Math.ceil(Math.max(...bottoms) + 34 * stage.theme.scale)];
}

function savePng(stage) {
  const [width, height] = sizeOf(stage);
  const canvas = Object.assign(document.createElement('canvas'), { width: width * PNG_SCALE, height: height * PNG_SCALE });
  const g = canvas.getContext('2d');
  g.scale(PNG_SCALE, PNG_SCALE);
  g.fillStyle = stage.theme.background;
  g.fillRect(0, 0, width, height);
  compose(g, stage);
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
    const shift = { top: 0.8, middle: 0.35, bottom: -0.2 }[this.textBaseline] * Number(size);
    this.out.push(`<text transform="translate(${this.x} ${this.y}) rotate(${this.turn})" x="${x}" y="${y + shift}" font-size="${size}" `
      + `font-weight="${(weight ?? '400').trim()}" font-family="${escape(family)}" text-anchor="${anchor}" fill="${this.fillStyle}">${escape(text)}</text>`);
  }

  drawImage(image, x, y, width, height) {
    this.out.push(`<image href="${image.toDataURL()}" x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="none" opacity="${this.globalAlpha}"/>`);
  }
}

const escape = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** The stage as it stands, as an SVG document. */
export function svgOf(stage) {
  const g = new SvgContext();
  compose(g, stage);
  const [width, height] = sizeOf(stage);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`
    + `<rect width="100%" height="100%" fill="${stage.theme.background}"/>${g.out.join('')}</svg>`;
}

const saveSvg = (stage) => download(stage, svgOf(stage), 'image/svg+xml', 'svg');

function base64(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

/** Bytes through one of the browser's own (de)compressors. */
const piped = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** The source of a module with its imports under bare names, which the page's import map resolves. */
const portable = (source) => source.replace(/(from\s*|import\s*)(['"])\.{1,2}\/(?:[\w/]+\/)?(\w+)\.js\2/g, "$1'dm-$3'");

/** One HTML document that plays the scene by itself: the same modules as data URLs, the scene as base64. */
export async function htmlOf(stage) {
  const base = new URL('..', import.meta.url);
  const read = async (name) => (await fetch(new URL(name, base))).text();
  const imports = Object.fromEntries(await Promise.all(MODULES.map(async (name) => {
    const source = portable(await read(name)).replace(/[%#]/g, encodeURIComponent);
    return [`dm-${name.split('/').pop().replace('.js', '')}`, `data:text/javascript;charset=utf-8,${source}`];
  })));
  const style = getComputedStyle(stage.root);
  const variables = VARIABLES.map((name) => `${name}: ${style.getPropertyValue(name)};`).join(' ');
  const title = escape(stage.scene.title ?? 'dmlib');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>:root { ${variables} } body { margin: 1rem; background: var(--st-background-color);
color: var(--st-text-color); font-family: var(--st-font); } h1 { font-size: 1.3rem; }
${await read('stage.css')}</style>
<script type="importmap">${JSON.stringify({ imports }).replaceAll('</', '<\\/')}</script>
<h1>${title}</h1><div class="dm-stage" data-testid="stage"></div><script type="module">
import { mount } from 'dm-stage';
const piped = ${piped};
const packed = Uint8Array.from(atob('${base64(await piped(stage.bytes, new CompressionStream('gzip')))}'), (c) => c.charCodeAt(0));
mount(document.querySelector('.dm-stage'), await piped(packed, new DecompressionStream('gzip')), { exports: false }).player.go(${stage.player.frame});
</script></html>`;
}

const saveHtml = async (stage) => download(stage, await htmlOf(stage), 'text/html', 'html');
