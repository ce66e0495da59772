/**
 * Scenes as they arrive: compressed; then header length (u32), JSON header, typed arrays.
 * dmlib/pictures/encode.py packs them.
 * @module
 */
import { unzlibSync } from '../vendor/inflate.js';
/** @import { Mark, Moment, Scene, Values } from './types' */

const TYPES = {
  f4: Float32Array, f8: Float64Array, u1: Uint8Array, u2: Uint16Array, u4: Uint32Array,
  i4: Int32Array,
};

/** The channels that glide from step to step; colours and symbols are those of the step. */
const GLIDING = new Set([
  'x', 'y', 'x0', 'y0', 'x1', 'y1', 'rx', 'ry', 'angle', 'size', 'opacity',
]);

/** Class index of what belongs to no class. */
export const NO_CLASS = 255;

/**
 * One attribute of a mark: the same in every frame, or one row of values per frame. With `places`,
 * a row is the one before with other values there.
 */
export class Channel {
  /** @type {{ row: number, values: Values }[]} */
  built = [];

  /** @param {Record<string, Values>} arrays */
  constructor({ values, starts, rows, places, sizes }) {
    this.values = values;
    this.starts = starts;
    this.rows = rows;
    this.places = places;
    this.sizes = sizes;
  }

  /**
   * The values in a frame.
   * @param {number} frame
   */
  at(frame) {
    if (!this.rows) return this.values;
    const row = this.rows[frame];
    if (this.places) return this.build(row);
    return this.values.subarray(this.starts[row], this.starts[row + 1]);
  }

  /**
   * A row of which only the changes are known; the last two are kept: the next one is not far.
   * @param {number} row
   */
  build(row) {
    const known = this.built.find((one) => one.row === row);
    if (known) return known.values;
    const near = this.built.filter((one) => one.row < row).sort((a, b) => b.row - a.row)[0];
    const Type = /** @type {Float64ArrayConstructor} */ (this.values.constructor);
    const values = new Type(Math.max(...this.sizes));
    if (near) values.set(near.values);
    const end = this.starts[row + 1];
    for (let i = near ? this.starts[near.row + 1] : 0; i < end; i += 1) {
      values[this.places[i]] = this.values[i];
    }
    this.built = [{ row, values: values.subarray(0, this.sizes[row]) }, ...this.built].slice(0, 2);
    return this.built[0].values;
  }

  /**
   * What tells the values of a frame from those of others.
   * @param {number} frame
   */
  rowIn(frame) { return this.rows ? this.rows[frame] : 0; }

  /**
   * The values on the way from one frame to another; where they cannot glide, those of the second.
   * @type {(from: number, to: number, t: number) => Values}
   */
  between(from, to, t) {
    const end = this.at(to);
    if (t >= 1 || !this.rows || this.rows[from] === this.rows[to]) return end;
    const start = this.at(from);
    if (start.length !== end.length) return end;
    return end.map((value, i) => {
      const glide = start[i] + (value - start[i]) * t;
      return Number.isNaN(glide) ? value : glide;
    });
  }
}

/** What marks of all kinds can do: their channels are decoded, everything else is constant. */
class Decoded {
  /** @type {Record<string, Channel>} */
  channels = {};
  /** @type {Record<string, Values> | undefined} */
  override = undefined;
  tween = true;

  /**
   * @param {Record<string, any>} packed
   * @param {Values[]} arrays
   */
  constructor(packed, arrays) {
    for (const [name, value] of Object.entries(packed)) {
      if (Number.isInteger(value?.values)) {
        const parts = Object.entries(value).map(([part, i]) => [part, arrays[i]]);
        this.channels[name] = new Channel(Object.fromEntries(parts));
      } else Object.assign(this, { [name]: value });
    }
  }

  /**
   * The values of a channel at a moment, or undefined if the mark does not have it.
   * @type {(name: string, moment: Moment) => Values | undefined}
   */
  get(name, moment) {
    if (this.override && name in this.override) return this.override[name];
    const channel = this.channels[name];
    if (!channel) return undefined;
    const { from, frame, t } = moment;
    return this.tween && GLIDING.has(name) ? channel.between(from, frame, t) : channel.at(frame);
  }
}

/** Unpack a scene. @type {(packed: Uint8Array) => Scene} */
export function decode(packed) {
  const bytes = unzlibSync(packed);
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  const scene = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  /** @type {[keyof typeof TYPES, number, number][]} */
  const specs = scene.arrays;
  const arrays = specs.map(([dtype, offset, size]) => {
    const Type = TYPES[dtype];
    const start = 4 + length + offset;
    return new Type(bytes.slice(start, start + size * Type.BYTES_PER_ELEMENT).buffer);
  });
  scene.marks = scene.marks.map((/** @type {Mark} */ mark) => new Decoded(mark, arrays));
  return scene;
}
