/*! uqr: Copyright (c) Project Nayuki, (c) 2023 Anthony Fu; MIT, assets/vendor/LICENSES.md */
/**
 * What is opened over the teacher's page: the code of the room, what can be asked, and the end.
 * @module
 */
import { renderSVG } from 'uqr';
import { button } from '../stage/inputs.js';
import { make } from '../stage/make.js';
/** @import { Answer, Question } from '../stage/types' */
/** @import { Collected, Field, Nickname } from './types' */

const TIMES = { 0: 'no limit', 30: '30 s', 60: '1 min', 120: '2 min', 300: '5 min' };
const RIGHT = '*';  // before an option that is right
const QUIET = 4;  // squares of empty rim that a scanner needs

/**
 * Open a dialog in an element; closed, it is gone.
 * @type {(place: HTMLElement, title: string, className: string, ...parts: Node[]) => HTMLDialogElement}
 */
function open(place, title, className, ...parts) {
  const dialog = make('dialog', `dm-dialog ${className}`);
  dialog.setAttribute('aria-label', title);
  const close = button('Close', () => dialog.close(), 'dm-close');
  dialog.append(make('header', '', make('h2', '', title), close), ...parts);
  dialog.onclose = () => dialog.remove();
  // Keys in it are none of the stage's, nor of the page's.
  dialog.onkeydown = (event) => event.stopPropagation();
  place.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Show the code as large as the screen, with those who have a nickname.
 * @type {(place: HTMLElement, link: string, code: string) => CodeDialog}
 */
export const codeDialog = (place, link, code) => new CodeDialog(place, link, code);

class CodeDialog {
  /** @type {(act: 'hide' | 'remove', member: string | number) => void} */
  act = () => {};

  /**
   * @param {HTMLElement} place
   * @param {string} link
   * @param {string} code
   */
  constructor(place, link, code) {
    const qr = make('div', 'dm-qr');
    qr.innerHTML = renderSVG(link, { ecc: 'M', border: QUIET });  // of the address of this page
    qr.setAttribute('role', 'img');
    qr.setAttribute('aria-label', `QR code of ${link}`);
    this.members = make('p', 'dm-members');
    this.members.setAttribute('role', 'status');
    this.names = make('ul', 'dm-nicknames');
    const address = link.replace(/^https?:\/\//, '').replace(`/${code}`, '');
    const side = make('div', '', make('p', '', 'Open ', make('b', '', address), ' and type'),
      make('p', 'dm-large-code', code), this.members, this.names);
    this.dialog = open(place, 'Join the class', 'dm-code-dialog', make('div', 'dm-halves', qr, side));
  }

  /** @type {(members: number, nicknames: Nickname[]) => void} */
  show(members, nicknames) {
    this.members.textContent = `${members} joined`;
    this.names.replaceChildren(...nicknames.map(({ member, nickname, hidden }) => {
      const hide = button('Hide', () => this.act('hide', member));
      const remove = button('Remove', () => this.act('remove', member));
      hide.setAttribute('aria-label', `Hide ${nickname}`);
      remove.setAttribute('aria-label', `Remove ${nickname}`);
      return make('li', '', make('span', '', hidden ? '(hidden)' : nickname), hidden ? '' : hide, remove);
    }));
  }
}

/** @type {(label: string, control: HTMLElement) => HTMLLabelElement} */
const labelled = (label, control) => make('label', 'dm-labelled', make('span', '', label), control);

/**
 * Let the teacher choose a question about the next step, or type one.
 * @param {HTMLElement} place
 * @param {{ questions: Question[], frame: number, panel: string,
 *   go: (frame: number) => void,
 *   ask: (question: { prompt: string, answer: Answer } | Question, seconds: number) => void }} host
 */
export function askDialog(place, { questions, frame, panel, go, ask }) {
  const time = make('select', '', ...Object.entries(TIMES).map(([value, text]) => new Option(text, value)));
  const give = (/** @type {{ prompt: string, answer: Answer }} */ question) => {
    dialog.close();
    ask(question, Number(time.value));
  };
  const next = questions.filter((each) => each.frame === frame + 1);
  const list = make('ul', 'dm-offers', ...next.map((each) => (
    make('li', '', button(each.prompt, () => give(each))))));
  const later = questions.find((each) => each.frame > frame + 1);
  const target = next.length ? undefined : later ?? questions[0];
  const where = later ? 'the next' : 'the first';
  const jump = target ? [button(`Go to step ${target.frame - 1}, ${where} with a question`, () => {
    dialog.close();
    go(target.frame - 1);
  })] : [];
  const note = next.length ? [] : [make('p', '', 'There is no question about the next step.')];
  const dialog = open(place, 'Ask the class', 'dm-ask-dialog',
    labelled('Time', time), make('h3', '', 'About the next step'), list, ...note, ...jump,
    make('h3', '', 'A question of your own'), ownForm(panel, give));
}

/**
 * A question that is typed on the spot.
 * @type {(panel: string, give: (question: { prompt: string, answer: Answer }) => void) => HTMLElement}
 */
function ownForm(panel, give) {
  const prompt = Object.assign(make('input'), { type: 'text', required: true, maxLength: 400 });
  const kind = make('select', '', new Option('Options', 'option'),
    new Option('A click on the picture', 'place'), new Option('A number', 'number'));
  const options = Object.assign(make('textarea'), { rows: 4 });
  options.placeholder = 'One option a line; * before what is right';
  const optionsLabel = labelled('Options', options);
  const refusal = make('p', 'dm-refusal');
  refusal.setAttribute('role', 'alert');
  kind.onchange = () => { optionsLabel.hidden = kind.value !== 'option'; };
  const form = make('form', 'dm-typed', labelled('Question', prompt), labelled('Answer', kind), optionsLabel,
    refusal, Object.assign(button('Ask this', () => {}, 'dm-primary'), { type: 'submit' }));
  form.onsubmit = (event) => {
    event.preventDefault();
    const answer = answerOf(kind.value, options.value, panel);
    if (answer.kind === 'option' && (answer.options.length < 2 || answer.options.length > 8)) {
      refusal.textContent = 'Type 2 to 8 options, one a line.';
      options.focus();
    } else give({ prompt: prompt.value.trim(), answer });
  };
  return form;
}

/** @type {(kind: string, text: string, panel: string) => Answer} */
function answerOf(kind, text, panel) {
  if (kind === 'place') return { kind, panel, form: 'point', right: [], reach: [1, 1] };
  if (kind === 'number') return { kind, right: [], tolerance: 0, unit: '' };
  const lines = text.split('\n').map((line) => line.trim()).filter(Boolean);
  const right = lines.flatMap((line, i) => (line.startsWith(RIGHT) ? [i] : []));
  const options = lines.map((line) => (line.startsWith(RIGHT) ? line.slice(1).trim() : line));
  return { kind: 'option', options, right };
}

/**
 * Let the teacher choose what each phone gives.
 * @type {(place: HTMLElement, rows: Field[], start: (kind: Collected['kind']) => void) => void}
 */
export function collectDialog(place, rows, start) {
  const choice = (/** @type {string} */ text, /** @type {Collected['kind']} */ kind) => (
    make('li', '', button(text, () => {
      dialog.close();
      start(kind);
    })));
  const dialog = open(place, 'Collect a data set', 'dm-collect-dialog', make('p', '', 'What does each phone give?'),
    make('ul', 'dm-offers', choice('A point on a plane', 'points'),
      choice(`A row: ${rows.map(({ name }) => name).join(', ')}`, 'rows')));
}

/**
 * Ask whether the room is to end, and offer its results before.
 * @type {(place: HTMLElement, host: { save: () => void, close: () => void }) => void}
 */
export function closeDialog(place, { save, close }) {
  const dialog = open(place, 'Close the room', 'dm-close-dialog',
    make('p', '', 'The phones lose the picture, and all answers are deleted.'),
    make('div', 'dm-acts', button('Save the results (CSV)', save),
      button('Close the room', () => {
        dialog.close();
        close();
      }, 'dm-primary')));
}
