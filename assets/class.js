/**
 * *Class* in the bar of the page opens a room. Its module (assets/room/desk.js) is loaded by then, or
 * with the page where this tab has a room.
 * @module
 */
const ROOM = 'dm-class';  // as in assets/room/desk.js
const [BASE] = import.meta.url.split('_stcore');  // from where this module was loaded
const desk = () => import(`${BASE}room/files/desk.min.js`);
let heard = 0;  // calls: the component is mounted anew on each page

export default function classComponent({ data: { calls } }) {
  const isCalled = calls > heard;
  heard = calls;
  if (isCalled) desk().then(({ open }) => open());
  try {
    if (sessionStorage.getItem(ROOM)) desk();
  } catch { /* where cookies are forbidden the browser forbids this too */ }
}
