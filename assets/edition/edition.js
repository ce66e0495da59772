/**
 * What each page of the edition runs: its stage or, on a page to print, its worksheets.
 * `npm run build` makes assets/edition.min.js of this module and all that it needs.
 * @module
 */
import { Page } from './page.js';
import { playInView } from './runs.js';
import { deliver, valueOf } from './store.js';
import { showWay } from './way.js';
import { print } from './worksheet.js';

Object.assign(globalThis, { dmlib: { deliver } });

const config = JSON.parse(document.getElementById('config')?.textContent ?? '{}');
/** @type {HTMLElement | null} */
const root = document.querySelector('.dm-stage');
/** @type {NodeListOf<HTMLElement>} */
const runs = document.querySelectorAll('[data-run]');
if (runs.length) playInView(runs);
else if (root) {
  const page = new Page(root, config);
  document.addEventListener('DOMContentLoaded', showWay);
  // The first data follow in the page itself: nothing is to be loaded twice.
  if (page.known !== config.first) page.show(page.known);
  else valueOf(`${config.slug}/${config.first}`, false).then(() => page.show(config.first));
} else if (config.slug) print(config);
