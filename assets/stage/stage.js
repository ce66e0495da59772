/**
 * The stage: draws and plays one scene. component.js mounts it.
 *
 * What is drawn is a pure function of the scene, the frame and the view. This file only connects
 * the parts, of which each gets what it needs: scene.js unpacks, player.js keeps the time, view.js
 * has the panels (panel.js, draw.js), readout.js writes what is read, highlight.js lights what
 * belongs together, edit.js lets points be drawn, handles.js lets values be dragged and lead.js the
 * steps, link.js tells the server, embedding.js the page around this one, export.js saves pictures.
 * @module
 */
import { announce, answerCalls } from './audience.js';
import { Controls } from './controls.js';
import { Editor } from './edit.js';
import { Embedding } from './embedding.js';
import { exportMenu } from './export.js';
import { Handles } from './handles.js';
import { Highlight } from './highlight.js';
import { Leads } from './lead.js';
import { Link } from './link.js';
import { chooseTab, fillScreen, onF, partOf, SKELETON, skipLinks } from './page.js';
import { captionOf } from './pair.js';
import { Player } from './player.js';
import { followPresets } from './presets.js';
import { Readout } from './readout.js';
import { Quiz } from './quiz.js';
import { decode } from './scene.js';
import { showTip } from './tip.js';
import { Toolbar } from './toolbar.js';
import { View } from './view.js';
/** @import { Panel } from './panel.js' */
/** @import { Context, Layer, Moment, Places, Report, Scene, Snapshot } from './types' */

const SETTLE = 700;  // milliseconds of rest before a position is reported: steps make no traffic
const READ_ALOUD = 2;  // steps per second up to which captions are announced while playing
/** How a stage plays that nobody has started. */
const UNHURRIED = { loop: true, speed: 1, glide: 700, linger: 3000 };

export class Stage {
  /** @type {Scene | null} */
  scene = null;
  /** The scene as it came. */
  bytes = new Uint8Array();
  /** The row of the data that is selected. @type {number | null} */
  selected = null;
  /** Of the last position that Python has asked for. @type {number | undefined} */
  serial;
  /** How many pictures were painted. */
  rev = 0;
  /** What an audience draws over the panels. @type {Layer[]} */
  layers = [];
  /** Of the timer until a position is reported. @type {number | undefined} */
  settling;

