/**
 * The view: the panels of a scene, each with its size, scales and zoom, and the theme that they are
 * painted in.
 * @module
 */
import { arrange } from './page.js';
import { isPinned, ownName } from './pair.js';
import { Panel } from './panel.js';
import { readTheme } from './theme.js';
/** @import { Mark, Moment, Overlay, PanelSpec, Scene } from './types' */

/**
 * The panels of a scene, of which a small one and the first large one have changed places, in the
 * pinned run too.
 * @type {(panels: PanelSpec[], name: string | null) => PanelSpec[]}
 */
function exchanged(panels, name) {
  const other = new Map();
  for (const run of [true, false]) {
    const own = panels.filter((spec) => isPinned(spec.name) === run);
    const small = own.find((spec) => ownName(spec.name) === name && spec.side);
    const large = own.find((spec) => !spec.side);
    if (!small || !large) continue;
    other.set(small, { ...large, side: true }).set(large, { ...small, side: false });
  }
  return panels.map((spec) => other.get(spec) ?? spec);
}

export class View {
  /** By name. @type {Map<string, Panel>} */
  panels = new Map();
  /** @type {Mark[]} */
  marks = [];
  /** @type {Scene | null} */
  scene = null;
  /** The small panel that stands in the place of the large one. @type {string | null} */
  enlarged = null;

  /**
   * @param {HTMLElement} root
   * @param {{ changed: () => void, panAllowed: (event: MouseEvent, panel: Panel) => boolean,
   *   attach: (panel: Panel) => void }} host `attach` is called once for each new panel
   */
  constructor(root, host) {
    this.root = root;
    this.host = host;
    this.theme = readTheme(root, false);
  }

  /** Let the picture be painted again. */
  invalidate() {
    this.host.changed();
  }

  /** Put the focus on the stage, whose keys are meant when the picture is touched. */
  focus() {
    this.root.focus({ preventScroll: true });
  }

  /** The rows of the data, which can be selected: of the run that is not pinned, */
  get dataMark() {
    return this.rowsOf(false);
  }

  /** and of both. */
  get dataMarks() {
    return [this.rowsOf(true), this.rowsOf(false)].filter((mark) => mark !== undefined);
  }

  /** @param {boolean} pinned */
  rowsOf(pinned) {
    return this.marks.filter((mark) => mark.kind === 'Points')
      .find((mark) => mark.data && isPinned(mark.panel) === pinned);
  }

  /** Leave out marks of some kinds: in all panels or, as "panel.Kind", in one. @param {string[]} kinds */
  hide(kinds) {
    this.panels.forEach((panel, name) => {
      panel.hides = kinds.map((kind) => kind.replace(`${name}.`, ''));
    });
  }

  get zoomed() {
    return [...this.panels.values()].some((panel) => panel.zoomed);
  }

  reset() {
    this.panels.forEach((panel) => panel.reset());
  }

  resize() {
    this.panels.forEach((panel) => panel.resize());
    this.invalidate();
  }

  /**
   * Read the theme of the page again; the colour scheme, if it is another than before.
   * @param {boolean} projector
   */
  retheme(projector) {
    const { style } = this.root;
    this.theme = readTheme(this.root, projector, this.theme);
    const [before, scheme] = [style.colorScheme, this.theme.dark ? 'dark' : 'light'];
    style.colorScheme = scheme;
    this.invalidate();
    return before !== '' && before !== scheme ? scheme : null;
  }

  /**
   * Let a small panel and the large one change places; once more, and they are back.
   * @param {string} name
   */
  enlarge(name) {
    if (!this.scene) return;
    const isBack = this.scene.panels.some((spec) => spec.name === name && !spec.side);
    this.enlarged = isBack ? null : ownName(name);
    this.load(this.scene);
  }

  /** Show the panels of a scene; those that it does not have go. @param {Scene} scene */
  load(scene) {
    const { marks, frames, edit, still } = scene;
    const panels = exchanged(scene.panels, this.enlarged);
    Object.assign(this, { scene, marks });
    const names = panels.map((spec) => spec.name);
    for (const [name, panel] of this.panels) {
      if (names.includes(name)) continue;
      panel.canvas.parentElement?.remove();
      this.panels.delete(name);
    }
    for (const spec of panels) {
      this.panel(spec).load(spec, marks.filter((mark) => mark.panel === spec.name));
    }
    arrange(this.root, panels, (name) => (
      /** @type {HTMLElement} */ (this.panels.get(name)?.canvas.parentElement)));
    // While points are drawn the side stays, so that the picture does not change its size under the
    // pointer.
    if (!still) {
      const alone = !edit && !panels.some((spec) => spec.side)
        && !frames.some((frame) => frame.ledger.length);
      this.root.classList.toggle('dm-alone', alone);
    }
    this.resize();
  }

  /** The panel of this name: a new one, if there is none. @param {PanelSpec} spec */
  panel(spec) {
    const known = this.panels.get(spec.name);
    if (known) return known;
    const box = Object.assign(document.createElement('div'), { className: 'dm-panel' });
    box.dataset.panel = spec.name;
    const button = document.createElement('button');
    const label = `Show large: ${spec.title || 'the picture'}`;
    Object.assign(button, { type: 'button', className: 'dm-enlarge', textContent: '⤢', title: label });
    button.setAttribute('aria-label', label);
    button.onclick = () => this.enlarge(spec.name);
    box.append(button);
    const panel = new Panel(box.appendChild(document.createElement('canvas')), spec, {
      changed: () => this.invalidate(),
      panAllowed: (event) => this.host.panAllowed(event, panel),
      wheelAllowed: () => this.root.contains(document.activeElement),
    });
    this.panels.set(spec.name, panel);
    this.host.attach(panel);
    return panel;
  }

  /** Paint all panels. @type {(moment: Moment, overlay: Overlay) => void} */
  paint(moment, overlay) {
    for (const panel of this.panels.values()) {
      panel.paint(moment, this.theme, (g, places) => overlay(g, places, panel));
    }
  }
}
