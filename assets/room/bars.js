/**
 * What a class has answered: counts as bars, one for each round, and the answers on the picture.
 * @module
 */
import { same } from '../stage/answers.js';
import { lightNumbers, strokeGuess } from '../stage/guess.js';
import { partsOf } from '../stage/links.js';
import { make } from '../stage/make.js';
/** @import { Answer, Given, Layer, Question } from '../stage/types' */
/** @typedef {{ label: string, counts: number[], isRight: boolean }} Row */

const MAX_ROWS = 5;
const BINS = 6;

/** @param {Given[][]} rounds */
const votersOf = (rounds) => rounds.map((votes) => votes.length);

/** The places and the directions of answers are read on the picture. @param {Answer} answer */
const isOnPicture = ({ kind }) => kind === 'place' || kind === 'angle';

/**
 * Whether a vote is one of the right answers.
 * @type {(answer: Answer, given: Given) => boolean}
 */
export function isRight(answer, given) {
  /** @type {Given[]} */
  const accepted = answer.right;
  return accepted.some((each) => same(answer, given, each));
}

/**
 * An answer in words.
 * @type {(answer: Answer, given: any) => string}
 */
export function labelOf(answer, given) {
  const text = (/** @type {number} */ value) => String(Number(value.toPrecision(4)));
  switch (answer.kind) {
    case 'option': return answer.options[given];
    case 'order': return given.map((/** @type {number} */ item) => answer.items[item]).join(', ');
    case 'number': return answer.unit ? `${text(given)} ${answer.unit}` : text(given);
    case 'angle': return `${text(given)}°`;
    case 'place': return answer.form === 'point' ? given.map(text).join(', ')
      : text(given[answer.form === 'x' ? 0 : 1]);
    default: return marksOf(answer, given);
  }
}

/**
 * Marks in words, by their names or their numbers.
 * @type {(answer: Extract<Answer, { kind: 'pick' }>, given: number[]) => string}
 */
function marksOf({ names, of }, given) {
  const numbers = [...given].sort((a, b) => a - b);
  if (!numbers.length) return 'none';
  if (numbers.every((each) => names[each])) return numbers.map((each) => names[each]).join(', ');
  return `${of}${numbers.length > 1 ? 's' : ''} ${numbers.join(', ')}`;
}

/**
 * Bins of equal width over all numbers that were answered.
 * @type {(answer: Answer, rounds: number[][]) => Row[]}
 */
function histogram(answer, rounds) {
  const numbers = rounds.flat();
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const distinct = [...new Set(numbers)].sort((a, b) => a - b);
  const text = (/** @type {number} */ value) => String(Number(value.toPrecision(4)));
  const right = /** @type {number[]} */ (answer.right);
  if (distinct.length <= BINS) {
    return distinct.map((value) => ({
      label: text(value),
      counts: rounds.map((votes) => votes.filter((each) => each === value).length),
      isRight: isRight(answer, value),
    }));
  }
  const width = (high - low) / BINS;
  const binOf = (/** @type {number} */ value) => (
    Math.max(0, Math.min(BINS - 1, Math.floor((value - low) / width))));
  return Array.from({ length: BINS }, (_, bin) => ({
    label: `${text(low + bin * width)} – ${text(low + (bin + 1) * width)}`,
    counts: rounds.map((votes) => votes.filter((each) => binOf(each) === bin).length),
    isRight: right.some((each) => each >= low && each <= high && binOf(each) === bin),
  }));
}

/**
 * One row for each answer that was given, the most frequent first; where several marks are picked,
 * for each mark.
 * @type {(answer: Answer, rounds: Given[][]) => Row[]}
 */
function frequencies(answer, rounds) {
  const several = answer.kind === 'pick' && answer.several;
  const isIn = (/** @type {Given} */ given) => (
    several ? /** @type {number[][]} */ (answer.right).some((each) => each.includes(/** @type {number[]} */ (given)[0]))
      : isRight(answer, given));
  /** @type {Map<string, Row>} */
  const rows = new Map();
  rounds.forEach((votes, round) => votes.forEach((vote) => {
    const marks = several && Array.isArray(vote) && vote.length ? vote.map((each) => [each]) : [vote];
    for (const given of marks) {
      const label = labelOf(answer, given);
      const row = rows.get(label) ?? { label, counts: rounds.map(() => 0), isRight: isIn(given) };
      row.counts[round] += 1;
      rows.set(label, row);
    }
  }));
  const total = (/** @type {Row} */ { counts }) => counts.reduce((sum, each) => sum + each, 0);
  return [...rows.values()].sort((a, b) => total(b) - total(a)).slice(0, MAX_ROWS);
}

/**
 * The counts of answers; none where they are on the picture.
 * @type {(answer: Answer, rounds: any[][]) => Row[]}
 */
function rowsOf(answer, rounds) {
  if (isOnPicture(answer) || !rounds.flat().length) return [];
  if (answer.kind === 'number') return histogram(answer, rounds);
  if (answer.kind === 'option') {
    return answer.options.map((label, i) => ({
      label,
      counts: rounds.map((votes) => votes.filter((each) => each === i).length),
      isRight: isRight(answer, i),
    }));
  }
  return frequencies(answer, rounds);
}

