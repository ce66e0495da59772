/**
 * The controls beside the picture. They send while they move (talk.js).
 * All text is set as text: names are data, never markup.
 * @module
 */
const FEW = 4;  // options up to which all are shown side by side,
const LETTERS = 22;  // if they fit into the column

const make = (tag, props = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...children);
  return element;
};

export class Controls {
  /**
   * @param {HTMLElement} root the element that gets the controls
   * @param {(message: {name: string, value: unknown}, moves: boolean, near?: object[]) => void} send `near` are the messages
   *   of which one is likely to follow
   */
  constructor(root, send) {
    Object.assign(this, { root, send, built: '', parts: new Map(), elements: new Map(), keyed: false });
    root.dataset.testid = 'controls';
    root.addEventListener('pointerdown', () => { this.keyed = false; });
    root.addEventListener('keydown', (event) => {
      this.keyed = true;
      event.stopPropagation();  // arrows move sliders here, not steps
    });
  }

  /** Show these controls; `held` says of which one a later value is on its way than what is shown here. */
  load(specs, held = () => false) {
    const shape = JSON.stringify(specs.map(({ name, kind, label, options }) => [name, kind, label, kind === 'slider' ? 0 : options]));
    const focused = this.root.contains(document.activeElement) ? document.activeElement : null;
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
    this.root.querySelector('input:not([type=radio], :disabled), input:checked, select, button:enabled')?.focus();
  }

  build(specs) {
    const open = new Set([...this.root.querySelectorAll('details[open]')].map((section) => section.dataset.name));
    this.parts.clear();
    this.elements.clear();
    this.root.replaceChildren();
    let place = this.root;
    for (const spec of specs) {
      if (spec.kind === 'section') {
        const section = make('details', { className: 'dm-section', open: open.has(spec.name) }, make('summary', { textContent: spec.label }));
        section.dataset.name = spec.name;
        this.root.append(section);
        place = section;
      } else {
        const element = this[spec.kind](spec);
        if (spec.name) this.elements.set(spec.name, element);
        place.append(element);
      }
    }
  }

  /** Put the focus on the control of a name; of radio buttons on the one that is chosen. */
  refocus(name) {
    const all = [...this.root.querySelectorAll(`[name="${CSS.escape(name)}"]`)];
    (all.find((input) => input.checked) ?? all[0])?.focus();
  }

  /** Let a control that changes nothing here say why, and not be moved; the others stay as they are, held or not. */
  excuse({ name, label, idle = '' }) {
    const element = this.elements.get(name);
    const excused = element?.closest('.dm-idle');
    if (!element || (excused?.lastChild.textContent ?? '') === idle) return;
    excused?.replaceWith(element);
    if (!idle) return;
    const fieldset = make('fieldset', { className: 'dm-idle', disabled: true });
    fieldset.setAttribute('aria-label', label);
    element.replaceWith(fieldset);
    fieldset.append(element, make('p', { className: 'dm-reason', textContent: idle }));
  }

  set(name, value, moves = true, near = []) {
    this.send({ name, value }, moves, near.map((other) => ({ name, value: other })));
  }

  /** Say which option is chosen; what a key has chosen is likely to be followed by one beside it, further on or back. */
  choose(name, options, place, before) {
    const way = Math.sign(place - before);
    const near = this.keyed ? [place + way, place - way].filter((i) => i in options) : [];
    this.set(name, options[place][0], true, near.map((i) => options[i][0]));
  }

  field(spec, input, ...more) {
    const label = make('label', { className: 'dm-label' }, make('span', { textContent: spec.label }));
    if (spec.help) label.title = spec.help;
    if (spec.help) input.setAttribute('aria-description', spec.help);
    label.append(...more);
    return make('div', { className: `dm-field dm-${spec.kind}` }, label, input);
  }

