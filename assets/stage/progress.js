/**
 * What a learner has practised: it stays in the browser, and is of nobody else's business.
 * @module
 */
import { recall, remember } from './page.js';
/** @import { Answered, Progress } from './types' */

const NAME = 'dm-progress';

/** What is known of all pages, by their slugs. @returns {Record<string, Progress>} */
export function progress() {
  try {
    const known = JSON.parse(recall(NAME) ?? '{}');
    return known && typeof known === 'object' && !Array.isArray(known) ? known : {};
  } catch {
    return {};
  }
}

/**
 * Keep the result of a round: nothing that was earned before is lost.
 * @type {(slug: string, right: number, total: number, answers: (Answered | undefined)[]) => void}
 */
export function keepRound(slug, right, total, answers) {
  const all = progress();
  const { rounds = 0, best = 0, wrong = {} } = all[slug] ?? {};
  for (const rule of answers.flatMap((each) => each?.rule || [])) wrong[rule] = (wrong[rule] ?? 0) + 1;
  const share = total ? right / total : 0;
  all[slug] = { rounds: rounds + 1, best: Math.max(best, share), wrong };
  remember(NAME, JSON.stringify(all));
}
