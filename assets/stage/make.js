/**
 * Elements.
 * @module
 */

/**
 * An element with a class and what it contains.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [className]
 * @param {...(string | Node)} parts
 */
export function make(tag, className = '', ...parts) {
  const element = Object.assign(document.createElement(tag), { className });
  element.append(...parts);
  return element;
}
