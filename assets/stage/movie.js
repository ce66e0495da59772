/**
 * Moving pictures: steps of a run as one GIF or WebM file, written in the browser.
 * docs/decisions/0043 has the reasons.
 * @module
 */
import { applyPalette, GIFEncoder, quantize } from '../vendor/gif.js';
import { compose, fit, linesOf } from './composition.js';
import { unpacked, WEBM } from './packing.js';
import { contextOf } from './theme.js';
/** @import { Snapshot } from './types' */
/**
 * What is wanted: the frames, steps per second, and pixels across and down.
 * @typedef {{ format: 'gif' | 'webm', frames: number[], speed: number, width: number,
 *   height: number }} Wish
 */
/**
 * A file that takes one picture after the other, each for so many milliseconds.
 * @typedef {{ add(g: CanvasRenderingContext2D, duration: number): unknown,
 *   finish(): Promise<Blob> | Blob, cancel(): unknown }} MovieFile
 */

/** The size in which pictures are laid out; a larger one has more pixels. */
export const SIZE = { width: 800, height: 450 };
const END = 2000;  // milliseconds for which the last step stays at least
const COLORS = 255;  // of a picture of a GIF, and one for what is as before;
const EXACT = 192;  // so many of them are not mixed
const NO_WEBM = 'This browser writes no WebM here: that needs a newer one and an address with '
  + 'https. Choose GIF.';
const NO_WRITER = 'This page writes GIF only. Choose GIF, or open the page in the app for WebM.';
const OTHER = 'The picture has changed meanwhile. Save it again.';

/** For how many milliseconds each picture stays. @type {(wish: Wish) => number[]} */
export function durationsOf({ frames, speed }) {
  const each = 1000 / speed;
  return [...Array(frames.length - 1).fill(each), Math.max(each, END)];
}

/**
 * The colours of some pixels, and of each the number of its colour: frequent ones are exact, so that
 * what becomes background again leaves no trace.
 * @param {Uint32Array} pixels
 */
function colorsOf(pixels) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).slice(0, EXACT);
  const exact = new Map(frequent.map(([pixel], i) => [pixel, i]));
  const rare = new Uint8Array(pixels.filter((pixel) => !exact.has(pixel)).buffer);
  const palette = rare.length ? quantize(rare, COLORS - EXACT) : [];
  const nearest = applyPalette(rare, palette);
  let n = 0;  // of them are written
  return {
    palette: [...[...exact.keys()].map(rgb), ...palette],
    index: pixels.map((pixel) => exact.get(pixel) ?? exact.size + nearest[n++]),
  };
}

/** Red, green and blue of a pixel. @type {(pixel: number) => [number, number, number]} */
const rgb = (pixel) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];

/** @implements {MovieFile} */
class GifFile {
  encoder = GIFEncoder();
  before = new Uint32Array();

  /**
   * Only what differs from the picture before gets colours: the file is smaller, and sooner ready.
   * @param {CanvasRenderingContext2D} g
   * @param {number} duration
   */
  add(g, duration) {
    const { width, height } = g.canvas;
    const pixels = new Uint32Array(g.getImageData(0, 0, width, height).data.buffer);
    const places = [];
    for (let i = 0; i < pixels.length; i += 1) if (pixels[i] !== this.before[i]) places.push(i);
    const { palette, index } = colorsOf(Uint32Array.from(places, (i) => pixels[i]));
    const transparentIndex = palette.length;
    const picture = new Uint8Array(pixels.length).fill(transparentIndex);
    places.forEach((place, k) => { picture[place] = index[k]; });
    this.encoder.writeFrame(picture, width, height, {
      palette: [...palette, [0, 0, 0]],
      delay: duration,
      transparent: true,
      transparentIndex,
      dispose: 1,  // it stays under what follows
    });
    this.before = pixels;
  }

  finish() {
    this.encoder.finish();
    return new Blob([this.encoder.bytes()], { type: 'image/gif' });
  }

  cancel() {}
}

/**
 * The part that writes WebM: it is loaded when it is needed.
 * @returns {Promise<typeof import('../vendor/webm.js')>}
 */
async function webmModule() {
  const part = document.getElementById(WEBM)?.textContent;
  if (part) return import(await unpacked(part));
  let address;
  try {
    address = new URL('vendor/webm.js', import.meta.url).href;
  } catch {
    throw new Error(NO_WRITER);
  }
  return import(address);
}

/** @type {(canvas: HTMLCanvasElement) => Promise<MovieFile>} */
async function webmFile(canvas) {
  const webm = await webmModule();
  const { width, height } = canvas;
  const codec = await webm.getFirstEncodableVideoCodec(['vp9', 'vp8'], { width, height });
  if (!codec) throw new Error(NO_WEBM);
  const target = new webm.BufferTarget();
  const output = new webm.Output({ format: new webm.WebMOutputFormat(), target });
  const source = new webm.CanvasSource(canvas, { codec, quality: webm.QUALITY_HIGH });
  output.addVideoTrack(source);
  await output.start();
  let seconds = 0;
  return {
    async add(_, duration) {
      await source.add(seconds, duration / 1000);
      seconds += duration / 1000;
    },
    async finish() {
      await output.finalize();
      return new Blob([/** @type {ArrayBuffer} */ (target.buffer)], { type: 'video/webm' });
    },
    cancel: () => output.cancel(),
  };
}

/**
 * The moving picture of some steps, each as it is at rest.
 * @param {(frame: number) => Snapshot} snapshot
 * @param {Wish} wish
 * @param {(share: number) => void} report hears how much of it is done
 * @param {AbortSignal} signal
 */
export async function movieOf(snapshot, wish, report, signal) {
  const durations = durationsOf(wish);
  const pictures = wish.frames.map(snapshot);
  const [{ bytes, theme }] = pictures;
  const ratio = wish.width / SIZE.width;
  const [width, height] = [SIZE.width, wish.height / ratio];
  const lines = Math.max(...pictures.map((each) => linesOf(each, width)));
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: wish.width, height: wish.height });
  const g = contextOf(canvas, { alpha: false, willReadFrequently: wish.format === 'gif' });
  g.scale(ratio, ratio);
  const file = wish.format === 'gif' ? new GifFile() : await webmFile(canvas);
  try {
    for (const [i, duration] of durations.entries()) {
      await new Promise((done) => { setTimeout(done); });  // the browser shows how far it is
      signal.throwIfAborted();
      const picture = snapshot(wish.frames[i]);
      if (picture.bytes !== bytes || picture.theme !== theme) throw new Error(OTHER);
      g.fillStyle = theme.background;
      g.fillRect(0, 0, width, height);
      compose(g, picture, fit(picture, width, height, lines));
      await file.add(g, duration);
      report((i + 1) / durations.length);
    }
    return await file.finish();
  } catch (error) {
    await file.cancel();
    throw error;
  }
}
