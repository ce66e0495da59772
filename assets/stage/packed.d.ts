/** What Python packs, under its names: the classes there say what each field is. */
import type { Channel } from './scene.js';
import type { Moment, Theme } from './types';

// --- Scenes: dmlib/pictures/scene.py, marks.py and ledger.py, packed by encode.py ----------------

export type Values =
  Float32Array | Float64Array | Uint8Array | Uint16Array | Uint32Array | Int32Array;

export interface Axis {
  label: string;
  low: number;
  high: number;
  integer: boolean;
  ticks: string[];
}

export interface PanelSpec {
  name: string;
  x: Axis;
  y: Axis;
  title: string;
  side: boolean;
  equal: boolean;
}

/** What a mark of any kind has: constants, and channels, of which some are always there. */
interface MarkOf<Kind extends string> {
  kind: Kind;
  panel: string;
  tween: boolean;
  of: string;
  channels: Record<string, Channel>;
  /** Positions that are being drawn, in place of those of the channels. */
  override?: Record<string, Values>;
  /** The image of a raster, and of which frame and theme it is; the one that fades; a spare one. */
  canvas?: HTMLCanvasElement;
  before?: HTMLCanvasElement | null;
  spare?: HTMLCanvasElement;
  painted?: { at: string; theme: Theme };
  get(name: Place, moment: Moment): Values;
  get(name: string, moment: Moment): Values | undefined;
}

type Place = 'x' | 'y' | 'x0' | 'y0' | 'x1' | 'y1' | 'rx' | 'ry' | 'pixels';

export interface Points extends MarkOf<'Points'> {
  labels: string[];
  classes: string[];
  emphasis: boolean;
  data: boolean;
  leads: '' | 'xy' | 'x';
}

export interface Line extends MarkOf<'Line'> {
  label: string;
  color: number | string;
  width: number;
  dash: boolean;
}

export interface Segments extends MarkOf<'Segments'> {
  width: number;
  arrow: boolean;
}

export interface Ellipses extends MarkOf<'Ellipses'> {
  fill: number;
}

export type Rects = MarkOf<'Rects'>;

export interface Texts extends MarkOf<'Texts'> {
  text: string[];
  anchor: 'start' | 'middle' | 'end';
  dy: number;
  halo: boolean;
}

export type Cells = MarkOf<'Cells'>;

export interface Raster extends MarkOf<'Raster'> {
  width: number;
  height: number;
  extent: [x0: number, x1: number, y0: number, y1: number];
  ramp: boolean;
  opacity: number;
  crisp: boolean;
}

export type Mark = Points | Line | Segments | Ellipses | Rects | Texts | Cells | Raster;

export type Cell = string | number | null;

export interface LedgerTable {
  title: string;
  head: string[];
  rows: Cell[][];
  emphasis: number[];
  classes?: boolean;
  of?: string;
  numbers?: (number | null)[];
}

export interface Formula {
  text: string;
  rows?: undefined;
}

export type Block = LedgerTable | Formula;

export interface Frame {
  caption: string;
  phase: string;
  ledger: Block[];
  /** The caption of the run that is pinned. */
  pinned?: string;
}

export interface Handle {
  name: string;
  panel: string;
  label: string;
  kind: 'point' | 'x' | 'y' | 'turn';
  x: number | null;
  y: number | null;
  around: [x: number, y: number] | null;
}

export interface Grid {
  name: string;
  panel: string;
  label: string;
  kind: 'grids';
  places: [left: number, top: number][];
  height: number;
  width: number;
  cells: string;
  live: boolean;
}

export interface Key {
  text: string;
  color: number;
  symbol: number | null;
  hollow: boolean;
  kind: 'mark' | 'line' | 'dash' | 'area';
}

/** What a scene is, and how it is mounted: `Scene`, and `View.encoded` in dashboard/view.py. */
export interface Scene {
  panels: PanelSpec[];
  marks: Mark[];
  frames: Frame[];
  handles: (Handle | Grid)[];
  legend: Key[];
  name?: string;
  title?: string;
  selectable?: boolean;
  selected?: number | null;
  /** The headline numbers of each frame. */
  results?: Result[][];
  controls?: Control[];
  pseudocode?: Pseudocode | null;
  edit?: Edit | null;
  projector?: boolean;
  /** Plays by itself, on a page that is not about it. */
  living?: boolean;
  /** The last message that Python has heard. */
  heard?: number;
  /** Where the player is to go, once for each serial. */
  frame?: { at: number | null; serial: number };
  /** Of a picture that is one frame of several. */
  still?: { frame: number; frames: number };
  /** What is written beside two runs. */
  pair?: Pair;
  /** Whether a finer picture can be had; a sentence about what was lowered for this one. */
  draft?: boolean | string;
  /** Whether there are questions about this run, and those that are to be asked. */
  asks?: boolean;
  /** The round of practice of its method; 0, or nothing, is the usual one. */
  round?: number;
  quiz?: Quiz | null;
}