/**
 * Answers as bars, a pair of them where there were two rounds.
 * @type {(answer: Answer, rounds: Given[][]) => HTMLElement}
 */
function bars(answer, rounds) {
  const voters = votersOf(rounds);
  const box = make('div', 'dm-votes');
  box.dataset.testid = 'votes';
  const several = rounds.length > 1;
  const names = rounds.map((_, i) => make('span', `dm-round-${i + 1}`, `round ${i + 1}: ${voters[i]}`));
  const head = make('p', '', ...(several ? names : [`${voters[0] ?? 0} answers`]));
  const list = make('ul');
  for (const { label, counts, isRight: right } of rowsOf(answer, rounds)) {
    const row = make('li', right ? 'dm-right' : '', make('span', 'dm-name', right ? `✓ ${label}` : label));
    const lines = counts.map((count, i) => {
      const bar = make('span', `dm-bar-of dm-round-${i + 1}`, make('b', '', String(count)));
      bar.style.setProperty('--dm-share', String(count / Math.max(1, voters[i])));
      return bar;
    });
    row.append(make('span', 'dm-lines', ...lines));
    list.append(row);
  }
  box.append(head, list);
  return box;
}

/**
 * What stands beside the picture of the answers: bars or, where they are on it, a sentence.
 * @type {(answer: Answer, rounds: Given[][] | null) => HTMLElement[]}
 */
export function tally(answer, rounds) {
  if (!rounds?.flat().length) return [];
  if (!isOnPicture(answer)) return [bars(answer, rounds)];
  return [make('p', '', rounds.length > 1
    ? 'On the picture: grey and hollow the first vote, filled the second.' : 'All answers are on the picture.')];
}

/**
 * Draw all answers of a class on the picture: filled those of the last round, hollow those before.
 * None has the colour of a class, and a rim keeps them apart from marks.
 * @type {(answer: Answer, rounds: any[][]) => Layer}
 */
export const cloud = (answer, rounds) => (g, places, panel, moment, theme) => {
  if (answer.kind === 'pick') {
    const votes = rounds[rounds.length - 1] ?? [];
    const picked = [...new Set(votes.flat())];
    lightNumbers(picked, answer.of, g, places, panel, moment, theme);
    writeCounts(answer.of, votes, picked)(g, places, panel, moment, theme);
    return;
  }
  if (!isOnPicture(answer) || !('panel' in answer) || answer.panel !== panel.spec.name) return;
  const isPoint = answer.kind === 'place' && answer.form === 'point';
  const stroke = (/** @type {Given} */ given, /** @type {string} */ color, /** @type {number} */ width) => {
    for (const [style, extra] of /** @type {[string, number][]} */ ([[theme.background, 2.5], [color, 0]])) {
      g.strokeStyle = style;
      g.lineWidth = (width + extra) * theme.scale;
      strokeGuess(g, places, answer, given);
    }
  };
  rounds.forEach((votes, round) => {
    const isLast = round + 1 === rounds.length;
    g.fillStyle = theme.ink;
    for (const given of votes) {
      g.globalAlpha = isPoint ? 0.9 : 0.6;
      stroke(given, isLast ? theme.ink : theme.muted, 2);
      g.globalAlpha = 0.3;
      if (isLast && isPoint) g.fill();
    }
    g.globalAlpha = 1;
  });
  if (answer.right.length) stroke(answer.right[0], theme.accent, 4);
};

/**
 * Write beside each mark how often it was picked.
 * @type {(of: string, votes: number[][], picked: number[]) => Layer}
 */
const writeCounts = (of, votes, picked) => (g, { x, y }, panel, moment, theme) => {
  g.font = `600 ${14 * theme.scale}px ${theme.font}`;
  g.textAlign = 'left';
  g.textBaseline = 'middle';
  for (const mark of panel.marksOf('Points').filter((each) => each.of === of)) {
    const [xs, ys] = [mark.get('x', moment), mark.get('y', moment)];
    for (const number of picked) {
      const [part] = partsOf(mark, { of, number, color: null }, moment);
      if (part === undefined) continue;
      const text = `${votes.filter((each) => each.includes(number)).length}×`;
      const [px, py] = [x(xs[part]) + 13 * theme.scale, y(ys[part])];
      g.lineWidth = 4;
      g.strokeStyle = theme.background;
      g.strokeText(text, px, py);
      g.fillStyle = theme.ink;
      g.fillText(text, px, py);
    }
  }
};

/**
 * How many followed each known wrong rule in the last round.
 * @type {(question: Question, votes: Given[]) => { rule: string, count: number }[]}
 */
export const rulesFollowed = ({ answer, errors }, votes) => errors
  .map((error) => ({
    rule: error.rule,
    count: votes.filter((given) => !isRight(answer, given) && same(answer, given, error.answer)).length,
  }))
  .filter(({ count }) => count);
