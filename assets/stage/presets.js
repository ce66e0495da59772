/**
 * Links in the lesson that adopt a preset: they are links to the preset's own state, and open it in a new tab where that
 * is asked for. A plain click adopts it here, as the menu of presets does, and shows the picture.
 * @module
 */
const LINKS = '.st-key-lesson a[href^="?"]';

/** Follow such links for as long as the stage lives; returns the function that ends it. */
export function followPresets(stage) {
  const follow = (event) => {
    const link = event.target.closest?.(LINKS);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !stage.report.changed) return;
    const named = [...new URL(link.href).searchParams].find(([name]) => name.endsWith('.look_for'));
    if (!named) return;
    event.preventDefault();
    stage.controls.set('preset', named[1]);
    stage.root.focus({ preventScroll: true });
    stage.root.scrollIntoView({ block: 'start' });
  };
  document.addEventListener('click', follow);
  return () => document.removeEventListener('click', follow);
}
