// Types of what the stage takes from d3.js.
export { Delaunay } from "d3-delaunay";
export { format } from "d3-format";
export { path } from "d3-path";
export { polygonContains } from "d3-polygon";
export { type ScaleLinear, scaleLinear } from "d3-scale";
export { select } from "d3-selection";
export {
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from "d3-shape";
export { zoom, zoomIdentity, type ZoomBehavior, type ZoomTransform } from "d3-zoom";