  slider(spec) {
    const input = make('input', { type: 'range', min: 0, step: 1, name: spec.name });
    const box = make('input', { type: 'text', className: 'dm-box', autocomplete: 'off' });
    box.setAttribute('aria-label', `${spec.label}, value`);
    input.setAttribute('aria-label', spec.label);
    let options = [];
    let place = 0;
    const tell = () => {
      const [, text] = options[Number(input.value)] ?? ['', ''];
      input.setAttribute('aria-valuetext', text);
      input.style.setProperty('--dm-share', `${(100 * Number(input.value)) / Math.max(1, options.length - 1)}%`);
      if (document.activeElement !== box) box.value = text;
    };
    input.oninput = () => {
      const before = place;
      place = Number(input.value);
      tell();
      this.choose(spec.name, options, place, before);
    };
    box.onchange = () => this.set(spec.name, options.find(([, text]) => text === box.value)?.[0] ?? box.value);
    this.parts.set(spec.name, (now, moving) => {
      if (moving) return;
      options = now.options;
      input.max = String(options.length - 1);
      place = options.findIndex(([value]) => value === now.value);
      input.value = String(place);
      tell();
      if (document.activeElement !== box) box.value = options[Number(input.value)]?.[1] ?? now.value;
    });
    return this.field(spec, input, box);
  }

  /** A small whole number with a button for less and one for more. */
  stepper(spec) {
    const value = make('output', { className: 'dm-value' });
    const [less, more] = [['−', -1, 'less'], ['+', 1, 'more']].map(([text, by, name]) => {
      const input = make('button', { type: 'button', name: `${spec.name} ${name}`, textContent: text });
      input.setAttribute('aria-label', `${spec.label}: ${name}`);
      input.onclick = () => {
        const now = Math.min(Math.max(Number(value.textContent) + by, spec.low), spec.high);
        const near = [now + by, now - by].filter((other) => other >= spec.low && other <= spec.high);
        value.textContent = String(now);
        this.set(spec.name, String(now), true, near.map(String));
      };
      return input;
    });
    this.parts.set(spec.name, (now, moving) => {
      if (!moving) value.textContent = now.value;
      [less.disabled, more.disabled] = [Number(now.value) <= now.low, Number(now.value) >= now.high];
    });
    return this.field(spec, make('span', { className: 'dm-steps' }, less, value, more));
  }

  choice(spec) {
    const letters = spec.options.reduce((sum, [, text]) => sum + text.length, 0);
    return spec.options.length <= FEW && letters <= LETTERS ? this.radios(spec) : this.select(spec);
  }

  select(spec) {
    const input = make('select', { name: spec.name }, ...spec.options.map(([value, text]) => make('option', { value, textContent: text })));
    input.setAttribute('aria-label', spec.label);
    let place = 0;
    input.onchange = () => {
      const before = place;
      place = input.selectedIndex;
      this.choose(spec.name, spec.options, place, before);
    };
    this.parts.set(spec.name, (now) => {
      input.value = now.value;
      place = input.selectedIndex;
    });
    return this.field(spec, input);
  }

  radios(spec) {
    const group = make('fieldset', { className: 'dm-field dm-radios', title: spec.help ?? '' }, make('legend', { textContent: spec.label }));
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
    this.parts.set(spec.name, (now) => {
      inputs.forEach((input) => { input.checked = input.value === now.value; });
      place = spec.options.findIndex(([value]) => value === now.value);
    });
    return group;
  }

  flag(spec) {
    const onchange = () => this.choose(spec.name, [['false'], ['true']], Number(input.checked), Number(!input.checked));
    const input = make('input', { type: 'checkbox', name: spec.name, onchange });
    this.parts.set(spec.name, (now) => { input.checked = now.value === 'true'; });
    return make('label', { className: 'dm-field dm-flag', title: spec.help ?? '' }, input, make('span', { textContent: spec.label }));
  }

  several(spec) {
    const group = make('fieldset', { className: 'dm-field dm-several-of' }, make('legend', { textContent: spec.label }));
    const inputs = spec.options.map(([value, text]) => {
      const report = () => this.set(spec.name, inputs.filter((one) => one.checked).map((one) => one.value));
      const input = make('input', { type: 'checkbox', name: spec.name, value, onchange: report });
      group.append(make('label', {}, input, make('span', { textContent: text })));
      return input;
    });
    this.parts.set(spec.name, (now) => inputs.forEach((input) => { input.checked = now.value.includes(input.value); }));
    return group;
  }

  button(spec) {
    const input = make('button', { type: 'button', name: spec.name, textContent: spec.label, onclick: () => this.set(spec.name, true, false) });
    input.classList.toggle('dm-primary', Boolean(spec.primary));
    this.parts.set(spec.name, (now) => { input.disabled = Boolean(now.disabled); });
    return input;
  }

  note(spec) {
    return make('p', { className: 'dm-note', textContent: spec.label });
  }
}
