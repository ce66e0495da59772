/**
 * What a phone gives to the data of its class: a point that is placed, or a row that is filled in.
 * @module
 */
import { button } from '../stage/inputs.js';
import { make } from '../stage/make.js';
import { classesOf, dot, Pad } from './pad.js';
/** @import { Cell, Collected, Field, Row } from './types' */

const PLACED = 'Your point has arrived. You can move it until your teacher goes on.';
const FILLED = 'Your row has arrived. You can change it until your teacher goes on.';
const CALM = 400;  // milliseconds in which a point does not move before it is sent

/** A note that is read aloud. @param {string} text */
function noteOf(text) {
  const note = make('p', 'dm-wait', text);
  note.setAttribute('role', 'status');
  return note;
}

/**
 * Send a row, and say what became of it.
 * @type {(note: HTMLElement, send: () => Promise<void>, arrived: string) => Promise<void>}
 */
async function tell(note, send, arrived) {
  try {
    await send();
    note.textContent = arrived;
  } catch (error) {
    note.textContent = /** @type {Error} */ (error).message;
  }
}

/**
 * Let a phone give its part.
 * @type {(box: HTMLElement, collected: Collected, send: (row: Row) => Promise<void>) => void}
 */
export function collect(box, collected, send) {
  (collected.kind === 'points' ? place : fill)(box, collected, send);
}

/** @type {typeof collect} */
function place(box, { fields }, send) {
  const note = noteOf('Touch the plane.');
  const classes = classesOf(fields);
  let name = classes[0];
  /** @type {Row | null} */
  let point = null;
  /** @type {number | undefined} */
  let sending;
  const give = () => tell(note, () => send(/** @type {Row} */ (point)), PLACED);
  /** @type {(x: Cell, y: Cell) => void} */
  const put = (x, y) => {
    point = classes.length ? [x, y, name] : [x, y];
    pad.show([point]);
  };
  const pad = new Pad(fields, (x, y) => {
    put(x, y);
    note.textContent = `${fields[0].name} = ${x}, ${fields[1].name} = ${y}: sending …`;
    clearTimeout(sending);
    sending = setTimeout(give, CALM);
  });
  const buttons = classes.map((each, i) => {
    const choice = button(`Class ${each}`, () => {
      name = each;
      press();
      if (!point) return;
      put(point[0], point[1]);
      give();
    });
    choice.prepend(dot(box, i));
    return choice;
  });
  const press = () => buttons.forEach((each, i) => each.setAttribute('aria-pressed', String(classes[i] === name)));
  press();
  const group = make('div', 'dm-classes-of', ...buttons);
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', 'Class of your point');
  box.append(make('h2', '', 'Place one point: the class makes a data set'), group, pad.element, note);
}

/** @type {typeof collect} */
function fill(box, { fields }, send) {
  const note = noteOf('');
  const controls = fields.map(controlOf);
  const form = make('form', 'dm-row', ...controls.map(({ element }) => element),
    Object.assign(button('Send my row', () => {}, 'dm-primary'), { type: 'submit' }), note);
  form.noValidate = true;  // what is wrong is said in a sentence, of the field that it is
  form.onsubmit = (event) => {
    event.preventDefault();
    note.textContent = 'Sending …';
    tell(note, () => send(controls.map(({ read }) => read())), FILLED);
  };
  box.append(make('h2', '', 'Fill in one row: the class makes a data set'), form);
}

/**
 * The control of a field, and what reads it.
 * @type {(field: Field) => { element: HTMLElement, read: () => Cell }}
 */
function controlOf(field) {
  if (field.kind === 'items') return ticksOf(field);
  const { name } = field;
  if (field.kind === 'choice') {
    const select = make('select', '', new Option('choose …', ''), ...field.options.map((each) => new Option(each)));
    return { element: labelled(name, select), read: () => select.value };
  }
  const input = Object.assign(make('input'), { type: 'text', autocomplete: 'off' });
  if (field.kind === 'text') {
    input.maxLength = field.max;
    return { element: labelled(name, input), read: () => input.value };
  }
  input.inputMode = field.low < 0 ? 'text' : 'decimal';  // a keyboard of numbers may have no minus
  const read = () => {
    const text = input.value.trim().replace(',', '.').replace('−', '-');
    return text && Number.isFinite(Number(text)) ? Number(text) : text;
  };
  return { element: labelled(name, input, `${field.low} to ${field.high}`), read };
}

/** @type {(name: string, control: HTMLElement, hint?: string) => HTMLElement} */
const labelled = (name, control, hint = '') => (
  make('label', '', make('span', '', name, make('small', '', hint)), control));

/** @type {(field: Extract<Field, { kind: 'items' }>) => { element: HTMLElement, read: () => Cell }} */
function ticksOf({ name, options }) {
  const boxes = options.map((value) => Object.assign(make('input'), { type: 'checkbox', value }));
  const element = make('fieldset', '', make('legend', '', name),
    ...boxes.map((each) => make('label', '', each, each.value)));
  return { element, read: () => boxes.filter(({ checked }) => checked).map(({ value }) => value) };
}
