/**
 * Links in the lesson that adopt a preset: they are links to the preset's own state, and open it in
 * a new tab where that is asked for. A plain click adopts it here, as the menu of presets does, and
 * shows the picture.
 * @module
 */
const LINKS = '.st-key-lesson a[href^="?"]';

/**
 * Follow such links until the function that is returned is called.
 * @param {() => boolean} possible whether there is somebody who adopts presets
 * @param {(preset: string) => void} adopt
 */
export function followPresets(possible, adopt) {
  const follow = (/** @type {MouseEvent} */ event) => {
    const target = /** @type {Element} */ (event.target);
    const link = /** @type {HTMLAnchorElement | null} */ (target.closest?.(LINKS));
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !possible()) return;
    const named = [...new URL(link.href).searchParams].find(([name]) => name.endsWith('.look_for'));
    if (!named) return;
    event.preventDefault();
    adopt(named[1]);
  };
  document.addEventListener('click', follow);
  return () => document.removeEventListener('click', follow);
}
