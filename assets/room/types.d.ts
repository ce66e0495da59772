/** What the server of rooms says: docs/decisions/0041-rooms.md. */
import type { Answer, Given, Question } from '../stage/types';

declare global {
  interface Window {
    /** What the page of a phone has asked for before its program was there: join.html. */
    early?: { member?: Promise<Response>; scene?: Promise<Response | null> };
  }
}

/** The room of a teacher: the secret stays in the browser that opened it. */
export interface Room {
  code: string;
  secret: string;
}

/** What a phone remembers of a room: who it is, its last vote and its data of a task. */
export interface Member {
  member?: string | number;
  token?: string;
  vote?: { round: string; given: Given };
  data?: { task: string; number: number };
}

/** What phones need of a question for its picture. */
export type Hints = Pick<Question, 'hides' | 'about' | 'of'>;

export interface Asked {
  id: string | number;
  round: number;
  prompt: string;
  /** What is right, and why, is in it when it is revealed. */
  answer: Answer & { hints?: Hints; solution?: string; proof?: string };
  phase: 'asking' | 'votes' | 'revealed';
  answered: number;
  /** Those that remain; null without an end. */
  seconds: number | null;
  /** The answers of each round. */
  votes: Given[][] | null;
}

/** What a cell of a row takes: dashboard/data/fields.py. */
export type Field = { name: string }
  & ({ kind: 'number'; low: number; high: number } | { kind: 'choice'; options: string[] }
    | { kind: 'items'; options: string[] } | { kind: 'text'; max: number });

/** What phones give: points that are placed on a plane, or rows that are filled in. */
export interface Collected {
  kind: 'points' | 'rows';
  slug: string;
  /** What reads rows as a file. */
  reader: string;
  fields: Field[];
}

export type Cell = number | string | string[];
export type Row = Cell[];

export type Task = { id: string | number }
  & ({ kind: 'try'; about: { slug: string; round: number } } | { kind: 'collect'; about: Collected });

export interface Progress {
  finished: number;
  right: number;
  of: number;
  misconceptions: Record<string, number>;
}

export interface Nickname {
  member: string | number;
  nickname: string;
  hidden: boolean;
}

export interface State {
  number: number;
  title: string;
  slug: string;
  scene: string | null;
  frame: number | null;
  members: number;
  task: Task | null;
  question: Asked | null;
  /** The teacher's only. */
  nicknames?: Nickname[];
  progress?: Progress | null;
}

export interface Count {
  members: number;
  answered: number;
  /** The teacher's only. */
  nicknames?: Nickname[];
  progress?: Progress | null;
}

/** The events of a room by their names. */
export interface Events {
  state: State;
  frame: { number: number; frame: number };
  count: Count;
  end: { reason: string };
}

/** What can be asked and collected on a page: ui/live.py. */
export interface Offer {
  questions: Question[];
  /** The fields of points, and of rows; none where they cannot be collected. */
  points: Field[];
  rows: Field[];
  reader: string;
}
