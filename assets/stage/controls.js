/**
 * The controls beside the picture. They send while they move (talk.js).
 * All text is set as text: names are data, never markup.
 * @module
 */
/** @import { Button, Choice, Control, Flag, Message, Option, Several, Stepper, Text } from './types' */
const FEW = 4;  // options up to which all are shown side by side,
const LETTERS = 27;  // if they fit into the column, each with two of blank
const FIRST = 'input:not([type=radio], :disabled), input:checked, select, button:enabled';

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {object} [props]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
function make(tag, props = {}, ...children) {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...children);
  return element;
}

/**
 * Read a number that was typed, by the decimal comma too; or say in a sentence what is wrong.
 * @type {(text: string, limits: Choice) => { value: string, wrong: string }}
 */
export function read(text, { label, low = null, high = null, whole = false }) {
  const typed = text.trim();
  const value = typed.replace('−', '-').replace(/^([+-]?\d*),(\d+)$/, '$1.$2');
  const name = label.replace(/ \(.*\)$/, '');
  const kind = whole ? 'a whole number' : 'a number';
  let wrong = '';
  if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(typed)) {
    wrong = `“${typed}” can be read in two ways. Write ${typed.replace(',', '')} or `
      + `${Number(value)}.`;
  } else if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)) {
    wrong = `“${typed}” is not ${kind}. Write one such as ${whole ? 3 : 0.5}.`;
  } else if (whole && !Number.isInteger(Number(value))) {
    wrong = `${name} is a whole number: not ${value}.`;
  } else if ((low !== null && Number(value) < low) || (high !== null && Number(value) > high)) {
    const range = high === null ? `of at least ${low}` : low === null ? `of at most ${high}`
      : `from ${low} to ${high}`;
    wrong = `${name} is ${kind} ${range}: not ${value}.`;
  }
  return { value: whole && !wrong ? String(Number(value)) : value, wrong };
}

export class Controls {
  /** What the controls are made of, as text. */
  built = '';
  /**
   * What takes over a new state of each control.
   * @type {Map<string, (now: any, moving: boolean) => void>}
   */
  parts = new Map();
  /** @type {Map<string, HTMLElement>} */
  elements = new Map();
  /** Whether a key was the last to change something. */
  keyed = false;

  /**
   * @param {HTMLElement} root the element that gets the controls
   * @param {(message: Message, moves: boolean, near: Message[]) => void} send `near` are the
   *   messages of which one is likely to follow
   */
  constructor(root, send) {
    this.root = root;
    this.send = send;
    root.dataset.testid = 'controls';
    root.addEventListener('pointerdown', () => { this.keyed = false; });
    root.addEventListener('keydown', (event) => {
      this.keyed = true;
      event.stopPropagation();  // arrows move sliders here, not steps
    });
  }

  /**
   * Show these controls; `held` says of which one a later value is on its way than what is shown
   * here.
   * @type {(specs: Control[], held: (name: string) => boolean) => void}
   */
  load(specs, held) {
    const shape = JSON.stringify(specs.map((spec) => [
      spec.name, spec.kind, spec.label,
      spec.kind === 'choice' || spec.kind === 'several' ? spec.options : null,
    ]));
    const focused = this.root.contains(document.activeElement)
      ? /** @type {HTMLInputElement} */ (document.activeElement) : null;
    if (shape !== this.built) this.build(specs);
    this.built = shape;
    for (const spec of specs) this.parts.get(spec.name)?.(spec, held(spec.name));
    for (const spec of specs) this.excuse(spec);
    if (focused?.name && !focused.isConnected) this.refocus(focused.name);
  }

  get empty() {
    return !this.parts.size;
  }

  /** Put the focus on the first control. */
  focus() {
    const first = this.root.querySelector(FIRST);
    if (first instanceof HTMLElement) first.focus();
  }

  /** @param {Control[]} specs */
  build(specs) {
    const sections = [...this.root.querySelectorAll('details')];
    const open = new Set(sections.filter((each) => each.open).map((each) => each.dataset.name));
    this.parts.clear();
    this.elements.clear();
    this.root.replaceChildren();
    let place = this.root;
    for (const spec of specs) {
      if (spec.kind === 'section') {
        const summary = make('summary', { textContent: spec.label });
        const props = { className: 'dm-section', open: open.has(spec.name) };
        const section = make('details', props, summary);
        section.dataset.name = spec.name;
        this.root.append(section);
        place = section;
      } else {
        const element = this.element(spec);
        if (spec.name) this.elements.set(spec.name, element);
        place.append(element);
      }
    }
  }

  /**
   * The element of a control, which `parts` keeps up to date.
   * @param {Exclude<Control, { kind: 'section' }>} spec
   */
  element(spec) {
    switch (spec.kind) {
      case 'slider': return this.slider(spec);
      case 'stepper': return this.stepper(spec);
      case 'text': return this.text(spec);
      case 'choice': return this.choice(spec);
      case 'flag': return this.flag(spec);
      case 'several': return this.several(spec);
      case 'button': return this.button(spec);
      case 'note': return make('p', { className: 'dm-note', textContent: spec.label });
    }
  }

