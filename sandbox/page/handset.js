// One phone: its screen with the thread and the reply box, and beside it the switches of its state.
import { get, on, request } from './api.js';
import { address, copyButton, h, icon, phoneNumber, timeOfDay, toast } from './dom.js';
import { messageThread, peerOf } from './thread.js';

const states = [
  ['on', 'On', 'Receives and confirms.'],
  ['off', 'Off', 'Messages wait, then expire.'],
  ['out_of_reach', 'Out of reach', 'Receipts say UNDELIV.'],
  ['full', 'Full', 'The carrier refuses, or says UNDELIV.'],
  ['reject', 'Reject', 'Receipts say REJECTD.'],
];
const banners = {
  off: 'This phone is off. Messages wait until it is on again, or expire.',
  out_of_reach: 'No service. Messages fail, and nothing can be sent.',
  full: 'The memory is full. Nothing more gets in.',
  reject: 'This phone refuses every message.',
};
const mute = { off: 'Switch the phone on to write', out_of_reach: 'No service' };

export function handset(stage) {
  let digits = '';
  let told = () => {};

  const thread = messageThread();
  const banner = h('p', { class: 'phone-banner' });
  const title = h('h2', { class: 'phone-title' });
  const clock = h('span', { class: 'phone-clock' });
  const to = h('select', { id: 'reply-to' });
  const other = h('input', {
    class: 'reply-other',
    'aria-label': 'Number or sender name to write to',
    placeholder: 'Number or name',
    maxlength: '21',
    autocomplete: 'off',
  });
  const text = h('textarea', { rows: '1', maxlength: '2000', 'aria-label': 'Text of the answer' });
  const sendButton = h('button', { class: 'reply-send', 'aria-label': 'Send' }, icon('send'));
  const reply = h(
    'form',
    { class: 'reply', onsubmit: send },
    h('div', { class: 'reply-to' }, h('label', { for: 'reply-to' }, 'To'), to, other),
    h('div', { class: 'reply-line' }, text, sendButton),
  );
  const bars = ['i', 'i', 'i', 'i', 'b'].map((tag) => h(tag));
  const device = h(
    'div',
    { class: 'device' },
    h(
      'div',
      { class: 'screen' },
      h(
        'div',
        { class: 'status-bar', 'aria-hidden': 'true' },
        clock,
        h('span', { class: 'island' }),
        h('span', { class: 'signal' }, ...bars),
      ),
      h(
        'div',
        { class: 'phone-head' },
        h(
          'a',
          { class: 'icon-button back', href: '#/phones', 'aria-label': 'Back to the list of phones' },
          icon('back'),
        ),
        title,
      ),
      banner,
      thread.box,
      reply,
      h('span', { class: 'home-bar', 'aria-hidden': 'true' }),
    ),
  );
  const number = h('div', { class: 'about-number' });
  const notes = h('div', { class: 'about-notes' });
  const switches = h(
    'fieldset',
    { class: 'switches' },
    h('legend', {}, 'This phone is'),
    ...states.map(([state, name, what]) =>
      h(
        'label',
        { class: 'switch' },
        h('input', { type: 'radio', name: 'state', value: state, onchange: () => setState(state) }),
        h('span', {}, h('strong', {}, name), h('small', {}, what)),
      ),
    ),
  );
  const about = h('aside', { class: 'about-phone', 'aria-label': 'State of this phone' }, number, switches, notes);
  const ghost = h('div', { class: 'ghost' }, h('i'), h('i'), h('i'));
  const nothing = h(
    'div',
    { class: 'stage-empty' },
    h('div', { class: 'device device-ghost', 'aria-hidden': 'true' }, ghost),
    h('h2', { class: 'title' }, 'Open a phone'),
    h('p', {}, 'Pick one from the list, or type any number: it becomes a phone that receives messages and can answer.'),
  );

  const tick = () => {
    clock.textContent = timeOfDay(new Date().toISOString());
  };
  const ticking = setInterval(tick, 10_000);
  tick();

  to.addEventListener('change', () => {
    other.hidden = to.value !== '';
    if (!other.hidden) other.focus();
  });
  text.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    reply.requestSubmit();
  });

  async function send(event) {
    event.preventDefault();
    const words = text.value;
    const whom = to.value || other.value.trim();
    if (words.trim() === '') return;
    if (whom === '') {
      toast('Say which number or sender to write to.');
      other.focus();
      return;
    }
    try {
      const message = await request('POST', `phones/${digits}/messages`, { channel: 'SMS', to: whom, text: words });
      text.value = '';
      thread.add(message);
      drawSenders([message.to, ...senders()], message.to);
    } catch (error) {
      toast(`Not sent: ${error.message}.`);
    }
  }

  const senders = () => [...to.options].map((option) => option.value).filter(Boolean);

  function drawSenders(list, chosen) {
    const unique = [...new Set(list)];
    const options = unique.map((sender) => h('option', { value: sender }, address(sender)));
    to.replaceChildren(...options, h('option', { value: '' }, 'Another number or sender'));
    to.value = unique.includes(chosen) ? chosen : (unique[0] ?? '');
    other.hidden = to.value !== '';
  }

  function drawPhone(item) {
    title.textContent = phoneNumber(item.digits);
    device.dataset.state = item.state;
    banner.textContent = banners[item.state] ?? '';
    banner.hidden = item.state === 'on';
    const muted = Object.hasOwn(mute, item.state);
    text.disabled = muted;
    sendButton.disabled = muted;
    text.placeholder = mute[item.state] ?? 'Text message';
    for (const input of switches.querySelectorAll('input')) input.checked = input.value === item.state;
    const lines = [];
    if (item.magic) {
      const link = h('a', { href: '#/magic' }, 'What it does');
      lines.push(h('p', { class: 'note' }, h('strong', {}, `Magic number: ${item.magic}. `), link));
    }
    if (item.waiting > 0) {
      const wait = item.waiting === 1 ? '1 message waits' : `${item.waiting} messages wait`;
      lines.push(h('p', { class: 'note' }, `${wait} for this phone.`));
    }
    notes.replaceChildren(...lines);
    told(item);
  }

  async function setState(state) {
    try {
      drawPhone(await request('PUT', `phones/${digits}`, { state }));
    } catch (error) {
      toast(`Not changed: ${error.message}.`);
      drawPhone((await get(`phones/${digits}/messages?limit=1`)).phone);
    }
  }

  async function read() {
    const page = await thread.open(digits);
    if (!page) return;
    drawSenders(page.senders, to.value);
    drawPhone(page.phone);
  }

  const offs = [
    on('message', (event) => {
      if (event.digits !== digits) return;
      thread.add(event.message);
      if (!senders().includes(peerOf(event.message))) drawSenders([peerOf(event.message), ...senders()], to.value);
    }),
    on('phone', (item) => item.digits === digits && drawPhone(item)),
    on('resync', () => digits && read()),
  ];

  return {
    show(wanted, tell) {
      told = tell;
      if (wanted === digits && wanted !== '') return;
      digits = wanted;
      thread.clear();
      if (!digits) {
        stage.replaceChildren(nothing);
        return;
      }
      to.replaceChildren();
      text.value = '';
      other.value = '';
      banner.hidden = true;
      title.textContent = phoneNumber(digits);
      number.replaceChildren(h('h3', {}, phoneNumber(digits)), copyButton(digits, 'Copy the number'));
      notes.replaceChildren();
      stage.replaceChildren(device, about);
      read().catch((error) => toast(`This phone cannot be shown: ${error.message}.`));
    },
    leave() {
      clearInterval(ticking);
      for (const off of offs) off();
    },
  };
}
