/**
 * Sliders of the edition: what each of their positions shows, unpacked when one is first moved.
 * @module
 */
import { bytesOf, valueOf } from './store.js';
/** @import { Choice } from '../stage/types' */
/**
 * Sliders, and the places of each at which pairs of both were computed; none where none were.
 * @typedef {{ controls: Choice[], pairs: number[][] }} Positions
 */

/** What the positions of a slider show. @type {Map<string, Promise<Uint8Array[]>>} */
const scenes = new Map();

/** @param {string} name */
async function unpack(name) {
  const [{ places, sizes, scenes: packed }, decompress] = await Promise.all(
    [valueOf(name), valueOf('../assets/unpack')]);
  const bytes = decompress(bytesOf(packed));
  let end = 0;
  const parts = sizes.map((/** @type {number} */ size) => bytes.subarray(end, end += size));
  return places.map((/** @type {number} */ place) => parts[place]);
}

/**
 * The place of a value among the positions of a slider; of one that was typed, that of the nearest.
 * @type {(control: Choice, value: string) => number}
 */
export function placeOf({ options }, value) {
  const place = options.findIndex(([option]) => option === value);
  if (place >= 0) return place;
  const far = options.map(([option]) => Math.abs(Number(option) - Number(value)));
  return far.reduce((best, distance, i) => (distance < far[best] ? i : best), 0);
}

/** The places of sliders in the state. @param {Choice[]} controls */
export const homesOf = (controls) => controls.map((control) => placeOf(control, control.value));

/** @type {(places: number[], place: number) => number} */
const nearest = (places, place) => places.reduce((best, each) => (
  Math.abs(each - place) < Math.abs(best - place) ? each : best));

/**
 * The places that were computed next to those that are wanted. Away from the state, both sliders
 * move on a coarse grid: the one that moves goes on to its next place there, the other one to its
 * nearest; where there is no grid, the other one goes back.
 * @type {(state: Positions, from: number[], wanted: number[]) => number[]}
 */
export function computedPlaces({ controls, pairs }, from, wanted) {
  const homes = homesOf(controls);
  const moving = wanted.findIndex((place, i) => place !== from[i]);
  if (moving < 0 || wanted.some((place, i) => place === homes[i])) return wanted;
  if (wanted.length < 2) return wanted;
  return wanted.map((place, i) => {
    if (!pairs.length) return i === moving ? place : homes[i];
    if (i !== moving) return nearest(pairs[i], place);
    const onward = [...pairs[i], homes[i]]
      .filter((each) => (place - from[i]) * (each - place) >= 0);
    return nearest(onward.length ? onward : pairs[i], place);
  });
}

/**
 * What sliders at these places show.
 * @type {(name: string, state: Positions, places: number[]) => Promise<Uint8Array>}
 */
export async function sceneAt(name, { controls, pairs }, places) {
  const homes = homesOf(controls);
  const [i = 0, ...more] = places.flatMap((place, k) => (place === homes[k] ? [] : [k]));
  const [rows, columns] = pairs;
  const [file, place] = more.length
    ? [`${name}.pairs`, rows.indexOf(places[0]) * columns.length + columns.indexOf(places[1])]
    : [`${name}.${i}`, places[i]];
  const parts = scenes.get(file) ?? unpack(file);
  scenes.set(file, parts);
  return (await parts)[place];
}
