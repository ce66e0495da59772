/** The map of problems and what suits a table: a script of its own, which needs no stage. */
{
  const count = /** @type {HTMLElement} */ (document.getElementById('count'));
  const map = /** @type {HTMLFormElement | null} */ (document.getElementById('map'));
  /** @type {NodeListOf<HTMLElement>} */
  const leaves = document.querySelectorAll('.leaf');
  /** @typedef {[string, string][]} Answers */

  /**
   * Whether answers lead to a family of techniques.
   * @type {(answers: Answers) => (leaf: HTMLElement) => boolean}
   */
  const fits = (answers) => (leaf) => (
    answers.every(([name, answer]) => leaf.dataset[name]?.split(' ').includes(answer)));

  /** @param {HTMLFormElement} form */
  const answersOf = (form) => (
    /** @type {Answers} */ ([...new FormData(form)].filter(([, answer]) => answer)));

  /**
   * Show the families to which the answers lead; what would lead nowhere cannot be answered.
   * @param {HTMLFormElement} form
   */
  const follow = (form) => {
    const answers = answersOf(form);
    for (const leaf of leaves) leaf.hidden = !fits(answers)(leaf);
    /** @type {NodeListOf<HTMLInputElement>} */
    const radios = form.querySelectorAll('input');
    for (const radio of radios) {
      const rest = answers.filter(([name]) => name !== radio.name);
      const leads = [...leaves].some(fits([...rest, [radio.name, radio.value]]));
      radio.disabled = Boolean(radio.value) && !leads;
    }
    const n = [...leaves].filter((leaf) => !leaf.hidden).length;
    count.textContent = answers.length ? `${n} of ${leaves.length}` : 'Answer any of the questions.';
  };

  /** Give the answers that the address has. @param {HTMLFormElement} form */
  const read = (form) => {
    const answers = new URLSearchParams(location.hash.slice(1));
    /** @type {NodeListOf<HTMLInputElement>} */
    const radios = form.querySelectorAll('input');
    for (const radio of radios) radio.checked = radio.value === (answers.get(radio.name) ?? '');
    follow(form);
  };

  if (map) {
    map.onchange = () => {
      history.pushState(null, '', `#${new URLSearchParams(answersOf(map))}`);
      follow(map);
    };
    window.addEventListener('popstate', () => read(map));
    read(map);
  }

  const rows = /** @type {HTMLSelectElement | null} */ (document.getElementById('rows'));
  const want = /** @type {HTMLSelectElement} */ (document.getElementById('want'));
  const suited = /** @type {HTMLElement} */ (document.getElementById('suited'));
  const advice = JSON.parse(document.getElementById('advice')?.textContent ?? '{}');

  /** Name the techniques that suit the table best. */
  const advise = () => {
    /** @type {[string, string, string][]} */
    const best = advice[rows?.value ?? '']?.suited[want.value] ?? [];
    suited.replaceChildren(...best.map(([address, title, reason]) => {
      const name = document.createElement(address ? 'a' : 'span');
      name.textContent = title;
      if (address) name.setAttribute('href', address);
      const item = document.createElement('li');
      item.append(name, ` ${reason}`);
      return item;
    }));
    if (rows?.value && !best.length) suited.textContent = 'No technique here takes these columns.';
  };
  if (rows) {
    rows.onchange = () => {
      want.value = advice[rows.value]?.target ?? want.value;
      advise();
    };
    want.onchange = advise;
  }
}
