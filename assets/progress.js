/**
 * What was practised, as this browser remembers it (assets/stage/progress.js): badges on the cards
 * and on the links of the courses, the wrong rules that were followed most, and a button that
 * forgets all of it. Badges are a style sheet: the elements are Streamlit's.
 * @module
 */
const NAME = 'dm-progress';
const SHOWN = 3;  // wrong rules
const SLUG = /^[a-z0-9_]+$/;

function remembered() {
  try {
    const known = JSON.parse(localStorage.getItem(NAME) ?? '{}') ?? {};
    return Object.entries(known).filter(([slug, { rounds, best }]) => (
      SLUG.test(slug) && rounds > 0 && Number.isFinite(best)));
  } catch {
    return [];  // where cookies are forbidden the browser forbids this too
  }
}

/** The rules of a style sheet that shows the best round of each page. */
const badges = (pages) => pages.map(([slug, { best }]) => {
  const text = `content: " ✓ ${Math.round(100 * best)} %" / " practised, best round ${Math.round(100 * best)} percent"`;
  const plain = text.split(' / ')[0];
  return `.st-key-card-${slug} strong::after, .st-key-courses a:is([href^="${slug}?"], [href*="/${slug}?"]) p::after { ${plain}; ${text};
    margin-left: 0.35em; font-size: 0.8em; font-weight: 600; white-space: nowrap; }`;
}).join('\n');

/** The wrong rules that were followed most. */
const again = (pages, titles) => pages
  .flatMap(([slug, { wrong }]) => Object.entries(wrong ?? {}).map(([rule, n]) => ({ slug, rule, n })))
  .sort((a, b) => b.n - a.n).slice(0, SHOWN)
  .map(({ slug, rule, n }) => `${titles[slug] ?? slug}: “${rule}” (${n} ${n === 1 ? 'time' : 'times'})`);

export default function progressComponent({ data, parentElement }) {
  const box = Object.assign(document.createElement('div'), { className: 'dm-progress' });
  const style = document.createElement('style');
  const show = () => {
    const pages = remembered();
    style.textContent = badges(pages);
    box.replaceChildren();
    if (!pages.length) return;
    const noun = pages.length === 1 ? 'technique' : 'techniques';
    const rules = again(pages, data.titles);
    const words = rules.length ? ` Look again at: ${rules.join(' · ')}` : '';
    const forget = document.createElement('button');
    Object.assign(forget, { type: 'button', textContent: 'Forget my progress' });
    forget.onclick = () => {
      localStorage.removeItem(NAME);
      show();
    };
    const text = document.createElement('p');
    text.textContent = `You have practised ${pages.length} ${noun}; this browser alone knows.${words}`;
    box.append(text, forget);
  };
  document.head.append(style);
  parentElement.append(box);
  show();
  return () => {
    style.remove();
    box.remove();
  };
}
