/**
 * The axes of a panel: which ticks there are, how they are written, and the titles.
 * @module
 */
/** @import { Axes, Axis, Box, Context, PanelSpec, Scale, Theme } from './types' */

export const MARGIN = 12;  // pixels to the right of a panel

/**
 * The ticks of an axis; numbers that do not fit are written shorter: one that is cut off is
 * another.
 * @param {Scale} scale
 * @param {Axis} axis
 * @param {number} length
 * @param {number} each
 * @param {(text: string) => boolean} [fits]
 */
function ticksOf(scale, axis, length, each, fits = () => true) {
  let n = Math.max(2, Math.round(length / each));
  if (axis.ticks.length) {
    const [low, high] = scale.domain();
    const every = Math.ceil((high - low) / Math.max(1, length / (each * 0.5)));
    return axis.ticks.map((text, at) => ({ at, text }))
      .filter(({ at }) => at >= low && at <= high && at % every === 0);
  }
  // A single tick does not say how long a unit is.
  while (n < 5 && scale.ticks(n).length < 2) n += 1;
  const top = Math.max(...scale.domain().map(Math.abs));
  const format = scale.tickFormat(n, top < 1e-3 || top >= 1e15 ? '~e' : top >= 1e5 ? 's' : 'f');
  const ticks = scale.ticks(n).filter((at) => !axis.integer || Number.isInteger(at))
    .map((at) => ({ at, text: axis.integer ? String(at).replace('-', '\u2212') : format(at) }));
  if (ticks.every(({ text }) => fits(text))) return ticks;
  const short = scale.tickFormat(n, top < 1 ? '~e' : '~s');
  return ticks.map(({ at }) => ({ at, text: at ? short(at) : '0' }));
}

/**
 * A name that fits into so many pixels.
 * @type {(g: Context, text: string, room: number) => string}
 */
function shortened(g, text, room) {
  if (g.measureText(text).width <= room) return text;
  let length = text.length;
  while (length > 1 && g.measureText(`${text.slice(0, length)}…`).width > room) length -= 1;
  return `${text.slice(0, length)}…`;
}

/**
 * Draw the axes of a panel: ticks with their texts, grid and titles.
 * @type {(g: Context, axes: Axes, spec: PanelSpec, theme: Theme) => void}
 */
export function drawAxes(g, { x, y, inner, room }, spec, theme) {
  const size = 11 * theme.scale;
  g.font = `${size}px ${theme.font}`;
  g.lineWidth = 1;
  g.strokeStyle = theme.grid;
  g.fillStyle = theme.muted;
  g.textAlign = 'center';
  g.textBaseline = 'top';
  g.beginPath();
  // Names that are short, as the letters of a string, may stand closer.
  const widest = Math.max(0, ...spec.x.ticks.map((text) => g.measureText(text).width));
  const eachX = widest ? Math.min(80 * theme.scale, 2 * (widest + 8)) : 80 * theme.scale;
  const ticksX = spec.x.label ? ticksOf(x, spec.x, inner.width, eachX) : [];
  const roomX = ticksX.length > 1 ? Math.abs(x(ticksX[1].at) - x(ticksX[0].at)) - 6 : inner.width;
  for (const { at, text } of ticksX) {
    g.moveTo(x(at), inner.y);
    g.lineTo(x(at), inner.y + inner.height);
    g.fillText(shortened(g, text, roomX), x(at), inner.y + inner.height + 5);
  }
  g.textAlign = 'right';
  g.textBaseline = 'middle';
  const fits = (/** @type {string} */ text) => g.measureText(text).width <= room;
  const eachY = (spec.y.ticks.length ? 26 : 56) * theme.scale;
  for (const { at, text } of spec.y.label ? ticksOf(y, spec.y, inner.height, eachY, fits) : []) {
    g.moveTo(inner.x, y(at));
    g.lineTo(inner.x + inner.width, y(at));
    g.fillText(shortened(g, text, room), inner.x - 6, y(at));
  }
  g.stroke();
  // Where there is no axis there is no frame.
  g.strokeStyle = theme.muted;
  g.beginPath();
  g.moveTo(inner.x, inner.y);
  g[spec.y.label ? 'lineTo' : 'moveTo'](inner.x, inner.y + inner.height);
  if (spec.x.label) g.lineTo(inner.x + inner.width, inner.y + inner.height);
  g.stroke();
  titles(g, inner, room, spec, theme);
}

/** @type {(g: Context, inner: Box, room: number, spec: PanelSpec, theme: Theme) => void} */
function titles(g, inner, room, spec, theme) {
  const size = 11 * theme.scale;
  g.fillStyle = theme.ink;
  g.font = `${size * 1.08}px ${theme.font}`;
  g.textAlign = 'center';
  g.textBaseline = 'bottom';
  const middle = inner.x + inner.width / 2;
  const bottom = inner.y + inner.height + 38 * theme.scale;
  g.fillText(shortened(g, spec.x.label, inner.width), middle, bottom);
  if (spec.y.label) {
    g.save();
    g.translate(inner.x - room - 6 * theme.scale, inner.y + inner.height / 2);
    g.rotate(-Math.PI / 2);
    g.fillText(shortened(g, spec.y.label, inner.height), 0, 0);
    g.restore();
  }
  if (spec.title) {
    g.textAlign = 'left';
    g.font = `600 ${size * 1.12}px ${theme.font}`;
    // It starts where the names of the vertical axis start.
    const more = spec.y.label ? room + 6 * theme.scale : 0;
    const title = shortened(g, spec.title, inner.width + more + MARGIN);
    // The number of a tick at the top reaches above the axis.
    g.fillText(title, inner.x - more, inner.y - 9 * theme.scale);
  }
}
