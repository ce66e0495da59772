/**
 * A plane on which a point is placed by a touch or by the arrow keys, and those of a class are seen.
 * @module
 */
import { path } from '../vendor/d3.js';
import { make } from '../stage/make.js';
import { readTheme, symbolOf } from '../stage/theme.js';
/** @import { Field, Row } from './types' */

const SVG = 'http://www.w3.org/2000/svg';
const SIDE = 320;  // units of the drawing
const EDGE = 30;  // of them around the plane
const LINES = 5;  // of the grid
const STEPS = 40;  // of an arrow key along an axis
const AREA = 150;
/** @type {Record<string, [dx: number, dy: number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** @type {(name: string, attributes: Record<string, string | number>, text?: string) => SVGElement} */
function draw(name, attributes, text = '') {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  return element;
}

/** The classes of points, none where they have none. @type {(fields: Field[]) => string[]} */
export const classesOf = ([, , field]) => (field?.kind === 'choice' ? field.options : []);

/**
 * The symbol of a class in its colour, around a place.
 * @type {(element: Element, index: number, transform?: string) => SVGElement}
 */
function symbol(element, index, transform = '') {
  const theme = readTheme(element, false);
  const outline = path();
  symbolOf(index).draw(outline, AREA);
  return draw('path', { d: String(outline), transform, fill: theme.colorOf(index), stroke: theme.background });
}

/** The symbol of a class beside its name. @type {(element: Element, index: number) => SVGElement} */
export function dot(element, index) {
  const svg = draw('svg', { viewBox: '-10 -10 20 20', class: 'dm-dot', 'aria-hidden': 'true' });
  svg.append(symbol(element, index));
  return svg;
}

export class Pad {
  low = 0;
  high = 1;
  /** @type {Row[]} */
  points = [];

  /**
   * @param {Field[]} fields of a point: across, up, perhaps a class
   * @param {(x: number, y: number) => void} [place] takes a point; without it points are only seen
   */
  constructor(fields, place) {
    this.names = fields.map(({ name }) => name);
    this.classes = classesOf(fields);
    const { low, high } = /** @type {Extract<Field, { kind: 'number' }>} */ (fields[0]);
    Object.assign(this, { low, high });
    this.at = (low + high) / 2;
    this.svg = draw('svg', { viewBox: `0 0 ${SIDE} ${SIDE}`, class: 'dm-pad' });
    this.element = make('div', 'dm-pad-box');
    this.element.append(this.svg);
    this.dots = draw('g', {});
    this.svg.append(...this.grid(), this.dots);
    if (place) this.take(place);
    else this.svg.setAttribute('aria-hidden', 'true');
  }

  /** The place on the drawing of a value along an axis. @param {number} value */
  along(value) {
    const { low, high } = this;
    return EDGE + ((SIDE - 2 * EDGE) * (value - low)) / (high - low);
  }

  grid() {
    const { low, high, names: [across, up] } = this;
    const parts = [draw('rect', {
      x: EDGE, y: EDGE, width: SIDE - 2 * EDGE, height: SIDE - 2 * EDGE, class: 'dm-ground',
    })];
    for (let i = 0; i <= LINES; i += 1) {
      const value = low + (i * (high - low)) / LINES;
      const at = this.along(value);
      parts.push(
        draw('path', { d: `M${at} ${EDGE}V${SIDE - EDGE}M${EDGE} ${SIDE - at}H${SIDE - EDGE}`, class: 'dm-lines' }),
        draw('text', { x: at, y: SIDE - EDGE + 14, 'text-anchor': 'middle' }, String(value)),
        draw('text', { x: EDGE - 4, y: SIDE - at + 4, 'text-anchor': 'end' }, String(value)),
      );
    }
    parts.push(
      draw('text', { x: SIDE / 2, y: SIDE - 2, 'text-anchor': 'middle' }, across),
      draw('text', { x: 8, y: SIDE / 2 + 3, 'text-anchor': 'middle' }, up),
    );
    return parts;
  }

  /** @param {(x: number, y: number) => void} place */
  take(place) {
    const { svg, low, high } = this;
    const step = (high - low) / STEPS;
    /** @type {(x: number, y: number) => void} */
    const put = (x, y) => {
      const within = (/** @type {number} */ value) => (
        Math.max(low, Math.min(high, Math.round(value / step) * step)));
      place(within(x), within(y));
    };
    svg.setAttribute('tabindex', '0');
    svg.setAttribute('role', 'application');
    svg.setAttribute('aria-label', 'Plane: touch it, or move the point with the arrow keys');
    svg.addEventListener('click', (event) => {
      const { left, top, width } = svg.getBoundingClientRect();
      const { clientX, clientY } = /** @type {MouseEvent} */ (event);
      const share = (/** @type {number} */ pixels) => (
        low + ((high - low) * ((pixels * SIDE) / width - EDGE)) / (SIDE - 2 * EDGE));
      put(share(clientX - left), low + high - share(clientY - top));
    });
    svg.addEventListener('keydown', (event) => {
      const by = ARROWS[/** @type {KeyboardEvent} */ (event).key];
      if (!by) return;
      event.preventDefault();
      const [x, y] = (this.points[0] ?? [this.at, this.at]).map(Number);
      put(x + by[0] * step, y + by[1] * step);
    });
  }

  /** @param {Row[]} points */
  show(points) {
    this.points = points;
    this.dots.replaceChildren(...points.map(([x, y, name]) => symbol(
      this.element, Math.max(0, this.classes.indexOf(String(name))),
      `translate(${this.along(Number(x))} ${SIDE - this.along(Number(y))})`,
    )));
  }
}
