/**
 * Answers to questions: which ones count as the same, and which are right. Python has the same
 * rules (dmlib/pictures/answers.py).
 * @module
 */
/** @import { Answer, Given, Question, QuizError } from './types' */

/** @type {(a: number[], b: number[]) => boolean} */
const equalSets = (a, b) => a.length === b.length && a.every((each) => b.includes(each));

/** @type {Record<Answer['kind'], (answer: any, given: any, other: any) => boolean>} */
const SAME = {
  pick: (_, given, other) => equalSets(given, other),
  option: (_, given, other) => given === other,
  number: ({ tolerance }, given, other) => (
    Math.abs(given - other) <= tolerance + 1e-9 * Math.max(1, Math.abs(other))),
  place: ({ form, reach: [rx, ry] }, [x, y], [otherX, otherY]) => {
    const [across, up] = [(x - otherX) / rx, (y - otherY) / ry];
    if (form === 'point') return Math.hypot(across, up) <= 1;
    return Math.abs(form === 'x' ? across : up) <= 1;
  },
  angle: ({ tolerance }, given, other) => {
    const turn = Math.abs(given - other) % 180;
    return Math.min(turn, 180 - turn) <= tolerance;
  },
  order: ({ ranks }, given, other) => (
    given.every((/** @type {number} */ item, /** @type {number} */ i) => (
      ranks[item] === ranks[other[i]]))),
};

/**
 * Whether two answers count as the same one.
 * @type {(answer: Answer, given: Given, other: Given) => boolean}
 */
export const same = (answer, given, other) => SAME[answer.kind](answer, given, other);

/**
 * The verdict on an answer: whether it is right, and which known error it is, if it is one.
 * @type {(question: Question, given: Given) => { right: boolean, error: QuizError | null }}
 */
export function judge({ answer, errors }, given) {
  /** @type {Given[]} */
  const accepted = answer.right;
  if (accepted.some((each) => same(answer, given, each))) return { right: true, error: null };
  const error = errors.find((each) => same(answer, given, each.answer)) ?? null;
  return { right: false, error };
}
