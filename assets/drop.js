/**
 * A file that is dropped anywhere on the page goes the way of one that is chosen: to a file uploader of Streamlit, which the
 * server mounts, unseen, when a file is first dragged over the page (ui/drop.py).
 * @module
 */
const UPLOADER = '.st-key-dropped input[type=file]';
const STILL = 500;  // milliseconds without a sign of the file, after which it has left the page: a browser gives one each 350 at least
const PATIENCE = 20000;  // milliseconds for the uploader to come

/**
 * Say why what was dropped cannot be sent; nothing if it can.
 * @param {DataTransfer} transfer
 * @param {number} megabytes that a file may have
 */
function problemOf(transfer, megabytes) {
  if (transfer.items[0]?.webkitGetAsEntry?.()?.isDirectory) return 'folder';
  if (transfer.files.length !== 1) return 'several';
  return transfer.files[0].size > megabytes * 2 ** 20 ? 'large' : '';
}

// The server takes a file by mounting the next uploader. What the one before is given meanwhile would go with it.
let queue = Promise.resolve();
let used = null;

/** Return the input of an uploader that has no file yet, as soon as it is there; nothing if none comes. */
async function uploader() {
  const end = performance.now() + PATIENCE;
  const current = () => document.querySelector(UPLOADER);
  while ((current() ?? used) === used && performance.now() < end) await new Promise(requestAnimationFrame);
  return current();
}

/** Send a file after those that were dropped before it. */
function send(file) {
  queue = queue.then(() => give(file));
}

async function give(file) {
  const input = await uploader();
  if (!input) return;
  used = input;
  const transfer = new DataTransfer();
  transfer.items.add(file);
  input.files = transfer.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

export default function dropComponent({ data, parentElement, setTriggerValue }) {
  const overlay = Object.assign(document.createElement('div'), { className: 'dm-drop', hidden: true });
  overlay.setAttribute('role', 'status');
  parentElement.append(overlay);
  const listeners = new AbortController();
  let ownDrag = false;  // of a picture or a link of the page itself, which a browser offers as a file, too
  let leaving = 0;

  const hide = () => {
    clearTimeout(leaving);
    overlay.hidden = true;
    overlay.textContent = '';
  };
  const show = () => {
    clearTimeout(leaving);
    leaving = setTimeout(hide, STILL);
    if (!overlay.hidden) return;
    overlay.hidden = false;
    overlay.textContent = data.sentence;
    if (data.accepts && !document.querySelector(UPLOADER)) setTriggerValue('dragged', true);
  };
  const on = (name, act) => document.addEventListener(name, (event) => {
    if (ownDrag || !event.dataTransfer?.types.includes('Files')) return;
    // Nobody else gets it: the browser would open the file, and an uploader of the page read it another way.
    event.preventDefault();
    event.stopPropagation();
    act(event.dataTransfer);
  }, { capture: true, signal: listeners.signal });

  document.addEventListener('dragstart', () => { ownDrag = true; }, { signal: listeners.signal });
  document.addEventListener('dragend', () => { ownDrag = false; }, { signal: listeners.signal });
  on('dragenter', show);
  on('dragover', (transfer) => {
    transfer.dropEffect = data.accepts ? 'copy' : 'none';
    show();
  });
  on('drop', (transfer) => {
    hide();
    if (!data.accepts) return;
    const problem = problemOf(transfer, data.megabytes);
    if (problem) setTriggerValue('problem', problem);
    else send(transfer.files[0]);
  });
  // A page gives a file, too: what a class has collected (assets/room/desk.js).
  document.addEventListener('dm-file', (event) => {
    if (!data.accepts) return;
    event.preventDefault();
    if (!document.querySelector(UPLOADER)) setTriggerValue('dragged', true);
    send(event.detail);
  }, { signal: listeners.signal });
  return () => {
    listeners.abort();
    hide();
    overlay.remove();
  };
}
