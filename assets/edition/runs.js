/**
 * Runs of a page of the documentation, each loaded when it comes into view.
 * @module
 */
import { mount } from '../stage/component.js';
import { bytesOf, valueOf } from './store.js';

const MARGIN = '300px';  // loaded a little before it is seen

/** @param {HTMLElement} run */
async function play(run) {
  const stage = /** @type {HTMLElement} */ (run.querySelector('.dm-stage'));
  const note = /** @type {HTMLElement} */ (run.querySelector('.remark'));
  try {
    const { scene, frame, note: text } = await valueOf(run.dataset.run ?? '');
    note.textContent = text;
    const { player, view } = mount(stage, bytesOf(scene));
    player.go(frame);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => view.invalidate());
  } catch (error) {
    console.error(error);
    /** @type {HTMLElement} */ (document.getElementById('fault')).hidden = false;
  }
}

/** @param {Iterable<HTMLElement>} runs */
export function playInView(runs) {
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      play(/** @type {HTMLElement} */ (target));
    }
  }, { rootMargin: MARGIN });
  for (const run of runs) observer.observe(run);
}
