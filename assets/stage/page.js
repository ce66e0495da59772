/**
 * What a stage has on its page: its elements, the key that fills the screen, the server's return, and what is remembered from page to page.
 * @module
 */
export const SKELETON = `
  <button type="button" class="dm-skip">Skip to the controls</button>
  <div class="dm-bar" role="toolbar" aria-label="Picture"><div class="dm-legend"></div></div>
  <div class="dm-body">
    <div class="dm-main"></div>
    <p class="dm-caption" aria-live="polite"></p>
    <div class="dm-player" role="group" aria-label="Player"></div>
    <div class="dm-side">
      <div class="dm-panels"></div>
      <details class="dm-pseudocode"><summary>Algorithm <span class="dm-source"></span></summary><ol></ol></details>
      <div class="dm-ledger"></div>
    </div>
    <div class="dm-aside"><dl class="dm-results"></dl><div class="dm-controls"></div></div>
  </div>
  <div class="dm-tip" hidden></div>`;

/** Fill the screen with an element, or leave it again. */
export function fillScreen(element) {
  if (document.fullscreenElement === element) document.exitFullscreen();
  else element.requestFullscreen?.().then(() => element.focus({ preventScroll: true }));
}

/** Act when F is pressed anywhere on the page; return what ends that. */
export function onF(act) {
  const listen = (event) => { if (isPlainF(event)) act(); };
  document.addEventListener('keydown', listen);
  return () => document.removeEventListener('keydown', listen);
}

/** Act when the server can be reached again; return what ends that. A page that was exported has no server. */
export function onReturn(act) {
  const app = document.querySelector('[data-testid=stApp]');
  const observer = new MutationObserver(() => { if (app.dataset.testConnectionState === 'CONNECTED') act(); });
  if (app) observer.observe(app, { attributeFilter: ['data-test-connection-state'] });
  return () => observer.disconnect();
}

/** Whether a key press is the letter F by itself, and not typed into something. */
function isPlainF({ key, target, ctrlKey, metaKey, altKey, repeat }) {
  const typed = target.isContentEditable || target.closest?.('input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [role=combobox]');
  return key.toLowerCase() === 'f' && !ctrlKey && !metaKey && !altKey && !repeat && !typed;
}

// Where cookies are forbidden, the browser forbids this too.
export function remember(name, value) {
  try { localStorage.setItem(name, value); } catch { /* then it is forgotten */ }
}

export function recall(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}
