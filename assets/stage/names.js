/**
 * Names in a panel: none lies over another, and those of lines stand where no line crosses them.
 * @module
 */
/** @import { Axes, Context, Line, Mark, Moment, Places, Points, Theme, Written } from './types' */

const BLANK = 3;  // pixels between two texts
const SHIFTS = [-0.9, 0.9, -2, 2, -3.1, 3.1];  // of a name from its line, in heights of the type,
const LINE = 1.3;  // that two of them need to be apart, in what other texts need
const FEW = 200;  // points that names keep clear of
const RADIUS = 4;
const PLACES = [1, 0.85, 0.7, 0.55, 0.4, 0.25];  // along the line, from its end

/**
 * Whether a text would lie over one that is written, or run into it: neither could be read. Zooming
 * in separates them.
 * @type {(box: Written, written: Written[], size: number) => boolean}
 */
export function lies(box, written, size) {
  const over = isOver(box, written, size);
  if (!over) written.push(box);
  return over;
}

/** @type {(box: Written, written: Written[], size: number) => boolean} */
function isOver(box, written, size) {
  const end = box.left + box.width;
  return written.some((other) => Math.abs(other.y - box.y) < 0.8 * size
    && Math.max(other.left, box.left) - Math.min(other.left + other.width, end) < BLANK);
}

/**
 * What a text may hide, by its box and its height: whether it is crossed by a line or one of few
 * points of a panel, and whether it covers the middle of a point that is no row of the data.
 * @type {(marks: Mark[], moment: Moment, axes: Axes) => Pick<Places, 'crossed' | 'covers'>}
 */
export function obstacles(marks, moment, axes) {
  const few = marks.filter((mark) => mark.kind === 'Points')
    .filter((mark) => mark.get('x', moment).length <= FEW);
  /** @type {(symbols: Points[], radius: number) => number[][][]} */
  const strokes = (symbols, radius) => symbols.flatMap((mark) => {
    const opacity = mark.get('opacity', moment);
    return verticesOf(mark, moment, axes)
      .filter((_, i) => opacity?.[opacity.length === 1 ? 0 : i] !== 0)  // it is there, and seen
      .map(([x, y]) => [[x - radius, y], [x + radius, y]]);
  });
  /** @type {number[][][] | undefined} */
  let lines;
  /** @type {number[][][] | undefined} */
  let middles;
  return {
    crossed: (box, height) => {
      lines ??= marks.filter((mark) => mark.kind === 'Line')
        .map((mark) => verticesOf(mark, moment, axes)).concat(strokes(few, RADIUS));
      return lines.some((line) => crosses(line, box, height / 2));
    },
    covers: (box, height) => {
      middles ??= strokes(few.filter(({ data }) => !data), 0);
      return middles.some((line) => crosses(line, box, height / 2));
    },
  };
}

/** @type {(mark: Line | Points, moment: Moment, axes: Axes) => number[][]} */
function verticesOf(mark, moment, { x, y }) {
  const [xs, ys] = [mark.get('x', moment), mark.get('y', moment)];
  return Array.from(xs, (at, i) => [x(at), y(ys[i])]);
}

/**
 * Write the name of a line, over all that is drawn: at its end, or where there is room beside it.
 * @type {(g: Context, mark: Line, moment: Moment, places: Places, theme: Theme) => void}
 */
export function nameLine(g, mark, moment, places, theme) {
  const { inner, written } = places;
  const [lowest, rightmost] = [inner.y + inner.height, inner.x + inner.width];
  const seen = verticesOf(mark, moment, places).filter(([x, y]) => (
    x >= inner.x && x <= rightmost && y >= inner.y && y <= lowest));
  if (!seen.length) return;
  const size = 11 * theme.scale;
  g.font = `600 ${size}px ${theme.font}`;
  g.textAlign = 'left';
  g.textBaseline = 'middle';
  const { width } = g.measureText(mark.label);
  const [top, bottom] = [inner.y + 0.7 * size, lowest - 0.7 * size];
  const right = rightmost - width - 2;
  const free = PLACES.flatMap((share) => {
    const [x, y] = seen[Math.round(share * (seen.length - 1))];
    const left = Math.max(inner.x, Math.min(x + 4, right));
    return SHIFTS.map((by) => ({ left, width, y: Math.max(top, Math.min(y + by * size, bottom)) }));
  }).filter((box) => !isOver(box, written, LINE * size));
  const box = free.find((each) => !places.crossed(each, size)) ?? free[0];
  if (!box) return;
  written.push(box);
  g.strokeStyle = theme.background;
  g.lineWidth = 3.5 * theme.scale;
  g.lineJoin = 'round';
  g.strokeText(mark.label, box.left, box.y);
  g.fillStyle = theme.role(mark.color);
  g.fillText(mark.label, box.left, box.y);
}

/**
 * Whether a line runs through a box of half a height.
 * @type {(line: number[][], box: Written, half: number) => boolean}
 */
function crosses(line, { left, width, y }, half) {
  return line.some(([bx, by], i) => {
    const [ax, ay] = line[Math.max(0, i - 1)];
    if (Math.max(ax, bx) < left || Math.min(ax, bx) > left + width) return false;
    const ends = [left, left + width].map((x) => (
      ax === bx ? Number(x > left) : Math.max(0, Math.min((x - ax) / (bx - ax), 1))));
    const heights = ends.map((t) => ay + t * (by - ay));
    return Math.max(...heights) > y - half && Math.min(...heights) < y + half;
  });
}
