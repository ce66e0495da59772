/** What the modules of the stage hand to each other. */
import type { ScaleLinear } from '../vendor/d3.js';
import type { Block, Given, Key, Mark, Points, Quiz } from './packed';
import type { Panel } from './panel.js';
import type { Stage } from './stage.js';

export * from './packed';

declare global {
  interface DocumentEventMap {
    'dm-scene': CustomEvent<Stage>;
    'dm-frame': CustomEvent<Stage>;
  }
}

export interface DrawnPoint {
  x: number;
  y: number;
  c: number;
  /** Its row in the data of the scene; -1 for none. */
  row: number;
}

/** A value of a control or a handle. */
export interface Message {
  name: string;
  [detail: string]: unknown;
}

/** What the outside hears of a stage; a saved page hears nothing. */
export interface Report {
  changed?: (message: Message) => void;
  moved?: (message: Message) => void;
  edited?: (change: object) => void;
  frame?: (frame: number) => void;
  selected?: (row: number | null) => void;
  rest?: () => void;
  themed?: (scheme: string) => void;
}

/** What handles need of the server. */
export interface Moves {
  readonly movable: boolean;
  move(message: Message, moves: boolean): void;
  holds(name: string): boolean;
}

/** An answer to a question; nothing was given where it was skipped. */
export interface Answered {
  given: Given | null;
  right: boolean;
  /** The known wrong rule that gives it; empty if it is none. */
  rule: string;
}

/** A worksheet, as ui/worksheet.py packs it: a scene with the questions about it, as base64. */
export interface Sheet {
  title: string;
  data: string;
  seed: string;
  link: string;
  /** The link as a code that a phone reads, as SVG; empty where it is too long. */
  qr: string;
  scene: string;
  /** The questions, where the scene has none. */
  quiz?: Quiz;
}

/** What was practised on a page. */
export interface Progress {
  rounds: number;
  /** The largest share of right answers. */
  best: number;
  /** How often each known wrong rule was followed. */
  wrong: Record<string, number>;
}

// --- Pictures ------------------------------------------------------------------------------------

/** When: the frame, where it came from, and how far the glide is (1 = arrived). */
export interface Moment {
  frame: number;
  from: number;
  t: number;
}

export interface Theme {
  source: string;
  ink: string;
  muted: string;
  grid: string;
  background: string;
  accent: string;
  font: string;
  scale: number;
  dark: boolean;
  colorOf(index: number): string;
  role(name: number | string): string;
}

export type Scale = ScaleLinear<number, number>;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Domain {
  x: number[];
  y: number[];
}

/** The scales of a panel in a box; `room` is that for the tick labels of the vertical axis. */
export interface Axes {
  x: Scale;
  y: Scale;
  inner: Box;
  room: number;
  domain: Domain;
}

/** A line of text in a picture. */
export interface Written {
  left: number;
  width: number;
  y: number;
}

/** The scales, the texts that are already in the picture, and what a text would hide. */
export interface Places extends Axes {
  written: Written[];
  crossed: (box: Written, height: number) => boolean;
  covers: (box: Written, height: number) => boolean;
}

/** Draw a mark; each kind has one such function. */
export type Draw<Kind extends Mark> =
  (g: Context, mark: Kind, moment: Moment, places: Places, theme: Theme) => void;

/** Add the outlines of some parts of a mark to the path. */
export type Outline<Kind extends Mark> =
  (g: Context, mark: Kind, parts: number[], moment: Moment, axes: Axes, theme: Theme) => void;

export type Overlay = (g: Context, places: Places, panel: Panel) => void;

/** Draw over a panel at a moment. */
export type Layer =
  (g: Context, places: Places, panel: Panel, moment: Moment, theme: Theme) => void;

/** The part of a canvas's context that the stage draws with: export.js records it as SVG. */
export interface Context {
  font: string;
  textAlign: CanvasTextAlign;
  textBaseline: CanvasTextBaseline;
  lineWidth: number;
  lineJoin: CanvasLineJoin;
  globalAlpha: number;
  imageSmoothingEnabled: boolean;
  fillStyle: string | CanvasGradient | CanvasPattern;
  strokeStyle: string | CanvasGradient | CanvasPattern;
  save(): void;
  restore(): void;
  translate(dx: number, dy: number): void;
  rotate(angle: number): void;
  beginPath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  arc(x: number, y: number, radius: number, start: number, end: number): void;
  rect(x: number, y: number, width: number, height: number): void;
  closePath(): void;
  clip(): void;
  fill(): void;
  stroke(): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  strokeRect(x: number, y: number, width: number, height: number): void;
  setLineDash(dash: number[]): void;
  measureText(text: string): { width: number };
  fillText(text: string, x: number, y: number): void;
  strokeText(text: string, x: number, y: number): void;
  drawImage(image: HTMLCanvasElement, x: number, y: number, width: number, height: number): void;
}

/** A part of a mark that is under the pointer. */
export interface Part {
  mark: Mark;
  index: number;
}

/** A point under the pointer: where it is on the screen, and in units of the axes. */
export interface Hit extends Part {
  mark: Points;
  x: number;
  y: number;
  values: [x: number, y: number];
}

/** What a row of a table, or part of a mark, is about. */
export interface Topic {
  of: string | null | undefined;
  number: number | null;
  color: number | string | null;
}

/** What lies under the pointer or the focus: a row of the ledger, or part of a mark. */
export interface Lit {
  place?: string | null;
  mark?: Mark;
  index?: number;
}

/** All that a saved picture is made of. */
export interface Snapshot {
  /** What the panels stand in. */
  body: HTMLElement;
  panels: Panel[];
  theme: Theme;
  moment: Moment;
  overlay: Overlay;
  caption: string;
  legend: Key[];
  name: string;
  title: string;
  bytes: Uint8Array;
  /** Where the player stands, and of how many frames. */
  frame: number;
  frames: number;
}
