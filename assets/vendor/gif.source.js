/*! From gifenc (MIT), Copyright (c) 2017 Matt DesLauriers; licence text: assets/vendor/LICENSES.md. */
// What moving pictures are written with as GIF.
export { applyPalette, GIFEncoder, quantize } from "gifenc";