  /**
   * @param {HTMLElement} root
   * @param {Report} report
   * @param {boolean} [served] whether there is a server
   */
  constructor(root, report, served = true) {
    root.innerHTML = SKELETON;
    root.tabIndex = 0;
    root.setAttribute('role', 'group');
    root.setAttribute('aria-label', 'Stage: step with the arrow keys, play with space');
    this.root = root;
    this.tip = partOf(root, 'tip');
    this.view = new View(root, {
      changed: () => { if (this.scene) this.player.wake(); },
      panAllowed: (event, panel) => !this.editor.pen.takes(event, panel)
        && !this.handles.takes(event, panel) && !this.leads.takes(event, panel),
      attach: (panel) => this.attach(panel),
    });
    this.highlight = new Highlight(() => this.view.invalidate());
    this.readout = new Readout(root, (place) => this.highlight.set({ place }));
    chooseTab(partOf(root, 'tabs'), root);
    this.player = new Player(partOf(root, 'player'), {
      paint: () => this.paint(),
      settled: (frame) => this.settle(frame),
      holds: (frame) => this.quiz.holds(frame),
    });
    const say = (/** @type {string} */ text) => this.readout.say(text);
    const bar = partOf(root, 'bar');
    this.editor = new Editor(bar, this.view, this.player, {
      say, edited: (change) => this.link.report.edited?.(change),
    });
    this.leads = new Leads(this.view, this.player);
    const controls = partOf(root, 'controls');
    this.controls = new Controls(controls, (...message) => this.link.change(...message));
    this.link = new Link(report, {
      show: (picture, number) => this.load(picture, number),
      at: () => this.place,
      say: (name, value) => {
        if (controls.dataset[name] !== String(value)) controls.dataset[name] = String(value);
      },
    });
    this.quiz = new Quiz(root, this.player, this.view,
      (name, value) => this.controls.set(name, value, false), () => this.link.changeable);
    this.handles = new Handles(this.view, this.link, say);
    this.embedding = new Embedding({
      go: (step) => this.go(step),
      set: (name, value) => { if (this.controls.parts.has(name)) this.controls.set(name, value, false); },
      tell: () => this.tell(),
    });
    this.skips = skipLinks(partOf(root, 'skip'), () => this.controls.focus());
    this.toolbar = new Toolbar(bar, this.view, exportMenu((frame) => this.snapshot(frame), served),
      (value) => this.controls.set('pin', value, false));
    const observer = new ResizeObserver(() => {
      root.style.setProperty('--dm-bar', `${bar.offsetHeight}px`);  // a long legend has two lines
      this.view.resize();
    });
    observer.observe(root);
    this.ends = [
      // In a lecture the focus is anywhere on the page.
      onF(() => root.isConnected && fillScreen(root)),
      followPresets(() => this.link.changeable, (preset) => {
        this.controls.set('preset', preset);
        this.view.focus();
        root.scrollIntoView({ block: 'start' });
      }),
      () => observer.disconnect(),
      () => this.skips.end(),
      () => this.link.end(),
      () => this.embedding.end(),
      () => this.player.stop(),
      answerCalls(this),
    ];
    root.addEventListener('keydown', (event) => this.key(event));
    root.addEventListener('dm-answer', (event) => {
      const { question, answer } = /** @type {CustomEvent} */ (event).detail;
      this.embedding.send('answer', { step: question.frame, prompt: question.prompt, ...answer });
    });
  }

  /** What the page around this one hears of the stage. */
  get state() {
    const { scene, player } = this;
    const controls = (scene?.controls ?? []).filter(({ name }) => this.controls.parts.has(name));
    return {
      page: scene?.name ?? '',
      steps: player.frames - 1,
      controls: controls.map((spec) => ({ value: null, ...spec }))
        .map(({ name, label, value }) => ({ name, label, value })),
    };
  }

  /** Go to a step that the page around this one asks for; a question is answered first. @param {number} step */
  go(step) {
    if (!this.scene || this.quiz.practises || this.quiz.holds(step)) return;
    this.player.pause();
    this.player.go(step, true);
  }

  /** Say where the stage is. */
  tell() {
    const { embedding, scene, player: { frame, still } } = this;
    if (!embedding.target || !scene || still || scene.living) return;
    embedding.tell('ready', this.state);
    const { phase } = scene.frames[frame];
    embedding.tell('step', { step: frame, phase, caption: captionOf(scene, frame) });
  }

  /**
   * The frame of which a still would do: null for the last one; undefined while the frames are
   * played.
   */
  get place() {
    const { playing, frame, frames } = this.player;
    if (playing) return undefined;
    return frame < frames - 1 ? frame : null;
  }

  /** A scene of its bytes. @param {Uint8Array} bytes */
  read(bytes) {
    return decode(bytes);
  }

