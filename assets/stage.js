/**
 * The stage: draws and plays one scene. Mounted by Streamlit (the default export) or by an exported page (`mount`).
 *
 * What is drawn is a pure function of the scene, the frame and the view; this file only connects the parts:
 * scene.js unpacks, player.js keeps the time, panel.js and draw.js paint, ledger.js writes the arithmetic, edit.js lets
 * points be drawn, handles.js lets values be dragged, export.js saves pictures.
 * @module
 */
import './vendor/d3.js';  // these are named here, so that the browser asks for all modules at once instead of one after the other
import './vendor/inflate.js';
import './stage/draw.js';
import { Controls } from './stage/controls.js';
import { Editor } from './stage/edit.js';
import { exportMenu } from './stage/export.js';
import { Handles } from './stage/handles.js';
import { markLine, renderLedger, renderLegend, renderPseudocode, renderResults } from './stage/ledger.js';
import { Panel } from './stage/panel.js';
import { Player } from './stage/player.js';
import { decode } from './stage/scene.js';
import { readTheme } from './stage/theme.js';

const SETTLE = 700;  // milliseconds of rest before a position is reported, so that stepping makes no traffic
const REST = 350;  // milliseconds without a new picture before a finer one is asked for
const WIDE = 1.2;  // width of a plane, in heights, from which two large panels are stacked
const NARROW = 700;  // pixels up to which all parts stand one under the other, as in stage.css
const READ_ALOUD = 2;  // steps per second up to which captions are announced while playing
const UNHURRIED = { loop: true, speed: 1, glide: 700, linger: 3000 };  // how a stage plays that nobody has started
const STAGES = new WeakMap();

const SKELETON = `
  <div class="dm-bar" role="toolbar" aria-label="Picture"><div class="dm-legend"></div></div>
  <div class="dm-body">
    <div class="dm-main"></div>
    <p class="dm-caption" aria-live="polite"></p>
    <div class="dm-player" role="group" aria-label="Player"></div>
    <div class="dm-side">
      <div class="dm-panels"></div>
      <details class="dm-pseudocode"><summary>Algorithm <span class="dm-source"></span></summary><ol></ol></details>
      <div class="dm-ledger"></div>
    </div>
    <div class="dm-aside"><dl class="dm-results"></dl><div class="dm-controls"></div></div>
  </div>
  <div class="dm-tip" hidden></div>`;

/** Whether a panel's plane is clearly wider than high. */
const wide = ({ x, y }) => x.high - x.low > WIDE * (y.high - y.low);

export class Stage {
  /**
   * @param {HTMLElement} root
   * @param {{changed?: Function, frame?: Function, selected?: Function, edited?: Function, moved?: Function, rest?: Function, themed?: Function, exports?: boolean}} report
   */
  constructor(root, report) {
    Object.assign(this, { root, report, panels: new Map(), rev: 0, selected: null, known: {} });
    root.innerHTML = SKELETON;
    root.tabIndex = 0;
    root.setAttribute('role', 'group');
    root.setAttribute('aria-label', 'Stage: step with the arrow keys, play with space');
    const part = (name) => root.querySelector(`.dm-${name}`);
    Object.assign(this, { bar: part('bar'), main: part('main'), side: part('panels'), pseudocode: part('pseudocode'), ledger: part('ledger'), legend: part('legend'), caption: part('caption'), tip: part('tip'), results: part('results') });
    this.pseudocode.open = root.clientWidth > NARROW;
    this.player = new Player(part('player'), { paint: () => this.paint(), settled: (frame) => this.settle(frame) });
    this.editor = new Editor(this);
    this.handles = new Handles(this);
    this.controls = new Controls(part('controls'), (message) => this.report.changed?.(message));
    this.resetButton = this.addButton('Reset zoom', () => this.panels.forEach((panel) => panel.reset()));
    if (report.exports !== false) this.bar.append(exportMenu(this));
    this.foldButton = this.addButton('Ledger', () => this.fold(!root.classList.contains('dm-folded'), true));
    this.foldButton.classList.add('dm-fold');
    root.addEventListener('keydown', (event) => this.key(event));
    this.observer = new ResizeObserver(() => { this.panels.forEach((panel) => panel.resize()); this.invalidate(); });
    this.observer.observe(root);
  }

