/**
 * The way on in a course, for who comes from there: the address names the course and the lecture.
 * @module
 */

/** Show the lecture of the address, with the pages before and after; or the first of its course. */
export function showWay() {
  const query = new URLSearchParams(location.search);
  /** @type {NodeListOf<HTMLElement>} */
  const all = document.querySelectorAll('.way');
  const ways = [...all].filter((way) => way.dataset.course === query.get('course'));
  const way = ways.find((each) => each.dataset.lecture === query.get('lecture')) ?? ways[0];
  if (way) way.hidden = false;
}
