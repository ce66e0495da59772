/**
 * The stage: draws and plays one scene. component.js mounts it.
 *
 * What is drawn is a pure function of the scene, the frame and the view; this file only connects the parts:
 * scene.js unpacks, player.js keeps the time, panel.js and draw.js paint, ledger.js writes the arithmetic, links.js lights what belongs together, edit.js lets
 * points be drawn, handles.js lets values be dragged and lead.js the steps, talk.js tells the server, export.js saves pictures.
 * @module
 */
import { Controls } from './controls.js';
import { Editor } from './edit.js';
import { exportMenu } from './export.js';
import { Handles } from './handles.js';
import { lightRows, markLine, placeOf, renderLedger, renderLegend, renderPseudocode, renderResults, walkRows } from './ledger.js';
import { Leads } from './lead.js';
import { light, rowsFor, topicOf, topicsOf } from './links.js';
import { arrange, fillScreen, onF, onReturn, recall, remember, SKELETON } from './page.js';
import { Panel } from './panel.js';
import { Player } from './player.js';
import { followPresets } from './presets.js';
import { decode } from './scene.js';
import { Talk } from './talk.js';
import { readTheme } from './theme.js';
import { showTip } from './tip.js';

const SETTLE = 700;  // milliseconds of rest before a position is reported, so that stepping makes no traffic
const REST = 350;  // milliseconds without a new picture before a finer one is asked for
const LATER = 8000;  // and until it is asked for again, of a server that was busy
const NARROW = 700;  // pixels up to which all parts stand one under the other, as in stage.css
const READ_ALOUD = 2;  // steps per second up to which captions are announced while playing
const UNHURRIED = { loop: true, speed: 1, glide: 700, linger: 3000 };  // how a stage plays that nobody has started