  /**
   * Put the focus on the control of a name; of radio buttons on the one that is chosen.
   * @param {string} name
   */
  refocus(name) {
    /** @type {NodeListOf<HTMLInputElement>} */
    const found = this.root.querySelectorAll(`[name="${CSS.escape(name)}"]`);
    const all = [...found];
    (all.find((input) => input.checked) ?? all[0])?.focus();
  }

  /**
   * Let a control that changes nothing here say why, and not be moved; the others stay as they are,
   * held or not.
   * @param {Control} spec
   */
  excuse({ name, label, idle = '' }) {
    const element = this.elements.get(name);
    const excused = element?.closest('.dm-idle');
    if (!element || (excused?.lastChild?.textContent ?? '') === idle) return;
    excused?.replaceWith(element);
    if (!idle) return;
    const fieldset = make('fieldset', { className: 'dm-idle', disabled: true });
    fieldset.setAttribute('aria-label', label);
    element.replaceWith(fieldset);
    fieldset.append(element, make('p', { className: 'dm-reason', textContent: idle }));
  }

  /** @type {(name: string, value: unknown, moves?: boolean, near?: unknown[]) => void} */
  set(name, value, moves = true, near = []) {
    this.send({ name, value }, moves, near.map((other) => ({ name, value: other })));
  }

  /**
   * Say which option is chosen; what a key has chosen is likely to be followed by one beside it,
   * further on or back.
   * @type {(name: string, options: string[][], place: number, before: number) => void}
   */
  choose(name, options, place, before) {
    const way = Math.sign(place - before);
    const near = this.keyed ? [place + way, place - way].filter((i) => i in options) : [];
    this.set(name, options[place][0], true, near.map((i) => options[i][0]));
  }

  /** @type {(spec: Control, input: HTMLElement, ...more: HTMLElement[]) => HTMLElement} */
  field(spec, input, ...more) {
    const text = make('span', { textContent: spec.label });
    const label = make('label', { className: 'dm-label' }, text);
    if (spec.help) label.title = spec.help;
    if (spec.help) input.setAttribute('aria-description', spec.help);
    label.append(...more);
    return make('div', { className: `dm-field dm-${spec.kind}` }, label, input);
  }

  /** @param {Choice} spec */
  slider(spec) {
    const input = make('input', { type: 'range', min: 0, step: 1, name: spec.name });
    const box = make('input', { type: 'text', className: 'dm-box', autocomplete: 'off' });
    box.setAttribute('aria-label', `${spec.label}, value`);
    input.setAttribute('aria-label', spec.label);
    const fault = make('p', { className: 'dm-fault', hidden: true });
    fault.setAttribute('role', 'alert');
    /** @type {Option[]} */
    let options = [];
    let place = 0;
    const complain = (/** @type {string} */ text) => {
      Object.assign(fault, { textContent: text, hidden: !text });
      box.setAttribute('aria-invalid', String(Boolean(text)));
    };
    const tell = () => {
      const [, text] = options[Number(input.value)] ?? ['', ''];
      const share = (100 * Number(input.value)) / Math.max(1, options.length - 1);
      input.setAttribute('aria-valuetext', text);
      input.style.setProperty('--dm-share', `${share}%`);
      if (document.activeElement !== box) box.value = text;
    };
    input.oninput = () => {
      const before = place;
      place = Number(input.value);
      tell();
      this.choose(spec.name, options, place, before);
    };
    let limits = spec;
    box.onchange = () => {
      const known = options.find(([, text]) => text === box.value.trim());
      const { value, wrong } = known ? { value: known[0], wrong: '' } : read(box.value, limits);
      complain(wrong);
      if (wrong) return;
      if (!known) box.value = value;
      this.set(spec.name, value);
    };
    box.onkeydown = (event) => {
      if (event.key !== 'Escape') return;
      complain('');
      box.value = options[place]?.[1] ?? '';
      box.select();
    };
    this.parts.set(spec.name, (/** @type {Choice} */ now, moving) => {
      if (moving) return;
      limits = now;
      options = now.options;
      input.max = String(options.length - 1);
      place = options.findIndex(([value]) => value === now.value);
      input.value = String(place);
      tell();
      if (document.activeElement === box) return;
      complain('');
      box.value = options[Number(input.value)]?.[1] ?? now.value;
    });
    const field = this.field(spec, input, box);
    field.append(fault);
    return field;
  }

