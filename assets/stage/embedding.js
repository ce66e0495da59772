/**
 * A stage within a page of somebody else: the way to the page that it is of, and the messages from
 * and to the page around it. docs/embedding.md has their format; what is none is ignored.
 * @module
 */
const EMBED = 'embed';
const MAX_LETTERS = 200;  // of a value
const MAX_VALUES = 100;

/** The address of this page in a tab of its own; empty where it is not embedded. */
export function ownAddress() {
  const url = new URL(location.href);
  if (!['1', 'true'].includes(url.searchParams.get(EMBED) ?? '')) return '';
  url.searchParams.delete(EMBED);
  return url.href;
}

/** A link to this page in a tab of its own, with what is set when it is followed. */
export function ownLink() {
  const link = document.createElement('a');
  Object.assign(link, { className: 'dm-own', target: '_blank', rel: 'noopener', href: ownAddress() });
  link.textContent = 'Open in a tab ↗';
  link.onclick = () => { link.href = ownAddress(); };
  return link;
}

/**
 * Whether an origin is one of those that the operator names, as in DMLIB_FRAME_ANCESTORS; all are
 * where none is named, since others cannot embed the page.
 * @type {(origin: string, sources: string[]) => boolean}
 */
export function isNamed(origin, sources) {
  return !sources.length || sources.some((source) => {
    const [scheme, host] = new URL(source.replace('*.', 'any.')).origin.split('any.');
    return host ? origin.startsWith(scheme) && origin.endsWith(`.${host}`) : origin === scheme;
  });
}

/** The origins that the operator names; the server writes them into the page. */
function namedOrigins() {
  const meta = document.querySelector('meta[name=dmlib-frame-ancestors]');
  return meta?.getAttribute('content')?.split(' ') ?? [];
}

/** The origin of the page around this one, where the browser says it; else empty. */
function parentOrigin() {
  const [origin] = location.ancestorOrigins ?? [];
  if (origin) return origin;
  return document.referrer ? new URL(document.referrer).origin : '';
}

/** Whether a value is one that a control can have. @param {unknown} value */
const isValue = (value) => (
  ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= MAX_LETTERS);

/**
 * A value of a control as the server reads it; null if it is none.
 * @param {unknown} value
 */
function textOf(value) {
  if (!Array.isArray(value)) return isValue(value) ? String(value) : null;
  return value.length <= MAX_VALUES && value.every(isValue) ? value.map(String) : null;
}

export class Embedding {
  origins = namedOrigins();
  /** Where messages are sent to; empty as long as it is unknown. */
  target = '';
  /** The last message of each kind: what says the same is not sent. @type {Map<string, string>} */
  sent = new Map();

  /**
   * @param {{ go: (step: number) => void, set: (name: string, value: unknown) => void,
   *   tell: () => void }} host `tell` says where the stage is
   */
  constructor(host) {
    this.host = host;
    this.listen = (/** @type {MessageEvent} */ event) => this.hear(event);
    if (window.parent === window) return;
    if (parentOrigin()) this.answerTo(parentOrigin());
    window.addEventListener('message', this.listen);
  }

  /** Whether messages of a page of this origin are taken. @param {string} origin */
  accepts(origin) {
    return origin === location.origin || isNamed(origin, this.origins);
  }

  /** @param {string} origin */
  answerTo(origin) {
    if (!this.accepts(origin)) return;
    // A page from a file has no origin that could be named; it is the parent all the same.
    this.target = origin === 'null' ? '*' : origin;
  }

  /** @param {MessageEvent} event */
  hear({ source, origin, data }) {
    if (source !== window.parent || data?.dmlib !== 1 || !this.accepts(origin)) return;
    this.answerTo(origin);
    if (data.type === 'hello') {
      this.sent.clear();
      this.host.tell();
    } else if (data.type === 'go' && Number.isInteger(data.step)) this.host.go(data.step);
    else if (data.type === 'set' && typeof data.name === 'string') {
      const value = textOf(data.value);
      if (value !== null) this.host.set(data.name, value);
    }
  }

  /** Send a message to the page around this one. @type {(type: string, content: object) => void} */
  send(type, content) {
    if (this.target) window.parent.postMessage({ dmlib: 1, type, ...content }, this.target);
  }

  /** Send a message unless the last one of its kind said the same. @type {(type: string, content: object) => void} */
  tell(type, content) {
    const text = JSON.stringify(content);
    if (this.sent.get(type) === text) return;
    this.sent.set(type, text);
    this.send(type, content);
  }

  end() {
    window.removeEventListener('message', this.listen);
  }
}
