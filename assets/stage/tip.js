/**
 * The words beside the pointer: which row it is on, its class, where it is.
 * @module
 */

/** Return what is told of a part of a mark: its name, its class, its coordinates. */
function describe({ mark, index, values }, { x, y }, moment) {
  const colors = mark.get('color', moment);
  const kind = colors && mark.classes[colors[colors.length === 1 ? 0 : index]];
  const name = (axis, value) => (axis.ticks?.length ? axis.ticks[Math.round(value)] : Number(value.toPrecision(5)));
  const coordinate = (axis, value) => (axis.label ? `${axis.label}: ${name(axis, value) ?? '?'}` : null);
  return [mark.labels[index], kind, coordinate(x, values[0]), coordinate(y, values[1])].filter(Boolean).join('\n');
}

/** Tell of what is hit on a panel, inside of `root`; nothing hides the tip. */
export function showTip(tip, root, hit, panel, moment) {
  tip.hidden = !hit;
  if (!hit) return;
  tip.textContent = describe(hit, panel.spec, moment);
  const [stage, box] = [root.getBoundingClientRect(), panel.canvas.getBoundingClientRect()];
  const left = box.left - stage.left + hit.x + 14;
  tip.style.left = `${Math.min(left, stage.width - tip.offsetWidth - 4)}px`;
  tip.style.top = `${Math.max(0, box.top - stage.top + hit.y - tip.offsetHeight - 8)}px`;
}