  /** A small whole number with a button for less and one for more. @param {Stepper} spec */
  stepper(spec) {
    const value = make('output', { className: 'dm-value' });
    /** @type {(text: string, by: number, name: string) => HTMLButtonElement} */
    const step = (text, by, name) => {
      const props = { type: 'button', name: `${spec.name} ${name}`, textContent: text };
      const input = make('button', props);
      input.setAttribute('aria-label', `${spec.label}: ${name}`);
      input.onclick = () => {
        const now = Math.min(Math.max(Number(value.textContent) + by, spec.low), spec.high);
        const beside = [now + by, now - by];
        const near = beside.filter((other) => other >= spec.low && other <= spec.high);
        value.textContent = String(now);
        this.set(spec.name, String(now), true, near.map(String));
      };
      return input;
    };
    const [less, more] = [step('−', -1, 'less'), step('+', 1, 'more')];
    this.parts.set(spec.name, (/** @type {Stepper} */ now, moving) => {
      if (!moving) value.textContent = now.value;
      less.disabled = Number(now.value) <= now.low;
      more.disabled = Number(now.value) >= now.high;
    });
    return this.field(spec, make('span', { className: 'dm-steps' }, less, value, more));
  }

  /** @param {Text} spec */
  text(spec) {
    const props = { type: 'text', name: spec.name, maxLength: spec.max, autocomplete: 'off' };
    const input = make('input', { ...props, spellcheck: false });
    input.setAttribute('aria-label', spec.label);
    input.onchange = () => this.set(spec.name, input.value, false);
    this.parts.set(spec.name, (/** @type {Text} */ now) => {
      if (document.activeElement !== input) input.value = now.value;
    });
    return this.field(spec, input);
  }

  /** @param {Choice} spec */
  choice(spec) {
    const letters = spec.options.reduce((sum, [, text]) => sum + text.length, 0);
    const fits = spec.options.length <= FEW && letters + 2 * spec.options.length <= LETTERS;
    return fits ? this.radios(spec) : this.select(spec);
  }

  /** @param {Choice} spec */
  select(spec) {
    const input = make('select', { name: spec.name });
    for (const [value, text] of spec.options) {
      input.append(make('option', { value, textContent: text }));
    }
    input.setAttribute('aria-label', spec.label);
    let place = 0;
    input.onchange = () => {
      const before = place;
      place = input.selectedIndex;
      this.choose(spec.name, spec.options, place, before);
    };
    this.parts.set(spec.name, (/** @type {Choice} */ now) => {
      input.value = now.value;
      place = input.selectedIndex;
    });
    return this.field(spec, input);
  }

  /** @param {Choice} spec */
  radios(spec) {
    const props = { className: 'dm-field dm-radios', title: spec.help ?? '' };
    const group = make('fieldset', props, make('legend', { textContent: spec.label }));
    let place = 0;
    const inputs = spec.options.map(([value, text], i) => {
      const onchange = () => {
        this.choose(spec.name, spec.options, i, place);
        place = i;
      };
      const input = make('input', { type: 'radio', name: spec.name, value, onchange });
      group.append(make('label', {}, input, make('span', { textContent: text })));
      return input;
    });
    this.parts.set(spec.name, (/** @type {Choice} */ now) => {
      inputs.forEach((input) => { input.checked = input.value === now.value; });
      place = spec.options.findIndex(([value]) => value === now.value);
    });
    return group;
  }

  /** @param {Flag} spec */
  flag(spec) {
    const input = make('input', { type: 'checkbox', name: spec.name });
    input.onchange = () => {
      const options = [['false'], ['true']];
      this.choose(spec.name, options, Number(input.checked), Number(!input.checked));
    };
    this.parts.set(spec.name, (/** @type {Flag} */ now) => {
      input.checked = now.value === 'true';
    });
    const props = { className: 'dm-field dm-flag', title: spec.help ?? '' };
    return make('label', props, input, make('span', { textContent: spec.label }));
  }

  /** @param {Several} spec */
  several(spec) {
    const legend = make('legend', { textContent: spec.label });
    const group = make('fieldset', { className: 'dm-field dm-several-of' }, legend);
    /** @type {HTMLInputElement[]} */
    const inputs = spec.options.map(([value, text]) => {
      const onchange = () => {
        this.set(spec.name, inputs.filter((one) => one.checked).map((one) => one.value));
      };
      const input = make('input', { type: 'checkbox', name: spec.name, value, onchange });
      group.append(make('label', {}, input, make('span', { textContent: text })));
      return input;
    });
    this.parts.set(spec.name, (/** @type {Several} */ now) => {
      inputs.forEach((input) => { input.checked = now.value.includes(input.value); });
    });
    return group;
  }

  /** @param {Button} spec */
  button(spec) {
    const input = make('button', { type: 'button', name: spec.name, textContent: spec.label });
    input.onclick = () => this.set(spec.name, true, false);
    input.classList.toggle('dm-primary', Boolean(spec.primary));
    this.parts.set(spec.name, (/** @type {Button} */ now) => {
      input.disabled = Boolean(now.disabled);
    });
    return input;
  }
}