  /**
   * Show a scene; the position, the zoom and the drawing state stay where they can. It answers what
   * has a `number`.
   * @param {Uint8Array} bytes
   * @param {number} [number]
   * @param {Partial<Scene>} [details] that hold in place of those in the bytes
   */
  load(bytes, number = 0, details = {}) {
    const { link } = this;
    const first = !this.scene;
    const scene = { ...this.read(bytes), ...details };
    const { still } = scene;
    const heard = number || (scene.heard ?? 0);
    if (!still && link.talk.overtaken(heard)) return;
    Object.assign(this, { bytes, scene, selected: scene.selected ?? null });
    this.highlight.release();
    this.root.classList.toggle('dm-projector', Boolean(scene.projector));
    this.root.dataset.runs = scene.pair ? '2' : '1';
    this.toolbar.load(scene, link.changeable && !this.quiz.practises);
    this.retheme();
    this.view.load(scene);
    link.known.selected = this.selected;
    if (still) this.player.load(still.frames, still.frame, true);
    else this.seat(scene, first);
    this.editor.load(scene.edit ?? null);
    const later = (/** @type {string} */ name) => link.talk.holds(name, heard);
    this.quiz.load(scene);
    this.handles.load(this.quiz.practises ? [] : scene.handles, later);
    this.leads.load(scene.marks);
    this.controls.load(link.changeable ? scene.controls ?? [] : [], later);
    link.talk.heard(heard, Boolean(still));
    this.skips.hide(this.controls.empty);
    if (first && scene.living) this.live();
    this.root.dataset.draft = String(Boolean(scene.draft));
    partOf(this.root, 'main').dataset.lowered = typeof scene.draft === 'string' ? scene.draft : '';
    link.rest(Boolean(scene.draft && !still));
    this.tell();
    this.view.invalidate();
    announce(this, 'scene');
  }

  /**
   * Put the player where it was, or where Python wants it.
   * @type {(scene: Scene, first: boolean) => void}
   */
  seat({ frame, frames }, first) {
    // A single frame has no position to keep: the first run after it opens where the page would.
    const wanted = frame?.serial !== this.serial || this.player.frames < 2;
    const asked = wanted ? frame?.at ?? null : null;
    this.serial = frame?.serial;
    this.link.known.frame = asked ?? this.link.known.frame;
    this.player.load(frames.length, asked ?? (first ? 0 : null));
  }

  /**
   * Play by itself, over and over, while it is in view; only a change of theme is reported. Who
   * wants no motion sees the end.
   */
  live() {
    const { player } = this;
    this.root.classList.add('dm-living');
    this.view.resize();
    Object.assign(player, UNHURRIED);
    if (player.calm.matches) player.go(player.frames - 1);
    else player.play();
    const observer = new IntersectionObserver(([entry]) => player.hide(!entry.isIntersecting));
    observer.observe(this.root);
    this.ends.push(() => observer.disconnect());
  }

  /** Take over the theme of the page; pictures on a page that is not about the stage follow. */
  retheme() {
    const scheme = this.view.retheme(Boolean(this.scene?.projector));
    if (scheme && this.scene?.living) this.link.report.themed?.(scheme);
  }

  /** @param {Panel} panel */
  attach(panel) {
    const { canvas } = panel;
    canvas.addEventListener('pointermove', (event) => this.hover(event, panel));
    canvas.addEventListener('pointerleave', () => {
      this.tip.hidden = true;
      this.highlight.set({});
    });
    canvas.addEventListener('click', (event) => this.click(event, panel));
    this.quiz.attach(panel);
    this.handles.attach(panel);
    this.leads.attach(panel);
    this.editor.pen.attach(panel);
  }

  /** Paint everything at the player's moment and say so on the element. */
  paint() {
    const { player, scene, view, readout } = this;
    if (!scene) return;
    const { moment } = player;
    let lit = 0;
    view.paint(moment, (g, places, panel) => { lit += this.overlay(g, places, panel, moment); });
    if (player.legible) {
      const quiet = player.playing && player.speed > READ_ALOUD;
      readout.write(scene, moment.frame, view.theme, { quiet });
    }
    const { ledger } = scene.frames[moment.frame];
    readout.light(this.quiz.rows(ledger) ?? this.highlight.rows(ledger, moment));
    this.toolbar.update();
    this.rev += 1;
    const { frame, frames } = player;
    const state = { lit, frame, frames, handles: this.handles.all.length, rev: this.rev };
    for (const [name, value] of Object.entries(state)) this.root.dataset[name] = String(value);
  }

