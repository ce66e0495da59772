"""Whatever comes late or in another order: what was said last of every control is shown, and known to Streamlit."""

import pytest

from tests.browser.modules import call

pytestmark = pytest.mark.browser

TALK = "stage/talk.js"

# A server with two controls and a visitor, by a clock of their own. Values only grow, so what is
# older is less.
WORLD = """
  const real = { setTimeout, clearTimeout, fetch, now: Date.now };
  let [now, serial, queue, seed] = [1000, 0, [], 1];
  const after = (milliseconds, act) => { queue.push({ at: now + milliseconds, id: serial += 1, act }); return serial; };
  const random = (end) => { seed = (seed * 1103515245 + 12345) % 2147483648; return end * seed / 2147483648; };

  /** Do all that is due, in its order. */
  async function run() {
    for (let left = 5000; queue.length && left; left -= 1) {
      queue.sort((one, other) => one.at - other.at || one.id - other.id);
      const { at, act } = queue.shift();
      now = Math.max(now, at);
      act();
      for (let i = 0; i < 12; i += 1) await null;  // what was waited for goes on
    }
  }

  /** What one visitor saw in the end, and what went wrong on the way. */
  async function visit(number) {
    seed = 7919 * number;
    const pace = random(1) < 0.5 ? 40 : 300;
    const [last, shown, wrong] = [{ a: 0, b: 0 }, { a: 0, b: 0 }, []];
    const server = { values: { a: 0, b: 0 } };
    let [busy, unsaid, still] = [false, false, false];
    const code = (values) => new TextEncoder().encode(JSON.stringify(values));
    window.fetch = (_, { body }) => new Promise((resolve) => {
      const { changed, ahead } = JSON.parse(body);
      const none = random(1) < (ahead ? 0.3 : 0.15);  // it has others to answer
      after(random(pace), () => {
        const picture = code({ ...server.values, [changed.name]: changed.value });
        resolve({ ok: true, arrayBuffer: async () => (none ? new Uint8Array() : picture).buffer });
      });
    });
    const show = (values, heard) => {
      for (const name of ['a', 'b']) {
        if (talk.holds(name, heard)) continue;
        if (values[name] < shown[name]) wrong.push(`${name} went back from ${shown[name]} to ${values[name]}`);
        shown[name] = values[name];
      }
    };
    const rerun = () => {
      if (server.running) { server.again = true; return; }
      Object.assign(server, { running: true, again: false });
      const { name, value, number: heard = 0 } = server.told ?? {};
      if (heard) server.values = { ...server.values, [name]: value };
      const { values } = server;
      after(random(2 * pace), () => {
        if (!talk.overtaken(heard)) {
          still = false;
          show(values, heard);
          talk.heard(heard);
        }
        server.running = false;
        if (server.again) rerun();
      });
    };
    const talk = new m.Talk({
      tell: (_, message) => after(10, () => { server.told = message; rerun(); }),
      show: (picture, heard) => {
        still = true;
        show(JSON.parse(new TextDecoder().decode(picture)), heard);
        talk.heard(heard, true);
      },
      at: () => null,
      busy: (value) => { busy = value; },
      unsaid: (value) => { unsaid = value; },
    });
    talk.token = 'token';
    const say = () => {
      const name = random(1) < 0.8 ? 'a' : 'b';
      last[name] += 1;
      shown[name] = last[name];
      talk.say('changed', { name, value: last[name] }, random(1) < 0.9, [{ name, value: last[name] + 1 }]);
    };
    const leave = () => document.dispatchEvent(new PointerEvent('pointerdown'));
    const acts = [say, say, say, say, leave, () => { if (still) talk.settle(); }, rerun];
    let at = 0;
    for (let i = 0; i < 12; i += 1) {
      at += random(random(1) < 0.5 ? 60 : 500);
      after(at, acts[Math.floor(random(acts.length))]);
    }
    await run();
    talk.end();
    const [said, seen, known] = [last, shown, server.values].map((values) => JSON.stringify(values));
    if (seen !== said || known !== said) wrong.push(`said: ${said}, shown: ${seen}, known: ${known}`);
    if (busy || unsaid) wrong.push(`busy: ${busy}, unsaid: ${unsaid}`);
    return wrong.length ? [`visitor ${number}: ${wrong.join('; ')}`] : [];
  }

  window.setTimeout = (act, milliseconds = 0) => after(milliseconds, act);
  window.clearTimeout = (id) => { queue = queue.filter((each) => each.id !== id); };
  Date.now = () => Math.round(now);
  try {
    const found = [];
    for (let number = 1; number <= argument; number += 1) found.push(...await visit(number));
    return found;
  } finally {
    const { now: clock, ...rest } = real;
    Object.assign(window, rest);
    Date.now = clock;
  }
"""


def test_whatever_comes_late_the_last_value_of_every_control_is_shown_and_known(modules):
    assert call(modules, TALK, WORLD, 500) == []


def test_a_value_that_waits_is_not_forgotten_for_one_of_another_control(modules):
    told = call(
        modules,
        TALK,
        """
        const told = [];
        const tell = (kind, message) => told.push(message);
        const talk = new m.Talk({ tell, show: () => {}, at: () => 0, busy: () => {}, unsaid: () => {} });
        for (const [name, value] of [['k', 1], ['eps', 1], ['k', 2], ['k', 3]]) talk.say('changed', { name, value });
        for (let i = 0; i < 3; i += 1) talk.heard(told.at(-1).number);
        return told.map(({ name, value }) => [name, value]);
        """,
    )
    assert told == [["k", 1], ["eps", 1], ["k", 3]]