/** Two runs: dashboard/pairs.py. The pinned one is the first. */
export interface Pair {
  /** What tells them apart. */
  titles: [string, string];
  /** The last step of each, and in each frame the step of each. */
  ends: [number, number];
  steps: [number, number][];
  /** What differs in each frame. */
  differences: string[];
}

// --- Questions: dmlib/pictures/question.py and answers.py, packed by dashboard/practice.py -------

export type Given = number | number[] | [x: number, y: number];

export type Answer =
  | { kind: 'pick'; of: string; right: number[][]; among: number[]; several: boolean;
      names: Record<string, string>; }
  | { kind: 'place'; panel: string; form: 'point' | 'x' | 'y'; right: [x: number, y: number][];
      reach: [x: number, y: number]; }
  | { kind: 'angle'; panel: string; around: [x: number, y: number]; radius: number;
      right: number[]; tolerance: number; }
  | { kind: 'option'; options: string[]; right: number[]; }
  | { kind: 'number'; right: number[]; tolerance: number; unit: string; }
  | { kind: 'order'; items: string[]; ranks: number[]; right: number[][]; };

/** The answer of a known wrong rule. */
export interface QuizError {
  rule: string;
  answer: Given;
  refutation: string;
}

export interface Question {
  /** The frame that shows the answer. */
  frame: number;
  topic: string;
  prompt: string;
  answer: Answer;
  solution: string;
  proof: string;
  hint: string;
  tie: string;
  /** Kinds of marks that are not drawn while it is asked. */
  hides: string[];
  /** Numbers of the marks that it is about, and what they count: "class" for colours. */
  about: number[];
  of: string;
  errors: QuizError[];
}

export interface Quiz {
  /**
   * A round, one on the data of the page, all decisions, one that waits for a name, or questions
   * before each step.
   */
  mode: '1' | 'own' | 'all' | 'name' | 'predict';
  questions: Question[];
}

// --- Beside the picture: dashboard/panel.py, results.py, pseudocode.py and data/points.py --------

export type Option = [value: string, text: string];

interface ControlOf<Kind extends string> {
  kind: Kind;
  name: string;
  label: string;
  help?: string;
  /** Why it changes nothing here. */
  idle?: string;
}

export interface Choice extends ControlOf<'slider' | 'choice'> {
  options: Option[];
  value: string;
  /** Of a slider: what may be typed. */
  low?: number | null;
  high?: number | null;
  whole?: boolean;
}

export interface Stepper extends ControlOf<'stepper'> {
  low: number;
  high: number;
  value: string;
}

export interface Text extends ControlOf<'text'> {
  value: string;
  max: number;
}

export interface Flag extends ControlOf<'flag'> {
  value: string;
}

export interface Several extends ControlOf<'several'> {
  options: Option[];
  value: string[];
}

export interface Button extends ControlOf<'button'> {
  disabled?: boolean;
  primary?: boolean;
}

export type Control =
  Choice | Stepper | Text | Flag | Several | Button | ControlOf<'note'> | ControlOf<'section'>;

export interface Result {
  label: string;
  text: string;
  note: string;
  /** The same of the pinned run. */
  pinned?: string;
}

export interface Pseudocode {
  source: string;
  lines: string[];
  /** The line of each step. */
  current: (number | null)[];
}

/** Points that are drawn by hand; without `classes` they are placed centres. */
export interface Edit {
  panel: string;
  base: string;
  rev: number;
  open: boolean;
  label: string;
  points: [x: number, y: number, c: number][];
  edges?: Edge[];
  /** Whether edges have directions, and may close no cycle. */
  directed?: boolean;
  acyclic?: boolean;
  /** Of nodes that stand where they are: c of a point says whether it belongs to the network. */
  names?: string[];
  /** The node that is asked about. */
  target?: string;
  classes?: string[];
  max: number;
  box: [x0: number, x1: number, y0: number, y1: number];
  step?: number;
}

export type Edge = [from: number, to: number, ...weight: number[]];
