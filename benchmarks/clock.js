/**
 * The clock inside a measured page, put there before anything else is loaded.
 *
 * A press is timed from its keydown event to the second animation frame after its answer is there: the stage's first
 * picture after which no value is on its way, or the text of the bare app. The last picture of all, with all steps, is
 * `finished`. A drag counts the pictures and the values until the mouse rests, and the time from its last move to the
 * picture of the last value. The end of the server's answer is read from the websocket.
 * `window.benchWatched` is set before: the selector of what is watched.
 */
(() => {
  const WATCHED = () => {
    const element = document.querySelector(window.benchWatched);
    return element?.dataset.rev ?? element?.textContent;
  };
  const frameNow = () => document.querySelector('[data-testid=stage]')?.dataset.frame;
  const FINISHED = 6;  // field number of script_finished in Streamlit's ForwardMsg
  const bench = { first: null, messages: 0, bytes: 0, largest: 0, shift: 0 };
  window.bench = bench;

  /** Whether a protocol buffer has a field at its top level. */
  function has(bytes, field) {
    let at = 0;
    const varint = () => {
      let [value, scale] = [0, 1];
      for (;;) {
        const byte = bytes[at++];
        value += (byte & 127) * scale;
        if (!(byte >= 128)) return value;
        scale *= 128;
      }
    };
    while (at < bytes.length) {
      const tag = varint();
      if (tag >>> 3 === field) return true;
      const value = varint();  // of a number; of everything else the size
      if ((tag & 7) === 2) at += value;
      else if ((tag & 7) !== 0) return false;
    }
    return false;
  }

  window.WebSocket = class extends WebSocket {
    constructor(...parameters) {
      super(...parameters);
      this.addEventListener('message', ({ data }) => {
        if (!(data instanceof ArrayBuffer)) return;
        bench.messages += 1;
        bench.bytes += data.byteLength;
        bench.heard = performance.now();
        bench.largest = Math.max(bench.largest, data.byteLength);
        if (has(new Uint8Array(data), FINISHED)) bench.answered = bench.heard;
      });
    }
  };

  /** Begin: forget what was before. */
  bench.arm = () => Object.assign(bench, {
    pressed: null, answered: null, heard: null, repaints: 0, inputs: 0, painted: null, finished: null, messages: 0, bytes: 0, largest: 0, shift: 0,
    stepped: null, moved: null, caught: null,
  });

  /** Whether the answer is complete and everything is quiet again; a picture that is still to come gets ten times as long. */
  bench.calm = (quiet) => bench.answered !== null && bench.pending === 0
    && performance.now() - Math.max(bench.answered, bench.heard, bench.changed ?? 0) > (bench.repaints ? 1 : 10) * quiet;

  bench.pending = 0;
  const afterPaint = (then) => {
    bench.pending += 1;
    requestAnimationFrame(() => requestAnimationFrame(() => { bench.pending -= 1; then(performance.now()); }));
  };
  const look = () => {
    const value = WATCHED();
    if (value === undefined || value === bench.value) return;
    bench.value = value;
    bench.changed = performance.now();
    bench.repaints += 1;
    afterPaint((time) => { bench.finished = time; bench.first ??= time; });
    if (!document.querySelector('[data-testid=stage]')) afterPaint((time) => { bench.painted = time; });
    const stepped = bench.frame !== undefined && bench.frame !== frameNow();
    if (stepped) afterPaint((time) => { bench.stepped ??= time; });
  };
  /** The first picture after which no value is on its way: that of the last value, once the mouse rests. */
  const caughtUp = () => afterPaint((time) => { bench.caught = time; bench.painted ??= time; });
  new MutationObserver(([{ target }]) => { if (target.dataset.busy === 'false') caughtUp(); })
    .observe(document, { subtree: true, attributeFilter: ['data-busy'] });

  bench.arm();
  document.addEventListener('pointermove', (event) => { bench.moved = event.timeStamp; }, { capture: true });
  document.addEventListener('input', () => { bench.inputs += 1; }, { capture: true });
  document.addEventListener('keydown', (event) => { bench.pressed ??= event.timeStamp; }, { capture: true });
  new MutationObserver(look).observe(document, {
    subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['data-rev'],
  });
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) bench.shift += entry.value; })
    .observe({ type: 'layout-shift', buffered: true });

  /** Begin a step that the page makes alone: no message is awaited. */
  bench.step = () => Object.assign(bench, { pressed: null, stepped: null, frame: frameNow() });

  /** The gaps between animation frames for a while; `each` runs in every frame. */
  bench.gaps = (milliseconds, each = () => {}) => new Promise((resolve) => {
    const gaps = [];
    let [start, last] = [null, null];
    const frame = (time) => {
      if (last !== null) gaps.push(time - last);
      start ??= time;
      last = time;
      each(gaps.length);
      if (time - start < milliseconds) requestAnimationFrame(frame);
      else resolve(gaps);
    };
    requestAnimationFrame(frame);
  });

  /** Scrub: put the player's slider somewhere else in every frame, as a dragging hand does. */
  bench.scrub = (milliseconds) => {
    const range = document.querySelector('[data-testid=stage] input[type=range]');
    const last = Number(range.max);
    return bench.gaps(milliseconds, (i) => {
      const there = (i * 3) % (2 * last);
      range.value = String(there <= last ? there : 2 * last - there);
      range.dispatchEvent(new Event('input', { bubbles: true }));
    });
  };
})();
