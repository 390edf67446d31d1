/** The apps on a phone and the habits of its owner. Every change takes effect immediately. */
import { get, request } from '../ui/api.js';
import { count, h, toast } from '../ui/dom.js';

const flags = [
  ['whatsapp', 'WhatsApp', 'Off: messages fail with 131026.'],
  ['viber', 'Viber', 'Off: messages are refused with status 9.'],
  ['number_hidden', 'Hides its number', 'WhatsApp businesses see only a user ID.'],
  ['marketing_stopped', 'Stopped marketing', 'WhatsApp marketing fails with 131050.'],
];
const habits = [
  ['at_once', 'immediately'],
  ['by_hand', 'on request'],
  ['never', 'without read receipts'],
];

export function ownerPanel({ digits, onPhone }) {
  const inputs = new Map();
  const name = h('input', { maxlength: '60', autocomplete: 'off', onchange: () => change({ name: name.value }) });
  const reads = h(
    'select',
    { onchange: () => change({ reads: reads.value }) },
    ...habits.map(([value, label]) => h('option', { value }, label)),
  );
  const readNow = h('button', { type: 'button', class: 'button wide', onclick: read }, 'Read messages');
  const panel = h(
    'fieldset',
    { class: 'switches person' },
    h('legend', {}, 'Apps and owner'),
    ...flags.map(([field, title, help]) => {
      const onchange = () => change({ [field]: input.checked });
      const input = h('input', { type: 'checkbox', role: 'switch', class: 'toggle', onchange });
      inputs.set(field, input);
      return h('label', { class: 'person-flag' }, h('span', {}, title, h('small', {}, help)), input);
    }),
    h('label', { class: 'person-field' }, 'Reads messages', reads),
    readNow,
    h('label', { class: 'person-field' }, 'Name', name),
  );

  async function change(changes) {
    try {
      onPhone(await request('PUT', `phones/${digits()}`, changes));
    } catch (error) {
      toast(`Phone not changed: ${error.message}.`);
      onPhone((await get(`phones/${digits()}/messages?limit=1`)).phone);
    }
  }

  async function read() {
    try {
      const { read } = await request('POST', `phones/${digits()}/read`, {});
      toast(read === 0 ? 'No unread messages.' : `${count(read)} ${read === 1 ? 'message' : 'messages'} read.`);
    } catch (error) {
      toast(`Messages not read: ${error.message}.`);
    }
  }

  return {
    panel,
    draw(phone) {
      for (const [field, input] of inputs) input.checked = phone[field];
      reads.value = phone.reads;
      readNow.hidden = phone.reads === 'at_once';
      if (document.activeElement !== name) name.value = phone.name;
    },
  };
}
