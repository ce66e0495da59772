/* global atob, Blob, URL, document */
/**
 * The stage as a widget of a notebook: the kernel has the scene, and hears of the frame, the
 * selected row and dragged handles. Python puts the bundle of the stage in.
 */
const bundle = Uint8Array.from(atob('$bundle'), (c) => c.charCodeAt(0));
// Its address has no server behind it that the stage could ask.
const address = URL.createObjectURL(new Blob([bundle], { type: 'text/javascript' }));
const { mount } = await import(address);

function render({ model, el }) {
  const root = el.appendChild(document.createElement('div'));
  el.classList.add('dm-widget');
  root.className = 'dm-stage';
  root.dataset.testid = 'stage';
  const bytes = () => {
    const { buffer, byteOffset, byteLength } = model.get('scene');
    return new Uint8Array(buffer, byteOffset, byteLength).slice();
  };
  const stage = mount(root, bytes());
  const say = (name) => (value) => {
    model.set(name, value);
    model.save_changes();
  };
  stage.link.report = { frame: say('frame'), selected: say('selected'), moved: say('moved') };
  const load = () => stage.load(bytes());
  const go = () => {
    if (stage.player.frame !== model.get('frame')) stage.player.go(model.get('frame'));
  };
  load();
  go();
  model.on('change:scene', load);
  model.on('change:frame', go);
  return () => {
    model.off('change:scene', load);
    model.off('change:frame', go);
    stage.destroy();
  };
}

export default { render };
