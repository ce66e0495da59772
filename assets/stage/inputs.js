/**
 * What takes the answer to a question beside the picture: buttons for options, for marks and for an
 * order, a box for a number. All of them work by key and by touch.
 * @module
 */
/** @import { Answer, Given } from './types' */
/**
 * @typedef {object} Take
 * @property {(given: Given | null) => void} hold takes an answer that can still be changed
 * @property {() => void} commit gives the one that is held
 */

const FEW = 12;  // marks that have a button each

/** Whether there is no pointer but a finger. */
const isTouched = () => matchMedia('(hover: none)').matches;

/** @type {(text: string, act: () => void, className?: string) => HTMLButtonElement} */
export function button(text, act, className = '') {
  const element = document.createElement('button');
  Object.assign(element, { type: 'button', textContent: text, className, onclick: act });
  return element;
}

/** @type {(element: HTMLElement, chosen: (i: number) => boolean) => void} */
function press(element, chosen) {
  [...element.querySelectorAll('button')].forEach((each, i) => {
    each.setAttribute('aria-pressed', String(chosen(i)));
  });
}

/** @type {(box: HTMLElement, answer: Extract<Answer, { kind: 'option' }>, take: Take) => void} */
function options(box, answer, take) {
  box.append(...answer.options.map((text, i) => button(`${i + 1}  ${text}`, () => {
    press(box, (each) => each === i);
    take.hold(i);
    take.commit();
  })));
}

/** @type {(box: HTMLElement, answer: Extract<Answer, { kind: 'order' }>, take: Take) => void} */
function order(box, answer, take) {
  /** @type {number[]} */
  let chosen = [];
  const buttons = answer.items.map((text, i) => button(text, () => {
    chosen = chosen.includes(i) ? chosen.filter((each) => each !== i) : [...chosen, i];
    buttons.forEach((each, place) => {
      const rank = chosen.indexOf(place);
      each.textContent = rank < 0 ? answer.items[place] : `${rank + 1}. ${answer.items[place]}`;
      each.setAttribute('aria-pressed', String(rank >= 0));
    });
    take.hold(chosen.length === answer.items.length ? chosen : null);
  }));
  box.append(...buttons);
}

/**
 * Numbers in a text: separated by commas, blanks or words.
 * @param {string} text
 */
const numbersIn = (text) => (text.match(/\d+/g) ?? []).map(Number);

/** @type {(box: HTMLElement, label: string, mode: string) => HTMLInputElement} */
function typed(box, label, mode) {
  const input = document.createElement('input');
  Object.assign(input, { type: 'text', inputMode: mode, autocomplete: 'off' });
  input.setAttribute('aria-label', label);
  box.append(input);
  return input;
}

/** @type {(box: HTMLElement, answer: Extract<Answer, { kind: 'number' }>, take: Take) => void} */
function number(box, answer, take) {
  const input = typed(box, 'Your answer', 'decimal');
  input.oninput = () => {
    const text = input.value.trim().replace('−', '-').replace(',', '.');
    const value = Number(text);
    const is = text !== '' && Number.isFinite(value);
    input.setAttribute('aria-invalid', String(text !== '' && !is));
    take.hold(is ? value : null);
  };
  if (answer.unit) box.append(answer.unit);
  if (answer.tolerance) box.append(` ± ${Number(answer.tolerance.toPrecision(1))}`);
}

/**
 * Marks: on the picture by a click, and here by a button or by typing numbers. The function that is
 * returned shows what was picked on the picture.
 * @type {(box: HTMLElement, answer: Extract<Answer, { kind: 'pick' }>, take: Take)
 *   => (picked: number[]) => void}
 */
function marks(box, answer, take) {
  const { among, names, of, several } = answer;
  if (among.length && (among.length <= FEW || Object.keys(names).length)) {
    /** @type {number[]} */
    let picked = [];
    const toggle = (/** @type {number} */ each) => {
      if (!several) picked = [each];
      else if (picked.includes(each)) picked = picked.filter((other) => other !== each);
      else picked = [...picked, each];
      take.hold(picked);
      if (!several) take.commit();
    };
    box.append(...among.map((each) => button(names[each] ?? `${of} ${each}`, () => toggle(each))));
    if (several) box.append(button('none', () => take.hold([]), 'dm-none'));
    return (now) => {
      picked = now;
      press(box, (i) => picked.includes(among[i]));
    };
  }
  const input = typed(box, several ? `Numbers of the ${of}s` : `Number of the ${of}`, 'numeric');
  input.placeholder = isTouched() ? `Touch, or type ${several ? '3, 7; none: 0' : 'its number'}`
    : `Click, or type ${several ? 'numbers: 3, 7; none: 0' : 'its number'}`;
  input.oninput = () => {
    const given = numbersIn(input.value).filter((each) => each > 0);
    const is = /\d/.test(input.value) && (several || given.length === 1);
    take.hold(is ? given : null);
  };
  return (picked) => {
    if (document.activeElement !== input) input.value = picked.join(', ');
  };
}

/**
 * Put into a box what takes an answer; return what shows there an answer that is given on the
 * picture.
 * @type {(box: HTMLElement, answer: Answer, take: Take) => (given: any) => void}
 */
export function takeAnswer(box, answer, take) {
  box.replaceChildren();
  if (answer.kind === 'option') options(box, answer, take);
  if (answer.kind === 'order') order(box, answer, take);
  if (answer.kind === 'number') number(box, answer, take);
  if (answer.kind === 'pick') return marks(box, answer, take);
  if (answer.kind === 'place' || answer.kind === 'angle') {
    const how = answer.kind === 'angle' ? 'Turn the line on the picture'
      : answer.form === 'point' ? 'Click on the picture' : 'Click on the picture, or drag the line';
    box.textContent = isTouched() ? `${how.replace('Click on', 'Touch')}.`
      : `${how}; Shift with an arrow key moves it too.`;
  }
  return () => {};
}
