/**
 * Scenes as they arrive: compressed; then header length (u32), JSON header, typed arrays. See dmlib/pictures/encode.py,
 * which packs them.
 * @module
 */
import { unzlibSync } from '../vendor/inflate.js';

const TYPES = { f4: Float32Array, f8: Float64Array, u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, i4: Int32Array };

/** Class index of what belongs to no class. */
export const NO_CLASS = 255;

/**
 * One attribute of a mark: the same in every frame, or one row of values per frame. With `places`, a row is the one
 * before with other values there.
 */
class Channel {
  constructor({ values, starts, rows, places, sizes }) {
    Object.assign(this, { values, starts, rows, places, sizes });
    this.built = [];
  }

  /** The values in a frame. */
  at(frame) {
    if (!this.rows) return this.values;
    const row = this.rows[frame];
    if (this.places) return this.build(row);
    return this.values.subarray(this.starts[row], this.starts[row + 1]);
  }

  /** A row of which only the changes are known; the last two are kept, from which the next one is not far. */
  build(row) {
    const known = this.built.find((one) => one.row === row);
    if (known) return known.values;
    const near = this.built.filter((one) => one.row < row).sort((a, b) => b.row - a.row)[0];
    const values = new this.values.constructor(Math.max(...this.sizes));
    if (near) values.set(near.values);
    const end = this.starts[row + 1];
    for (let i = near ? this.starts[near.row + 1] : 0; i < end; i += 1) values[this.places[i]] = this.values[i];
    this.built = [{ row, values: values.subarray(0, this.sizes[row]) }, ...this.built].slice(0, 2);
    return this.built[0].values;
  }

  /** What tells the values of a frame from those of others. */
  rowIn(frame) { return this.rows ? this.rows[frame] : 0; }

  /** The values on the way from one frame to another; where they cannot glide, those of the second. */
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

/** A mark with its channels decoded; everything else is constant. `override` holds positions that are being drawn. */
class Mark {
  constructor(packed, arrays) {
    this.channels = {};
    for (const [name, value] of Object.entries(packed)) {
      if (Number.isInteger(value?.values)) {
        this.channels[name] = new Channel(Object.fromEntries(Object.entries(value).map(([part, i]) => [part, arrays[i]])));
      } else {
        this[name] = value;
      }
    }
  }

  /** The values of a channel at a moment, or undefined if the mark does not have it. */
  get(name, moment) {
    if (this.override && name in this.override) return this.override[name];
    const channel = this.channels[name];
    if (!channel) return undefined;
    return this.tween ? channel.between(moment.from, moment.frame, moment.t) : channel.at(moment.frame);
  }
}

/**
 * Unpack a scene.
 * @param {Uint8Array} packed
 */
export function decode(packed) {
  const bytes = unzlibSync(packed);
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  const scene = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const arrays = scene.arrays.map(([dtype, offset, size]) => {
    const Type = TYPES[dtype];
    const start = 4 + length + offset;
    return new Type(bytes.slice(start, start + size * Type.BYTES_PER_ELEMENT).buffer);
  });
  scene.marks = scene.marks.map((mark) => new Mark(mark, arrays));
  return scene;
}