  addButton(label, act) {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: label, onclick: act });
    this.bar.append(button);
    return button;
  }

  /** Fold the ledger's column away, so that the picture gets its room; `keep` remembers it for the next page. */
  fold(folded, keep = false) {
    this.root.classList.toggle('dm-folded', folded);
    this.foldButton.setAttribute('aria-expanded', String(!folded));
    this.foldButton.title = folded ? 'Show the ledger' : 'Hide the ledger';
    if (keep) remember(this.foldName, String(folded));
    this.panels.forEach((panel) => panel.resize());
    this.invalidate();
  }

  /** A projector shows the ledger only when it is asked for. */
  get foldName() {
    return this.scene?.projector ? 'dm-folded-projector' : 'dm-folded';
  }

  /** Show a scene; the position, the zoom and the drawing state stay where they can. */
  load(bytes) {
    const first = !this.scene;
    this.bytes = bytes;
    this.scene = decode(bytes);
    this.selected = this.scene.selected ?? null;
    this.root.classList.toggle('dm-projector', Boolean(this.scene.projector));
    this.fold((recall(this.foldName) ?? String(Boolean(this.scene.projector))) === 'true');
    this.retheme();
    this.layOut();
    renderPseudocode(this.pseudocode, this.scene.pseudocode);
    // A single frame has no position to keep: the first run after it opens where the page would.
    const asked = this.scene.frame?.serial !== this.serial || this.player.frames < 2 ? this.scene.frame?.at : null;
    this.serial = this.scene.frame?.serial;
    this.known.selected = this.selected;
    this.known.frame = asked ?? this.known.frame;
    this.player.load(this.scene.frames.length, asked ?? (first ? 0 : null));
    this.editor.load(this.scene.edit ?? null);
    this.handles.load(this.scene.handles);
    this.controls.load(this.report.changed ? this.scene.controls ?? [] : [], this.scene.heard ?? 0);
    renderResults(this.results, this.scene.results ?? []);
    if (first && this.scene.living) this.live();
    clearTimeout(this.resting);
    this.root.dataset.draft = String(Boolean(this.scene.draft));
    if (this.scene.draft) this.resting = setTimeout(() => this.report.rest?.(), REST);
    this.invalidate();
  }

  /** Play by itself, over and over, while it is in view; only a change of theme is reported. Who wants no motion sees the end. */
  live() {
    this.root.classList.add('dm-living');
    this.panels.forEach((panel) => panel.resize());
    Object.assign(this.player, UNHURRIED);
    if (this.player.calm.matches) this.player.go(this.player.frames - 1);
    else this.player.play();
    this.view = new IntersectionObserver(([{ isIntersecting }]) => this.player.hide(!isIntersecting));
    this.view.observe(this.root);
  }

  retheme() {
    this.theme = readTheme(this.root, Boolean(this.scene?.projector));
    const scheme = this.theme.dark ? 'dark' : 'light';
    if (this.scene?.living && this.root.style.colorScheme && this.root.style.colorScheme !== scheme) this.report.themed?.(scheme);
    this.root.style.colorScheme = scheme;
    this.invalidate();
  }

  layOut() {
    const names = this.scene.panels.map((panel) => panel.name);
    for (const [name, panel] of this.panels) {
      if (names.includes(name)) continue;
      panel.canvas.parentElement.remove();
      this.panels.delete(name);
    }
    for (const spec of this.scene.panels) {
      if (!this.panels.has(spec.name)) this.panels.set(spec.name, this.newPanel(spec));
      this.panels.get(spec.name).load(spec, this.scene.marks.filter((mark) => mark.panel === spec.name));
    }
    // While points are drawn the side stays, so that the picture does not change its size under the pointer.
    this.arrange();
    this.root.classList.toggle('dm-alone', !this.scene.edit && !this.scene.panels.some((panel) => panel.side)
      && !this.scene.frames.some((frame) => frame.ledger.length));
    this.panels.forEach((panel) => panel.resize());
  }

  /** Choose how the panels share the stage. */
  arrange() {
    const large = this.scene.panels.filter((panel) => !panel.side);
    const small = this.scene.panels.length - large.length;
    const { classList } = this.root;
    classList.toggle('dm-several', large.length > 1);
    // A wide plane with equal units would be a strip in a narrow panel: then the large panels stand one over the other.
    classList.toggle('dm-stacked', large.length > 1 && large[0].equal && wide(large[0]));
    classList.toggle('dm-many', small > 2);
    this.root.style.setProperty('--dm-large', String(large.length));
  }

  newPanel(spec) {
    const box = Object.assign(document.createElement('div'), { className: 'dm-panel' });
    box.dataset.panel = spec.name;
    const canvas = box.appendChild(document.createElement('canvas'));
    (spec.side ? this.side : this.main).append(box);
    const panel = new Panel(canvas, {
      changed: () => this.invalidate(),
      panAllowed: (event) => !this.editor.takes(event, panel) && !this.handles.takes(event, panel),
      wheelAllowed: () => this.root.contains(document.activeElement),
    });
    canvas.addEventListener('pointermove', (event) => this.hover(event, panel));
    canvas.addEventListener('pointerleave', () => { this.tip.hidden = true; });
    canvas.addEventListener('click', (event) => this.click(event, panel));
    this.handles.attach(panel);
    this.editor.attach(panel, spec.name);
    return panel;
  }

  invalidate() {
    if (this.scene) this.player.wake();
  }

  /** Paint everything at the player's moment and say so on the element. */
  paint() {
    const { moment } = this.player;
    const frame = this.scene.frames[moment.frame];
    for (const panel of this.panels.values()) panel.paint(moment, this.theme, (g, axes) => this.overlay(g, axes, panel, moment));
    if (this.told !== frame || this.toldTheme !== this.theme) {
      Object.assign(this, { told: frame, toldTheme: this.theme });
      this.caption.setAttribute('aria-live', this.player.playing && this.player.speed > READ_ALOUD ? 'off' : 'polite');
      this.caption.textContent = frame.caption;
      markLine(this.pseudocode, this.scene.pseudocode?.current[moment.frame]);
      renderLedger(this.ledger, frame.ledger, this.theme);
      renderLegend(this.legend, this.editor.active ? [] : this.scene.legend, this.theme);
    }
    this.resetButton.hidden = ![...this.panels.values()].some((panel) => panel.zoomed);
    this.rev += 1;
    const { dataset } = this.root;
    dataset.frame = String(moment.frame);
    dataset.frames = String(this.scene.frames.length);
    dataset.handles = String(this.handles.all.length);
    dataset.rev = String(this.rev);
  }

  overlay(g, axes, panel, moment) {
    const mark = this.dataMark;
    if (mark && mark.panel === panel.spec.name && this.selected !== null) {
      const [x, y] = [mark.get('x', moment)[this.selected], mark.get('y', moment)[this.selected]];
      g.strokeStyle = this.theme.ink;
      g.lineWidth = 2 * this.theme.scale;
      g.beginPath();
      g.arc(axes.x(x), axes.y(y), 9 * this.theme.scale, 0, 2 * Math.PI);
      g.stroke();
    }
    this.handles.draw(g, axes, panel, this.theme);
    this.editor.draw(g, axes, panel, this.theme);
  }

  get dataMark() {
    return this.scene.marks.find((mark) => mark.data);
  }

  hover(event, panel) {
    const hit = event.buttons ? null : panel.nearest(event.offsetX, event.offsetY, this.player.moment);
    panel.canvas.style.cursor = this.editor.cursor(panel) ?? (hit?.mark.data ? 'pointer' : this.handles.cursor(event, panel) ?? 'grab');
    this.tip.hidden = !hit;
    if (!hit) return;
    this.tip.textContent = this.describe(hit, panel);
    const [stage, box] = [this.root.getBoundingClientRect(), panel.canvas.getBoundingClientRect()];
    const left = box.left - stage.left + hit.x + 14;
    this.tip.style.left = `${Math.min(left, stage.width - this.tip.offsetWidth - 4)}px`;
    this.tip.style.top = `${Math.max(0, box.top - stage.top + hit.y - this.tip.offsetHeight - 8)}px`;
  }

  describe({ mark, index, values }, panel) {
    const colors = mark.get('color', this.player.moment);
    const kind = colors && mark.classes[colors[colors.length === 1 ? 0 : index]];
    const name = (axis, value) => (axis.ticks?.length ? axis.ticks[Math.round(value)] : Number(value.toPrecision(5)));
    const coordinate = (axis, value) => (axis.label ? `${axis.label}: ${name(axis, value) ?? '?'}` : null);
    return [mark.labels[index], kind, coordinate(panel.spec.x, values[0]), coordinate(panel.spec.y, values[1])]
      .filter(Boolean).join('\n');
  }

  click(event, panel) {
    if (this.editor.active || !this.scene.selectable || event.defaultPrevented || this.handles.at(event, panel)) return;
    const hit = panel.nearest(event.offsetX, event.offsetY, this.player.moment, (mark) => mark.data);
    if (!hit && this.handles.summon(event, panel)) return;
    if (!hit && panel.spec.name !== this.dataMark?.panel) return;
    const index = hit && hit.index !== this.selected ? hit.index : null;
    if (index === this.selected) return;
    this.selected = index;
    this.invalidate();
    this.report.selected?.(index);
  }

  settle(frame) {
    clearTimeout(this.settling);
    if (!this.player.playing && !this.scene.living) this.settling = setTimeout(() => this.report.frame?.(frame), SETTLE);
  }

  key(event) {
    if (!this.scene || !(this.editor.key(event) || this.handles.key(event) || this.player.key(event) || this.viewKey(event))) return;
    event.preventDefault();
    event.stopPropagation();
  }

  viewKey(event) {
    if (event.key !== '0') return false;
    this.panels.forEach((panel) => panel.reset());
    return true;
  }

  destroy() {
    clearTimeout(this.settling);
    clearTimeout(this.resting);
    this.player.stop();
    this.observer.disconnect();
    this.view?.disconnect();
  }
}

