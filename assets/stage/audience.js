/**
 * Who watches a stage from another module: it hears of each scene and each step, and a call finds
 * the stages that were there before it.
 * @module
 */
/** @import { Stage } from './stage.js' */

const CALL = 'dm-call';

/**
 * Say that a stage has another scene, or is at another step. The event has the stage.
 * @type {(stage: Stage, news: 'scene' | 'frame') => void}
 */
export function announce(stage, news) {
  stage.root.dispatchEvent(new CustomEvent(`dm-${news}`, { bubbles: true, detail: stage }));
}

/** Let a stage say its scene when it is called; return what ends that. @param {Stage} stage */
export function answerCalls(stage) {
  const answer = () => { if (stage.scene) announce(stage, 'scene'); };
  document.addEventListener(CALL, answer);
  return () => document.removeEventListener(CALL, answer);
}

/**
 * Watch the stages of the page until the function that is returned is called.
 * @param {Record<'scene' | 'frame', (stage: Stage) => void>} hear
 */
export function watchStages(hear) {
  const listeners = new AbortController();
  const { signal } = listeners;
  document.addEventListener('dm-scene', ({ detail }) => hear.scene(detail), { signal });
  document.addEventListener('dm-frame', ({ detail }) => hear.frame(detail), { signal });
  document.dispatchEvent(new CustomEvent(CALL));
  return () => listeners.abort();
}
