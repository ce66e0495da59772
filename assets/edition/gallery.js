/** The search over cards, terms or rows of a page, as a script of its own: it needs no stage. */
{
  const search = /** @type {HTMLInputElement} */ (document.getElementById('search'));
  const cause = /** @type {HTMLSelectElement | null} */ (document.getElementById('cause'));
  const count = /** @type {HTMLElement} */ (document.getElementById('count'));
  /** @type {NodeListOf<HTMLElement>} */
  const cards = document.querySelectorAll('[data-words]');
  /** @type {NodeListOf<HTMLElement>} */
  const families = document.querySelectorAll('.family');
  const plain = (/** @type {string} */ text) => (
    text.toLowerCase().normalize('NFKD').replace(/[^\p{L}\p{N}]+/gu, ' '));
  /** @type {NodeListOf<HTMLInputElement>} */
  const filters = document.querySelectorAll('[name=passed]');
  const texts = [...cards].map((card) => {
    const text = plain(card.dataset.words ?? '');
    return ` ${text} ${text.replaceAll(' ', '')}`;
  });

  /** Show the cards that have every word of the search, and count them. */
  const filter = () => {
    const words = plain(search.value).split(' ').filter(Boolean);
    const wanted = [...filters].filter((each) => each.checked).map((each) => each.value);
    const isFiltered = words.length || cause?.value || wanted.length;
    cards.forEach((card, i) => {
      const has = words.every((word) => texts[i].includes(` ${word}`))
        || texts[i].includes(words.join(''));
      const passed = card.dataset.passed?.split(' ') ?? [];
      card.hidden = !has || !wanted.every((each) => passed.includes(each))
        || Boolean(cause?.value && card.dataset.cause !== cause.value)
        || (!isFiltered && 'quiet' in card.dataset);
    });
    for (const family of families) {
      family.hidden = !family.querySelector('[data-words]:not([hidden])');
    }
    const n = [...cards].filter((card) => !card.hidden).length;
    count.textContent = !isFiltered ? '' : n ? `${n} of ${cards.length}`
      : 'Nothing matches. Try a shorter word.';
  };
  search.oninput = filter;
  if (cause) cause.onchange = filter;
  for (const each of filters) each.onchange = filter;
  filter();
}
