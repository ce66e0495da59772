/*! Bundled from D3 modules; packages, versions and all licence texts: assets/vendor/LICENSES.md.
Copyright 2010-2026 Mike Bostock; d3-delaunay: 2018-2026 Observable, Inc., 2021 Mapbox; delaunator: 2026 Mapbox (ISC).
d3-ease: 2010-2026 Mike Bostock, 2001 Robert Penner (BSD-3-Clause). robust-predicates: public domain (Unlicense).
ISC: Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice and this permission notice appear in all copies. THE SOFTWARE IS
PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES
OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR
CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF
CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS
SOFTWARE. */
// What the stage takes from D3. `npm run vendor` bundles it into d3.js, the one file that runs.
export { Delaunay, Voronoi } from "d3-delaunay";
export { drag } from "d3-drag";
export { format, formatLocale } from "d3-format";
export { Path, path } from "d3-path";
export { polygonCentroid, polygonContains, polygonHull } from "d3-polygon";
export { scaleLinear, scaleLog, scaleSymlog } from "d3-scale";
export { pointer, select } from "d3-selection";
export {
  symbol,
  symbolAsterisk,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolDiamond2,
  symbolPlus,
  symbolSquare,
  symbolSquare2,
  symbolStar,
  symbolTimes,
  symbolTriangle,
  symbolTriangle2,
  symbolWye,
} from "d3-shape";
export { zoom, zoomIdentity, zoomTransform, ZoomTransform } from "d3-zoom";
