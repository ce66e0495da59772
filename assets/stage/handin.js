/**
 * A round that is handed in: a small file with the name, the link of the round and the answers. It
 * is graded anew from these (dashboard/handins.py): there is no score in it that could be edited.
 * @module
 */
import { button } from './inputs.js';
import { recall, remember } from './page.js';
/** @import { Answered } from './types' */

const FORMAT = { format: 'dmlib round', version: 1 };
const NAME = 'dm-name';  // it stays in this browser
const LONGEST = '100';

/**
 * A box for a name with a button that takes it.
 * @type {(label: string, take: (name: string) => void) => HTMLFormElement}
 */
export function nameForm(label, take) {
  const form = Object.assign(document.createElement('form'), { className: 'dm-name' });
  const input = document.createElement('input');
  Object.assign(input, { type: 'text', autocomplete: 'name', value: recall(NAME) ?? '' });
  input.setAttribute('maxlength', LONGEST);
  input.setAttribute('aria-label', 'Your name');
  input.placeholder = 'Your name';
  const submit = button(label, () => {});
  submit.type = 'submit';
  form.append(input, submit);
  form.onsubmit = (event) => {
    event.preventDefault();
    const name = input.value.trim();
    if (!name) {
      input.focus();
      return;
    }
    remember(NAME, name);
    take(name);
  };
  return form;
}

/**
 * Save a round as a file.
 * @type {(slug: string, name: string, answers: (Answered | undefined)[], seconds: number) => void}
 */
export function saveRound(slug, name, answers, seconds) {
  const given = answers.map((each) => each?.given ?? null);
  const round = { ...FORMAT, name, page: slug, link: location.search, answers: given, seconds };
  const content = new Blob([JSON.stringify(round)], { type: 'application/json' });
  const file = name.replace(/[^\p{L}\p{N}]+/gu, '-');
  const href = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href, download: `${slug}-${file}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
