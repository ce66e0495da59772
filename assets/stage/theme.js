/**
 * Colours, symbols and type of the stage, taken from the page that it is in.
 * @module
 */
import {
  symbolCircle, symbolCross, symbolDiamond, symbolSquare, symbolStar, symbolTriangle, symbolWye,
} from '../vendor/d3.js';
import { NO_CLASS } from './scene.js';

// Seven symbols and eight colours have no common divisor: fifty-six classes before a pair repeats.
const SYMBOLS = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolCross, symbolStar, symbolWye];
const FALLBACK = '#0072b2,#d55e00,#009e73,#cc79a7,#8a6d00,#56b4e9,#7a5195,#5f6b6d';

/** The CSS variables that an exported page needs to look as it did. */
export const VARIABLES = [
  '--st-text-color', '--st-background-color', '--st-secondary-background-color', '--st-border-color',
  '--st-primary-color', '--st-chart-categorical-colors', '--st-font', '--st-base-radius', '--st-button-radius',
];

/** The symbol of a class. */
export const symbolOf = (index) => (index === NO_CLASS ? symbolCircle : SYMBOLS[index % SYMBOLS.length]);

/**
 * Read the theme at an element.
 * @param {Element} element
 * @param {boolean} projector larger type and marks, for a lecture room
 * @param {object} [before] the theme that was read last: it is kept while nothing of it changes
 */
export function readTheme(element, projector, before) {
  const style = getComputedStyle(element);
  const source = [projector, ...VARIABLES.map((name) => style.getPropertyValue(name))].join();
  if (before?.source === source) return before;
  const read = (name, fallback) => style.getPropertyValue(name).trim() || fallback;
  const classes = read('--st-chart-categorical-colors', FALLBACK).split(',').map((color) => color.trim());
  const ink = read('--st-text-color', '#1f2328');
  const theme = {
    source,
    ink,
    muted: mix(ink, read('--st-background-color', '#ffffff'), 0.36),
    grid: mix(ink, read('--st-background-color', '#ffffff'), 0.9),
    background: read('--st-background-color', '#ffffff'),
    accent: read('--st-primary-color', '#0072b2'),
    font: read('--st-font', 'system-ui, sans-serif'),
    scale: projector ? 1.45 : 1,
    classes,
  };
  const [red, green, blue] = channels(theme.background);
  theme.dark = 0.299 * red + 0.587 * green + 0.114 * blue < 128;
  theme.colorOf = (index) => (index === NO_CLASS ? theme.muted : classes[index % classes.length]);
  theme.role = (name) => (typeof name === 'number' ? theme.colorOf(name) : theme[name] ?? theme.ink);
  return theme;
}

const CHANNELS = new Map();  // of the few colours of the themes

/** Red, green, blue and opacity of a CSS colour. */
export function channels(color) {
  if (CHANNELS.has(color)) return CHANNELS.get(color);
  const context = channels.context ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
    .getContext('2d', { willReadFrequently: true });
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  CHANNELS.set(color, context.getImageData(0, 0, 1, 1).data);
  return CHANNELS.get(color);
}

function mix(a, b, share) {
  const [from, to] = [channels(a), channels(b)];
  const part = (i) => Math.round(from[i] + (to[i] - from[i]) * share);
  return `rgb(${part(0)}, ${part(1)}, ${part(2)})`;
}
