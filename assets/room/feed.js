/**
 * What a room shows: the scene and the step of the teacher's stage, the last one always, one on its
 * way.
 * @module
 */
import { post, request } from './request.js';
/** @import { Stage } from '../stage/stage.js' */
/** @import { RefusedError } from './request.js' */

const AGAIN = 1000;  // milliseconds until what did not arrive is sent again

/** @param {number} wait */
const pause = (wait) => new Promise((done) => { setTimeout(done, wait); });

export class Feed {
  /** @type {Stage | null} */
  stage = null;
  /** The scene that has arrived, and the step. @type {Uint8Array | null} */
  bytes = null;
  frame = -1;
  isBusy = false;
  isOver = false;

  /**
   * @param {string} address of the room
   * @param {Record<string, string>} headers
   * @param {(error: RefusedError) => void} refused
   */
  constructor(address, headers, refused) {
    this.address = address;
    this.headers = headers;
    this.refused = refused;
  }

  /** Send what a stage shows, if the room does not show it yet. @param {Stage} stage */
  async follow(stage) {
    this.stage = stage;
    if (this.isBusy) return;
    this.isBusy = true;
    while (!this.isOver && this.isBehind(this.stage)) {
      try {
        await this.send(this.stage);
      } catch (error) {
        const refusal = /** @type {RefusedError} */ (error);
        if (refusal.isGone) this.isOver = true;
        if (refusal.isGone || refusal.status === 413) this.refused(refusal);
        if (refusal.status === 413) this.bytes = this.stage.bytes;  // the next one may be smaller
        else await pause(refusal.wait || AGAIN);
      }
    }
    this.isBusy = false;
  }

  /** @param {Stage} stage */
  isBehind({ bytes, player }) {
    return bytes !== this.bytes || player.frame !== this.frame;
  }

  /** @param {Stage} stage */
  async send({ bytes, scene, player: { frame } }) {
    if (bytes === this.bytes) {
      await post(`${this.address}/teacher`, { act: 'frame', frame }, this.headers);
      this.frame = frame;
      return;
    }
    const about = { slug: scene?.name ?? '', title: scene?.title ?? '', frame };
    const headers = { ...this.headers, 'X-Room-Scene': encodeURIComponent(JSON.stringify(about)) };
    const body = new Uint8Array(bytes);
    await request(`${this.address}/scene`, { method: 'PUT', body, headers });
    Object.assign(this, { bytes, frame });
  }
}