// Where cookies are forbidden, the browser forbids this too.
function remember(name, value) {
  try { localStorage.setItem(name, value); } catch { /* then it is forgotten */ }
}

function recall(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

/** Show a scene in an element and keep it there. */
export function mount(element, bytes, report = {}) {
  const stage = new Stage(element, report);
  stage.load(bytes);
  return stage;
}

/** Streamlit's entry: called again whenever the data or the theme change. */
export default function stageComponent({ data, parentElement, setStateValue }) {
  const element = parentElement.querySelector('.dm-stage');
  try {
    let stage = STAGES.get(element);
    if (!stage) {
      stage = new Stage(element, {});
      STAGES.set(element, stage);
    }
    // What Python knows is not sent again. The number makes every message a new one: the same row may be chosen again.
    const tell = (name) => (value) => {
      if (stage.known[name] === value) return;
      stage.known[name] = value;
      setStateValue(name, { value, number: Date.now() });
    };
    const changed = (value) => setStateValue('changed', value);
    const edited = (value) => setStateValue('edited', value);
    const moved = (value) => setStateValue('moved', value);
    const rest = () => setStateValue('rest', { number: Date.now() });
    const themed = (scheme) => setStateValue('themed', scheme);  // pictures on the page follow; Streamlit does not say so by itself
    Object.assign(stage.report, { changed, frame: tell('frame'), selected: tell('selected'), edited, moved, rest, themed });
    if (stage.bytes !== data) stage.load(data);
    else stage.retheme();
    return () => {
      // Streamlit also calls this for a call that a newer one has overtaken, while the stage is on the page.
      if (element.isConnected) return;
      stage.destroy();
      STAGES.delete(element);
    };
  } catch (error) {
    // An exception that leaves this function would show its stack to the reader.
    console.error(error);
    STAGES.get(element)?.destroy();
    STAGES.delete(element);
    element.textContent = 'The picture could not be drawn. Reload the page; if it happens again, report the link.';
    return undefined;
  }
}
