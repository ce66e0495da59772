"""The last value of every control is shown and known to Streamlit, in any order of answers."""

import pytest

from tests.browser.modules import call

pytestmark = pytest.mark.browser

TALK = "stage/talk.js"

# A server with two controls and a visitor, by a clock of their own. Values only grow, so what is
# older is less.
WORLD = """
  const real = { setTimeout, clearTimeout, fetch, now: Date.now };
  let [now, serial, queue, seed] = [1000, 0, [], 1];
  const after = (milliseconds, act) => {
    serial += 1;
    queue.push({ at: now + milliseconds, id: serial, act });
    return serial;
  };
  const random = (end) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return end * seed / 2147483648;
  };

  /** Run all acts in the order of their times. */
  async function run() {
    for (let remaining = 5000; queue.length && remaining; remaining -= 1) {
      queue.sort((a, b) => a.at - b.at || a.id - b.id);
      const { at, act } = queue.shift();
      now = Math.max(now, at);
      act();
      for (let i = 0; i < 12; i += 1) await null;  // what was waited for goes on
    }
  }

  /** Run one visit and return its faults. */
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
        if (values[name] < shown[name]) {
          wrong.push(`${name} went back from ${shown[name]} to ${values[name]}`);
        }
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
      const next = { name, value: last[name] + 1 };
      talk.say('changed', { name, value: last[name] }, random(1) < 0.9, [next]);
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
    const texts = [last, shown, server.values].map((values) => JSON.stringify(values));
    if (new Set(texts).size > 1) wrong.push(`sent, shown and known: ${texts.join(', ')}`);
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
    messages = call(
        modules,
        TALK,
        """
        const messages = [];
        const tell = (kind, message) => messages.push(message);
        const host = { tell, show: () => {}, at: () => 0, busy: () => {}, unsaid: () => {} };
        const talk = new m.Talk(host);
        const changes = [['k', 1], ['eps', 1], ['k', 2], ['k', 3]];
        for (const [name, value] of changes) talk.say('changed', { name, value });
        for (let i = 0; i < 3; i += 1) talk.heard(messages.at(-1).number);
        return messages.map(({ name, value }) => [name, value]);
        """,
    )
    assert messages == [["k", 1], ["eps", 1], ["k", 3]]
