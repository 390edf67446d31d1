// One phone: its screen with the thread and the reply box, and beside it the switches of its state.
import { get, on, request } from './api.js';
import { address, copyButton, h, icon, phoneNumber, timeOfDay, toast } from './dom.js';
import { personPanel } from './person.js';
import { replyBox } from './reply.js';
import { messageThread } from './thread.js';
import { blocksPanel } from './viber_blocks.js';

const states = [
  ['on', 'On', 'Receives and confirms.'],
  ['off', 'Off', 'Messages wait, then expire.'],
  ['out_of_reach', 'Out of reach', 'Receipts say UNDELIV; apps wait.'],
  ['full', 'Full', 'Refused, or UNDELIV; apps wait.'],
  ['reject', 'Reject', 'Receipts say REJECTD; apps fail.'],
];
const banners = {
  off: 'This phone is off. Messages wait until it is on again, or expire.',
  out_of_reach: 'No service. Messages fail, and nothing can be sent.',
  full: 'The memory is full. Nothing more gets in.',
  reject: 'This phone refuses every message.',
};
const typingLasts = 25_000;

export function handset(stage) {
  let digits = '';
  let told = () => {};

  const thread = messageThread();
  const banner = h('p', { class: 'phone-banner' });
  const typing = h('p', { class: 'typing', role: 'status', hidden: true });
  const title = h('h2', { class: 'phone-title' });
  const clock = h('span', { class: 'phone-clock' });
  const reply = replyBox({ digits: () => digits, sent: (message) => thread.add(message) });
  const person = personPanel({ digits: () => digits, drawn: drawPhone });
  const blocks = blocksPanel({ digits: () => digits, drawn: drawPhone });
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
      typing,
      reply.form,
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
  const about = h(
    'aside',
    { class: 'about-phone', 'aria-label': 'State of this phone' },
    number,
    switches,
    person.panel,
    blocks.panel,
    notes,
  );
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

  function drawPhone(item) {
    title.textContent = phoneNumber(item.digits);
    device.dataset.state = item.state;
    banner.textContent = banners[item.state] ?? '';
    banner.hidden = item.state === 'on';
    reply.drawState(item.state);
    person.draw(item);
    blocks.draw(item).catch(() => {});
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

  let typingEnds;
  function drawTyping({ peer }) {
    clearTimeout(typingEnds);
    typing.textContent = `${address(peer)} is typing`;
    typing.hidden = false;
    typingEnds = setTimeout(() => {
      typing.hidden = true;
    }, typingLasts);
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
    reply.show(page);
    drawPhone(page.phone);
  }

  const offs = [
    on('message', (event) => {
      if (event.digits !== digits) return;
      thread.add(event.message);
      reply.add(event.message);
      typing.hidden = true;
    }),
    on('typing', (event) => event.digits === digits && drawTyping(event)),
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
      reply.clear();
      typing.hidden = true;
      banner.hidden = true;
      title.textContent = phoneNumber(digits);
      number.replaceChildren(h('h3', {}, phoneNumber(digits)), copyButton(digits, 'Copy the number'));
      notes.replaceChildren();
      stage.replaceChildren(device, about);
      read().catch((error) => toast(`This phone cannot be shown: ${error.message}.`));
    },
    leave() {
      clearInterval(ticking);
      clearTimeout(typingEnds);
      for (const off of offs) off();
    },
  };
}
