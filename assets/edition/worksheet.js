/**
 * Worksheets of the rounds of a page.
 * @module
 */
import { writeSheets } from '../stage/worksheet.js';
import { valueOf } from './store.js';
/** @import { Round } from './page.js' */

/**
 * Write the worksheets of a page into it.
 * @param {{ slug: string, title: string, app: string }} config
 */
export async function print({ slug, title, app }) {
  const root = /** @type {HTMLElement} */ (document.querySelector('main'));
  try {
    /** @type {Round[]} */
    const rounds = await valueOf(`${slug}/practice`);
    writeSheets(root, rounds.map(({ data, link, round, scene, seed }) => ({
      title, data, scene, seed, link: app && `${app}/${link}`, qr: '',
      quiz: { mode: 'own', questions: round },
    })));
  } catch (error) {
    console.error(error);
    const fault = document.getElementById('fault');
    if (fault) fault.hidden = false;
  }
}
