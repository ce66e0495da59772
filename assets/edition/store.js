/**
 * Data of the edition: scripts that hand over their values, since a page that is opened from a
 * folder may load nothing else.
 * @module
 */
const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
/** The folder of the data, beside that of the scripts, whichever page asks for them. */
const FOLDER = new URL('../data/', src).href;

/** What has come, or is waited for. @type {Map<string, Promise<any>>} */
const values = new Map();
/** @type {Map<string, (value: unknown) => void>} */
const waiting = new Map();

/**
 * What the scripts call.
 * @param {string} name
 * @param {unknown} value
 */
export function deliver(name, value) {
  const take = waiting.get(name);
  waiting.delete(name);
  if (take) take(value);
  else values.set(name, Promise.resolve(value));
}

/**
 * The value of a name, whose script is loaded when it is first wanted; rejected where it is missing.
 * @param {string} name
 * @param {boolean} [loads] false where the page itself loads the script
 */
export function valueOf(name, loads = true) {
  const value = values.get(name) ?? new Promise((resolve, reject) => {
    waiting.set(name, resolve);
    if (!loads) return;
    const script = document.createElement('script');
    script.src = `${FOLDER}${name}.js`;
    script.onerror = () => {
      values.delete(name);
      reject(new Error(`${script.src} is missing.`));
    };
    document.head.append(script);
  });
  values.set(name, value);
  return value;
}

/** Bytes that travel as text. @param {string} text */
export const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
