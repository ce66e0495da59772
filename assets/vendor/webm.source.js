/*! From Mediabunny (MPL-2.0), Copyright (c) 2026-present, Vanilagy and contributors; licence text: assets/vendor/LICENSES.md. */
// What moving pictures are written with as WebM, by the browser's own encoder. The stage loads it when it is needed.
export {
  BufferTarget,
  CanvasSource,
  getFirstEncodableVideoCodec,
  Output,
  QUALITY_HIGH,
  WebMOutputFormat,
} from "mediabunny";
