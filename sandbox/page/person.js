// Beside a phone: which apps are on it and how its person behaves. A change takes effect at once.
import { get, request } from './api.js';
import { h, toast } from './dom.js';

const flags = [
  ['whatsapp', 'WhatsApp', 'Otherwise messages fail: 131026.'],
  ['viber', 'Viber', 'Otherwise messages are refused: status 9.'],
  ['number_hidden', 'Hides its number', 'WhatsApp tells a user id only.'],
  ['marketing_stopped', 'Wants no marketing', 'WhatsApp: 131050.'],
];
const habits = [
  ['at_once', 'at once'],
  ['by_hand', 'when told to'],
  ['never', 'without saying so'],
];

export function personPanel({ digits, drawn }) {
  const inputs = new Map();
  const name = h('input', { maxlength: '60', autocomplete: 'off', onchange: () => change({ name: name.value }) });
  const reads = h(
    'select',
    { onchange: () => change({ reads: reads.value }) },
    ...habits.map(([value, words]) => h('option', { value }, words)),
  );
  const readNow = h('button', { type: 'button', class: 'button wide', onclick: read }, 'Read what is there');
  const panel = h(
    'fieldset',
    { class: 'switches person' },
    h('legend', {}, 'Its apps and its person'),
    ...flags.map(([field, title, help]) => {
      const input = h('input', {
        type: 'checkbox',
        role: 'switch',
        class: 'toggle',
        onchange: () => change({ [field]: input.checked }),
      });
      inputs.set(field, input);
      return h('label', { class: 'person-flag' }, h('span', {}, title, h('small', {}, help)), input);
    }),
    h('label', { class: 'person-field' }, 'Reads messages', reads),
    readNow,
    h('label', { class: 'person-field' }, 'Is called', name),
  );

  async function change(changes) {
    try {
      drawn(await request('PUT', `phones/${digits()}`, changes));
    } catch (error) {
      toast(`Not changed: ${error.message}.`);
      drawn((await get(`phones/${digits()}/messages?limit=1`)).phone);
    }
  }

  async function read() {
    try {
      const { read: count } = await request('POST', `phones/${digits()}/read`, {});
      toast(count === 0 ? 'There was nothing to read.' : `${count} ${count === 1 ? 'message' : 'messages'} read.`);
    } catch (error) {
      toast(`Not read: ${error.message}.`);
    }
  }

  return {
    panel,
    draw(item) {
      for (const [field, input] of inputs) input.checked = item[field];
      reads.value = item.reads;
      readNow.hidden = item.reads === 'at_once';
      if (document.activeElement !== name) name.value = item.name;
    },
  };
}
