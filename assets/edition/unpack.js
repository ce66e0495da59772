/**
 * What unpacks the positions of sliders, as a script of its own: no first picture needs it.
 * `npm run build` makes assets/unpack.min.js of it.
 * @module
 */
import { decompress } from '../vendor/zstd.js';

/** @type {any} */ (globalThis).dmlib.deliver('../assets/unpack', decompress);
