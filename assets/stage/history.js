/**
 * What can be undone, and redone.
 * @module
 */
const LONGEST = 200;

/** @template State */
export class History {
  /** @type {State[]} */
  past = [];
  /** @type {State[]} */
  future = [];

  /** Remember a state before it is changed. @param {State} state */
  keep(state) {
    this.past.push(state);
    if (this.past.length > LONGEST) this.past.shift();
    this.future = [];
  }

  /** The state before this one, if there is one. @param {State} state */
  undo(state) {
    return step(this.past, this.future, state);
  }

  /** The state that this one was reached from by undoing. @param {State} state */
  redo(state) {
    return step(this.future, this.past, state);
  }
}

/**
 * @template State
 * @param {State[]} from
 * @param {State[]} to
 * @param {State} state
 */
function step(from, to, state) {
  const other = from.pop();
  if (other !== undefined) to.push(state);
  return other;
}