export class Stage {
  /**
   * @param {HTMLElement} root
   * @param {{changed?: Function, frame?: Function, selected?: Function, edited?: Function, moved?: Function, rest?: Function, themed?: Function, exports?: boolean}} report
   */
  constructor(root, report) {
    Object.assign(this, { root, report, panels: new Map(), rev: 0, selected: null, known: {}, lit: {} });
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
    this.leads = new Leads(this);
    this.controls = new Controls(part('controls'), (message, moves, near) => this.talk.say('changed', message, moves, near));
    this.talk = new Talk({
      tell: (kind, message) => this.report[kind]?.(message),
      show: (picture, number) => this.load(picture, number),
      at: () => this.place,
      busy: (busy) => {
        if (busy) clearTimeout(this.resting);  // nothing rests
        this.say('busy', busy);
      },
      unsaid: (unsaid) => this.say('unsaid', unsaid),
    });
    document.querySelector('body > .dm-skip')?.remove();  // of the page before
    this.skips = [part('skip'), document.body.insertBefore(part('skip').cloneNode(true), document.body.firstChild)];
    this.skips.forEach((skip) => { skip.onclick = () => this.controls.focus(); });
    this.resetButton = this.addButton('Reset zoom', () => this.panels.forEach((panel) => panel.reset()));
    if (report.exports !== false) this.bar.append(exportMenu(this));
    this.foldButton = this.addButton('Ledger', () => this.fold(!root.classList.contains('dm-folded'), true));
    this.foldButton.classList.add('dm-fold');
    this.screenButton = this.addButton('Full screen', () => fillScreen(root));
    this.screenButton.title = 'Full screen (F), back by Esc';
    this.screenButton.hidden = !document.fullscreenEnabled;
    // In a lecture the focus is anywhere on the page. What was said while the server was away is lost, unless something is said again.
    this.ends = [onF(() => root.isConnected && fillScreen(root)), onReturn(() => this.report.rest?.()), followPresets(this)];
    root.addEventListener('keydown', (event) => this.key(event));
    for (const type of ['pointerover', 'focusin']) this.ledger.addEventListener(type, ({ target }) => this.light({ place: placeOf(this.ledger, target) }));
    for (const type of ['pointerleave', 'focusout']) this.ledger.addEventListener(type, () => this.light({ place: placeOf(this.ledger, document.activeElement) }));
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

  /** Say something about the controls on their element. */
  say(name, value) {
    const { dataset } = this.controls.root;
    if (dataset[name] !== String(value)) dataset[name] = String(value);
  }

  /** The frame of which a still would do: null for the last one; undefined while the frames are played. */
  get place() {
    const { player } = this;
    if (player.playing) return undefined;
    return player.frame < player.frames - 1 ? player.frame : null;
  }

  /** Show a scene; the position, the zoom and the drawing state stay where they can. It answers what has a `number`. */
  load(bytes, number = 0) {
    const first = !this.scene;
    const scene = decode(bytes);
    const { still, heard = 0 } = number ? { ...scene, heard: number } : scene;
    if (!still && this.talk.overtaken(heard)) return;
    Object.assign(this, { bytes, scene, selected: scene.selected ?? null });
    if (this.lit.mark) this.lit = {};  // of the scene before
    this.root.classList.toggle('dm-projector', Boolean(this.scene.projector));
    this.fold((recall(this.foldName) ?? String(Boolean(this.scene.projector))) === 'true');
    this.retheme();
    this.layOut();
    this.known.selected = this.selected;
    if (still) this.player.load(still.frames, still.frame, true);
    else this.seat(scene, first);
    this.editor.load(this.scene.edit ?? null);
    const later = (name) => this.talk.holds(name, heard);
    this.handles.load(this.scene.handles, later);
    this.leads.load(this.scene.marks);
    this.controls.load(this.report.changed ? scene.controls ?? [] : [], later);
    this.talk.heard(heard, Boolean(still));
    this.skips.forEach((skip) => { skip.hidden = this.controls.empty; });
    if (first && this.scene.living) this.live();
    clearTimeout(this.resting);
    this.root.dataset.draft = String(Boolean(scene.draft));
    this.main.dataset.lowered = typeof scene.draft === 'string' ? scene.draft : '';
    if (scene.draft && !still) this.resting = setTimeout(() => this.askForFiner(), REST);
    this.invalidate();
  }

  askForFiner() {
    if (!this.report.rest) return;
    this.report.rest();
    this.resting = setTimeout(() => this.askForFiner(), LATER);
  }

  /** Put the player where it was, or where Python wants it. */
  seat({ frame, frames }, first) {
    // A single frame has no position to keep: the first run after it opens where the page would.
    const asked = frame?.serial !== this.serial || this.player.frames < 2 ? frame?.at : null;
    this.serial = frame?.serial;
    this.known.frame = asked ?? this.known.frame;
    this.player.load(frames.length, asked ?? (first ? 0 : null));
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
    this.theme = readTheme(this.root, Boolean(this.scene?.projector), this.theme);
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
    arrange(this.root, this.main, this.side, this.scene.panels, (name) => this.panels.get(name).canvas.parentElement);
    if (!this.scene.still) {
      this.root.classList.toggle('dm-alone', !this.scene.edit && !this.scene.panels.some((panel) => panel.side)
        && !this.scene.frames.some((frame) => frame.ledger.length));
    }
    this.panels.forEach((panel) => panel.resize());
  }

  newPanel(spec) {
    const box = Object.assign(document.createElement('div'), { className: 'dm-panel' });
    box.dataset.panel = spec.name;
    const canvas = box.appendChild(document.createElement('canvas'));
    const panel = new Panel(canvas, {
      changed: () => this.invalidate(),
      panAllowed: (event) => !this.editor.takes(event, panel) && !this.handles.takes(event, panel) && !this.leads.takes(event, panel),
      wheelAllowed: () => this.root.contains(document.activeElement),
    });
    canvas.addEventListener('pointermove', (event) => this.hover(event, panel));
    canvas.addEventListener('pointerleave', () => { this.tip.hidden = true; this.light({}); });
    canvas.addEventListener('click', (event) => this.click(event, panel));
    this.handles.attach(panel);
    this.leads.attach(panel);
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
    this.root.dataset.lit = '0';
    for (const panel of this.panels.values()) panel.paint(moment, this.theme, (g, axes) => this.overlay(g, axes, panel, moment));
    if (this.player.legible && (this.told !== frame || this.toldTheme !== this.theme)) {
      Object.assign(this, { told: frame, toldTheme: this.theme });
      this.caption.setAttribute('aria-live', this.player.playing && this.player.speed > READ_ALOUD ? 'off' : 'polite');
      this.caption.textContent = frame.caption;
      renderPseudocode(this.pseudocode, this.scene.pseudocode);
      markLine(this.pseudocode, this.scene.pseudocode?.current[moment.frame]);
      renderResults(this.results, this.scene.results?.[moment.frame] ?? []);
      renderLedger(this.ledger, frame.ledger, this.theme);
      renderLegend(this.legend, this.editor.active ? [] : this.scene.legend, this.theme);
    }
    lightRows(this.ledger, this.lit.place ? [this.lit.place] : this.lit.mark ? rowsFor(frame.ledger, this.lit.mark, this.lit.index, moment) : []);
    this.resetButton.hidden = ![...this.panels.values()].some((panel) => panel.zoomed);
    this.rev += 1;
    const { dataset } = this.root;
    dataset.frame = String(this.player.frame);
    dataset.frames = String(this.player.frames);
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
    const topic = this.topic();
    if (topic) this.root.dataset.lit = String(Number(this.root.dataset.lit) + light(g, panel.marks, topic, moment, axes, this.theme));
    this.handles.draw(g, axes, panel, this.theme);
    this.editor.draw(g, axes, panel, this.theme);
  }

  /** Light what the row of the ledger at a place is about, or the rows that are about part of a mark; {} for nothing. */
  light(lit) {
    if (lit.place === this.lit.place && lit.mark === this.lit.mark && lit.index === this.lit.index) return;
    this.lit = lit;
    this.invalidate();
  }

  /** What lies under the pointer or the focus is about: a row of the ledger, or a numbered part of a mark. */
  topic() {
    const { place, mark, index } = this.lit;
    const [block, row] = place?.split('.').map(Number) ?? [];
    if (place) return topicOf(this.scene.frames[this.player.moment.frame].ledger[block], row);
    const topic = mark ? topicsOf(mark, index, this.player.moment) : null;
    return topic?.number ? topic : null;
  }

  get dataMark() {
    return this.scene.marks.find((mark) => mark.data);
  }

  hover(event, panel) {
    const hit = event.buttons ? null : panel.nearest(event.offsetX, event.offsetY, this.player.moment);
    const under = hit ?? (event.buttons ? null : panel.under(event.offsetX, event.offsetY, this.player.moment));
    this.light(under ? { mark: under.mark, index: under.index } : {});
    panel.canvas.style.cursor = this.editor.cursor(panel) ?? (this.leads.takes(event, panel) ? 'ew-resize' : hit?.mark.data ? 'pointer' : this.handles.cursor(event, panel) ?? 'grab');
    showTip(this.tip, this.root, hit, panel, this.player.moment);
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
    if (this.player.still) this.talk.settle();  // the other frames are wanted
    if (!this.player.playing && !this.scene.living) this.settling = setTimeout(() => this.report.frame?.(frame), SETTLE);
  }

  key(event) {
    if (!this.scene || !(this.editor.key(event) || this.handles.key(event) || walkRows(this.ledger, event) || this.player.key(event) || this.viewKey(event))) return;
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
    this.talk.end();
    this.player.stop();
    this.observer.disconnect();
    this.ends.forEach((end) => end());
    this.skips[1].remove();
    this.view?.disconnect();
  }
}
