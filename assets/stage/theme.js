/**
 * Colours, symbols and type of the stage, taken from the page that it is in.
 * @module
 */
import {
  symbolCircle, symbolCross, symbolDiamond, symbolSquare, symbolStar, symbolTriangle, symbolWye,
} from '../vendor/d3.js';
import { NO_CLASS } from './scene.js';
/** @import { Theme } from './types' */

// Seven symbols and eight colours have no common divisor: fifty-six classes before a pair repeats.
const SYMBOLS = [
  symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolCross, symbolStar, symbolWye,
];
const FALLBACK = '#0072b2,#d55e00,#009e73,#cc79a7,#8a6d00,#56b4e9,#7a5195,#5f6b6d';

/** The CSS variables that an exported page needs to look as it did. */
export const VARIABLES = [
  '--st-text-color', '--st-background-color', '--st-secondary-background-color',
  '--st-border-color', '--st-primary-color', '--st-chart-categorical-colors', '--st-font',
  '--st-base-radius', '--st-button-radius',
];

/**
 * The symbol of a class, which draws with what it needs of a context: moves, lines and arcs.
 * @type {(index: number) => { draw(context: any, area: number): void }}
 */
export const symbolOf = (index) => (index === NO_CLASS ? symbolCircle
  : SYMBOLS[index % SYMBOLS.length]);

/**
 * Read the theme at an element.
 * @param {Element} element
 * @param {boolean} projector larger type and marks, for a lecture room
 * @param {Theme} [before] the theme that was read last: it is kept while nothing of it changes
 * @returns {Theme}
 */
export function readTheme(element, projector, before) {
  const style = getComputedStyle(element);
  const source = [projector, ...VARIABLES.map((name) => style.getPropertyValue(name))].join();
  if (before?.source === source) return before;
  const read = (/** @type {string} */ name, /** @type {string} */ fallback) =>
    style.getPropertyValue(name).trim() || fallback;
  const list = read('--st-chart-categorical-colors', FALLBACK).split(',');
  const classes = list.map((color) => color.trim());
  const ink = read('--st-text-color', '#1f2328');
  const background = read('--st-background-color', '#ffffff');
  const accent = read('--st-primary-color', '#0072b2');
  const muted = mix(ink, background, 0.36);
  const [red, green, blue] = channels(background);
  /** @type {Theme['colorOf']} */
  const colorOf = (index) => (index === NO_CLASS ? muted : classes[index % classes.length]);
  // On dark pages the primary colour is too dark for a line.
  /** @type {Record<string, string>} */
  const roles = { muted, accent: colorOf(0) };
  return {
    source,
    ink,
    muted,
    grid: mix(ink, background, 0.93),
    background,
    accent,
    font: read('--st-font', 'system-ui, sans-serif'),
    scale: projector ? 1.45 : 1,
    dark: 0.299 * red + 0.587 * green + 0.114 * blue < 128,
    colorOf,
    role: (name) => (typeof name === 'number' ? colorOf(name) : roles[name] ?? ink),
  };
}

/** @type {Map<string, Uint8ClampedArray>} */
const CHANNELS = new Map();  // of the few colours of the themes
/** @type {CanvasRenderingContext2D | undefined} */
let pixel;

/** A context for drawing on a canvas. @param {HTMLCanvasElement} canvas */
export const contextOf = (canvas, settings = {}) => /** @type {CanvasRenderingContext2D} */ (
  canvas.getContext('2d', settings));

/** Red, green, blue and opacity of a CSS colour. @param {string} color */
export function channels(color) {
  const known = CHANNELS.get(color);
  if (known) return known;
  pixel ??= contextOf(Object.assign(document.createElement('canvas'), { width: 1, height: 1 }),
    { willReadFrequently: true });
  pixel.fillStyle = color;
  pixel.fillRect(0, 0, 1, 1);
  const { data } = pixel.getImageData(0, 0, 1, 1);
  CHANNELS.set(color, data);
  return data;
}

/** @type {(a: string, b: string, share: number) => string} */
function mix(a, b, share) {
  const [from, to] = [channels(a), channels(b)];
  const part = (/** @type {number} */ i) => Math.round(from[i] + (to[i] - from[i]) * share);
  return `rgb(${part(0)}, ${part(1)}, ${part(2)})`;
}