  /**
   * Draw what is not of the scene; returns how many parts of marks are lit.
   * @type {(g: Context, places: Places, panel: Panel, moment: Moment) => number}
   */
  overlay(g, places, panel, moment) {
    const { theme, dataMarks } = this.view;
    const mark = dataMarks.find((one) => one.panel === panel.spec.name);
    if (mark && this.selected !== null) {
      const [xs, ys] = [mark.get('x', moment), mark.get('y', moment)];
      const [x, y] = [places.x(xs[this.selected]), places.y(ys[this.selected])];
      g.strokeStyle = theme.ink;
      g.lineWidth = 2 * theme.scale;
      g.beginPath();
      g.arc(x, y, 9 * theme.scale, 0, 2 * Math.PI);
      g.stroke();
    }
    const ledger = this.scene?.frames[moment.frame].ledger ?? [];
    const lit = this.highlight.draw(g, places, panel.marks, ledger, moment, theme);
    this.quiz.draw(g, places, panel, moment, theme);
    for (const draw of this.layers) draw(g, places, panel, moment, theme);
    this.handles.draw(g, places, panel, theme);
    this.editor.draw(g, places, panel, theme);
    return lit;
  }

  /**
   * All that a picture of the stage is made of: as it stands, or at a frame.
   * @param {number} [at]
   * @returns {Snapshot}
   */
  snapshot(at) {
    const { bytes, player, scene, view: { panels, theme } } = this;
    const frame = at ?? player.frame;
    const moment = at === undefined ? player.moment : { frame, from: frame, t: 1 };
    return {
      bytes,
      legend: scene?.legend ?? [],
      moment,
      frame,
      frames: scene?.frames.length ?? 1,
      theme,
      body: partOf(this.root, 'body'),
      panels: [...panels.values()],
      overlay: (g, places, panel) => this.overlay(g, places, panel, moment),
      caption: scene ? captionOf(scene, moment.frame) : '',
      name: scene?.name ?? 'stage',
      title: scene?.title ?? 'dmlib',
    };
  }

  /** @type {(event: PointerEvent, panel: Panel) => void} */
  hover(event, panel) {
    const { offsetX: x, offsetY: y } = event;
    const { moment } = this.player;
    const hit = event.buttons ? null : panel.nearest(x, y, moment);
    const under = hit ?? (event.buttons ? null : panel.under(x, y, moment));
    this.highlight.set(under ? { mark: under.mark, index: under.index } : {});
    panel.canvas.style.cursor = this.editor.pen.cursor(panel)
      ?? (this.leads.takes(event, panel) ? 'ew-resize'
        : hit?.mark.data ? 'pointer' : this.handles.cursor(event, panel) ?? 'grab');
    showTip(this.tip, this.root, hit, panel, moment);
  }

  /** @type {(event: MouseEvent, panel: Panel) => void} */
  click(event, panel) {
    if (this.editor.active || this.quiz.click(event, panel) || !this.scene?.selectable) return;
    if (event.defaultPrevented || this.handles.at(event, panel)) return;
    const { offsetX, offsetY } = event;
    const hit = panel.nearest(offsetX, offsetY, this.player.moment, (mark) => mark.data);
    if (!hit && this.handles.summon(event, panel)) return;
    if (!hit && !this.view.dataMarks.some((mark) => mark.panel === panel.spec.name)) return;
    const index = hit && hit.index !== this.selected ? hit.index : null;
    if (index === this.selected) return;
    this.selected = index;
    this.view.invalidate();
    this.link.select(index);
  }

  /** @param {number} frame */
  settle(frame) {
    clearTimeout(this.settling);
    announce(this, 'frame');
    this.tell();
    if (this.player.still) this.link.talk.settle();  // the other frames are wanted
    if (this.player.playing || this.scene?.living || this.quiz.practises) return;
    this.settling = setTimeout(() => this.link.position(frame), SETTLE);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { editor, handles, quiz, readout, player } = this;
    if (!this.scene) return;
    const used = quiz.key(event) || editor.key(event) || handles.key(event) || readout.key(event) || player.key(event)
      || this.viewKey(event);
    if (!used) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {KeyboardEvent} event */
  viewKey(event) {
    if (event.key === '0') this.view.reset();
    return event.key === '0';
  }

  destroy() {
    clearTimeout(this.settling);
    this.ends.forEach((end) => end());
  }
}
