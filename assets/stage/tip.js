/**
 * The words beside the pointer: which row it is on, its class, where it is.
 * @module
 */
/** @import { Panel } from './panel.js' */
/** @import { Axis, Hit, Moment, PanelSpec } from './types' */

/**
 * Return what is told of a part of a mark: its name, its class, its coordinates.
 * @type {(hit: Hit, spec: PanelSpec, moment: Moment) => string}
 */
function describe({ mark, index, values }, { x, y }, moment) {
  const colors = mark.get('color', moment);
  const kind = colors && mark.classes[colors[colors.length === 1 ? 0 : index]];
  /** @type {(axis: Axis, value: number) => string | null} */
  const coordinate = ({ label, ticks }, value) => {
    const name = ticks.length ? ticks[Math.round(value)] : Number(value.toPrecision(5));
    return label ? `${label}: ${name ?? '?'}` : null;
  };
  const lines = [mark.labels[index], kind, coordinate(x, values[0]), coordinate(y, values[1])];
  return lines.filter(Boolean).join('\n');
}

/**
 * Tell of what is hit on a panel, inside of `root`; nothing hides the tip.
 * @param {HTMLElement} tip
 * @param {HTMLElement} root
 * @param {Hit | null} hit
 * @param {Panel} panel
 * @param {Moment} moment
 */
export function showTip(tip, root, hit, panel, moment) {
  tip.hidden = !hit;
  if (!hit) return;
  tip.textContent = describe(hit, panel.spec, moment);
  const [stage, box] = [root, panel.canvas].map((element) => element.getBoundingClientRect());
  const left = box.left - stage.left + hit.x + 14;
  tip.style.left = `${Math.min(left, stage.width - tip.offsetWidth - 4)}px`;
  tip.style.top = `${Math.max(0, box.top - stage.top + hit.y - tip.offsetHeight - 8)}px`;
}
