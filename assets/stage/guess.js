/**
 * A guess: what it is dragged with, how it is drawn beside what is right, and the verdict on it.
 * @module
 */
import { light, topicOf, topicsOf } from './links.js';
/** @import { Panel } from './panel.js' */
/** @import { View } from './view.js' */
/** @import { Answer, Answered, Axis, Block, Context, Given, Handle, Layer } from './types' */
/** @import { Moment, Places, Question, Theme } from './types' */

const REACH = 28;  // pixels around a mark in which a click means it

/**
 * The number of the mark of a kind at the pointer.
 * @type {(event: MouseEvent, panel: Panel, of: string, moment: Moment) => number | null}
 */
export function numberAt({ offsetX, offsetY }, panel, of, moment) {
  const hit = panel.nearest(offsetX, offsetY, moment,
    (mark) => mark.of === of && Boolean(mark.channels.numbers), REACH)
    ?? panel.under(offsetX, offsetY, moment, of);
  const topic = hit && topicsOf(hit.mark, hit.index, moment);
  return topic?.of === of ? topic.number : null;
}

/**
 * What is dragged to answer a question.
 * @type {(question: Question, view: View) => Handle[]}
 */
export function handlesOf({ answer }, view) {
  if (answer.kind !== 'place' && answer.kind !== 'angle') return [];
  const spec = view.panels.get(answer.panel)?.spec;
  if (!spec) return [];
  const handle = { name: 'answer', panel: answer.panel, label: 'your answer', around: null };
  if (answer.kind === 'angle') {
    const turn = Math.random() * Math.PI;  // where it begins says nothing
    const [cx, cy] = answer.around;
    const x = cx + answer.radius * Math.cos(turn);
    return [{ ...handle, kind: 'turn', x, y: cy + answer.radius * Math.sin(turn), around: [cx, cy] }];
  }
  /** @type {(axis: Axis) => number} */
  const begin = ({ low, high }) => low + 0.06 * (high - low);
  if (answer.form === 'point') return [{ ...handle, kind: 'point', x: null, y: null }];
  const [x, y] = answer.form === 'x' ? [begin(spec.x), null] : [null, begin(spec.y)];
  return [{ ...handle, kind: answer.form, x, y }];
}

/**
 * Outline the marks with some numbers, of what these count: "class" for colours.
 * @type {(numbers: number[], of: string, ...at: Parameters<Layer>) => void}
 */
export function lightNumbers(numbers, of, g, places, panel, moment, theme) {
  for (const number of numbers) {
    const topic = of === 'class' ? { of: null, number: null, color: number }
      : { of, number, color: null };
    light(g, panel.marks, topic, moment, places, theme);
  }
}

/**
 * Draw a place or a direction that answers a question.
 * @type {(g: Context, places: Places, answer: Answer, given: Given) => void}
 */
export function strokeGuess(g, { x, y, inner }, answer, given) {
  g.beginPath();
  if (answer.kind === 'angle') {
    const [cx, cy] = answer.around;
    const turn = (Number(given) * Math.PI) / 180;
    const [dx, dy] = [answer.radius * Math.cos(turn), answer.radius * Math.sin(turn)];
    g.moveTo(x(cx - dx), y(cy - dy));
    g.lineTo(x(cx + dx), y(cy + dy));
  } else if (answer.kind === 'place') {
    const [px, py] = /** @type {number[]} */ (given);
    if (answer.form === 'x') g.rect(x(px), inner.y, 0, inner.height);
    else if (answer.form === 'y') g.rect(inner.x, y(py), inner.width, 0);
    else {
      g.moveTo(x(px) + 9, y(py));
      g.arc(x(px), y(py), 9, 0, 2 * Math.PI);
    }
  }
  g.stroke();
}

/**
 * Draw the guess, dashed, and what is right where it is known: places and directions.
 * @param {Context} g
 * @param {Places} places
 * @param {Panel} panel
 * @param {Question} question
 * @param {Given | null} held
 * @param {boolean} isAnswered
 * @param {Theme} theme
 */
export function ghosts(g, places, panel, { answer }, held, isAnswered, theme) {
  if (answer.kind !== 'place' && answer.kind !== 'angle') return;
  if (answer.panel !== panel.spec.name) return;
  g.lineWidth = 2.5 * theme.scale;
  g.strokeStyle = theme.ink;
  if (held !== null) {
    g.setLineDash([5, 4]);
    strokeGuess(g, places, answer, held);
    g.setLineDash([]);
  }
  g.strokeStyle = theme.accent;
  if (isAnswered && answer.right.length) strokeGuess(g, places, answer, answer.right[0]);
}

/**
 * The verdict on an answer, as elements.
 * @type {(question: Question, answered: Answered) => HTMLElement[]}
 */
export function verdictOn(question, answered) {
  const error = question.errors.find(({ rule }) => rule === answered.rule);
  const make = (/** @type {'strong' | 'span'} */ tag, /** @type {string} */ textContent) => (
    Object.assign(document.createElement(tag), { textContent: `${textContent} ` }));
  const parts = [
    make('strong', answered.right ? 'Right.' : `Not quite: ${question.solution}.`),
  ];
  if (error && !answered.right) {
    parts.push(make('span', `That is the rule “${error.rule}”`));
    if (error.refutation) parts.push(make('span', error.refutation));
  }
  parts.push(make('span', question.proof));
  if (question.tie) parts.push(make('span', question.tie));
  return parts;
}

/**
 * The places of the rows of the ledger that prove an answer: those about the marks that were to be
 * picked, or those that the step is about.
 * @type {(question: Question, ledger: Block[]) => string[]}
 */
export function provingRows({ answer }, ledger) {
  return ledger.flatMap((block, b) => (block.rows ?? []).flatMap((_, r) => {
    const topic = topicOf(block, r);
    const is = answer.kind === 'pick' ? topic?.of === answer.of
      && topic.number !== null && answer.right[0].includes(topic.number)
      : block.rows && block.emphasis.includes(r);
    return is ? [`${b}.${r}`] : [];
  }));
}
