/**
 * Worksheets: the questions of runs with pictures, tables to fill in and room to write, and on
 * pages of their own the key. ui/worksheet.py packs them; the browser prints.
 * @module
 */
import { svgOf } from './export.js';
import { show } from './ledger.js';
import { make } from './make.js';
import { Stage } from './stage.js';
/** @import { Block, Question, Sheet } from './types' */

const MAX_ROWS = 8;  // of a table to fill in
const LINES = 3;  // to write on

/** @type {(stage: Stage, alt: string) => HTMLElement} */
function picture(stage, alt) {
  stage.paint();
  const src = `data:image/svg+xml,${encodeURIComponent(svgOf(stage.snapshot()))}`;
  return Object.assign(make('img', 'picture'), { src, alt });
}

/** What an answer is written on. @type {(question: Question) => HTMLElement} */
function room({ answer }) {
  if (answer.kind === 'option') {
    return make('ul', 'options', ...answer.options.map((text) => make('li', '', text)));
  }
  if (answer.kind === 'order') return make('p', 'line', `${answer.items.join(' · ')}: in order`);
  if (answer.kind === 'place' || answer.kind === 'angle') return make('p', '', 'Draw it into the picture.');
  const unit = answer.kind === 'number' ? answer.unit : '';
  return make('p', 'line', `Answer${unit && ` in ${unit}`}:`);
}

/**
 * The first table of the arithmetic: to fill in, its head and what its rows are about; whole in the
 * key.
 * @type {(ledger: Block[], full: boolean) => HTMLElement[]}
 */
function table(ledger, full) {
  const block = ledger.find(({ rows }) => rows);
  if (!block?.rows || block.rows.length > MAX_ROWS || block.head.length < 2) return [];
  const about = block.head.indexOf(block.of ?? '');
  const cells = block.rows.map((row, r) => {
    const texts = row.map((cell, i) => (full || i === about ? String(show(cell)) : ''));
    return block.classes ? [String(r + 1), ...texts] : texts;
  });
  const names = block.classes ? ['', ...block.head] : block.head;
  const head = make('tr', '', ...names.map((name) => make('th', '', name)));
  const rows = cells.map((row) => make('tr', '', ...row.map((text) => make('td', '', text))));
  return [make('table', '', make('caption', '', block.title), head, ...rows)];
}

/** @type {(sheet: Sheet) => HTMLElement} */
function foot({ seed, link, qr }) {
  const text = make('p', '', `Seed ${seed}.${qr && ' The code opens the run.'}`, make('br'), link);
  const box = make('footer', '', text);
  if (qr) box.insertAdjacentHTML('afterbegin', qr);
  const code = box.querySelector('svg');
  const size = ['width', 'height'].map((name) => code?.getAttribute(name)).join(' ');
  code?.setAttribute('viewBox', `0 0 ${size}`);  // it is scaled, not cut
  return box;
}

/** @type {(sheet: Sheet, stage: Stage) => [task: HTMLElement, key: HTMLElement]} */
function pages(sheet, stage) {
  const { quiz, scene } = stage;
  const tasks = make('ol');
  const solutions = make('ol');
  (scene?.quiz?.questions ?? []).forEach((question, i) => {
    quiz.begin(i);
    const before = picture(stage, `The picture before question ${i + 1}`);
    const { ledger } = scene?.frames[question.frame] ?? { ledger: [] };
    const lines = Array.from({ length: LINES }, () => make('p', 'line'));
    tasks.append(make('li', '', make('p', 'prompt', question.prompt), before, room(question),
      ...table(ledger, false), ...lines));
    quiz.disclose();
    const after = picture(stage, `The picture after question ${i + 1}`);
    const proof = `${question.solution}. ${question.proof} ${question.tie}`;
    solutions.append(make('li', '', make('p', 'prompt', question.prompt), make('p', '', proof), after,
      ...table(ledger, true)));
  });
  const name = make('p', 'line', 'Name:');
  return [
    make('section', 'sheet', make('h1', '', sheet.title), make('p', '', sheet.data), name, tasks,
      foot(sheet)),
    make('section', 'sheet', make('h1', '', `${sheet.title}: key`), make('p', '', sheet.data),
      solutions, foot(sheet)),
  ];
}

/**
 * Write worksheets into an element, first all tasks and then all keys.
 * @param {HTMLElement} root
 * @param {Sheet[]} sheets
 */
export function writeSheets(root, sheets) {
  const desk = make('div', 'dm-stage dm-desk');
  root.append(desk);
  const stage = new Stage(desk, {}, false);
  stage.player.glide = 0;
  const written = sheets.map((sheet) => {
    const scene = Uint8Array.from(atob(sheet.scene), (c) => c.charCodeAt(0));
    stage.load(scene, 0, sheet.quiz ? { quiz: sheet.quiz, handles: [] } : {});
    return pages(sheet, stage);
  });
  stage.destroy();
  root.replaceChildren(...written.map(([task]) => task), ...written.map(([, key]) => key));
  root.dataset.written = String(written.length);
}
