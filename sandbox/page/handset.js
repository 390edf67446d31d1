// One phone: its screen with the thread and the reply box, and beside it the switches of its state.
import { get, on, request } from './api.js';
import { address, copyButton, dayName, exactTime, h, icon, linked, phoneNumber, timeOfDay, toast } from './dom.js';

const pageSize = 50;
const mostBubbles = 300;
const gapOfTime = 15 * 60_000;

const states = [
  ['on', 'On', 'Receives and confirms.'],
  ['off', 'Off', 'Messages wait, then expire.'],
  ['out_of_reach', 'Out of reach', 'Receipts say UNDELIV.'],
  ['full', 'Full', 'The carrier refuses, or says UNDELIV.'],
  ['reject', 'Reject', 'Receipts say REJECTD.'],
];
const failures = {
  waiting: 'Waiting for the phone',
  undelivered: 'Not delivered to this phone',
  expired: 'Expired before the phone was on',
  rejected: 'Rejected by this phone',
};
const banners = {
  off: 'This phone is off. Messages wait until it is on again, or expire.',
  out_of_reach: 'No service. Messages fail.',
  full: 'The memory is full. Nothing more gets in.',
  reject: 'This phone refuses every message.',
};

export function handset(stage) {
  let digits = '';
  let next = null;
  let bubbles = [];
  let told = () => {};

  const thread = h('div', { class: 'thread', role: 'log', 'aria-label': 'Messages', tabindex: '0' });
  const banner = h('p', { class: 'phone-banner' });
  const title = h('h1', { class: 'phone-title' });
  const clock = h('span', { class: 'phone-clock', 'aria-hidden': 'true' });
  const to = h('select', { id: 'reply-to', 'aria-label': 'Answer to' });
  const other = h('input', {
    class: 'reply-other',
    'aria-label': 'Number or sender name to write to',
    placeholder: 'Number or sender name',
    maxlength: '21',
    autocomplete: 'off',
  });
  const text = h('textarea', {
    id: 'reply-text',
    rows: '1',
    maxlength: '2000',
    placeholder: 'Text message',
    'aria-label': 'Text of the answer',
  });
  const sendButton = h('button', { class: 'reply-send', 'aria-label': 'Send' }, icon('send'));
  const reply = h(
    'form',
    { class: 'reply', onsubmit: send },
    h('div', { class: 'reply-to' }, h('label', { for: 'reply-to' }, 'To'), to, other),
    h('div', { class: 'reply-line' }, text, sendButton),
  );
  const screen = h(
    'div',
    { class: 'screen' },
    h(
      'div',
      { class: 'status-bar', 'aria-hidden': 'true' },
      clock,
      h('span', { class: 'island' }),
      h('span', { class: 'signal' }, h('i'), h('i'), h('i'), h('i'), h('b')),
    ),
    h(
      'div',
      { class: 'phone-head' },
      h('a', { class: 'icon-button back', href: '#/phones', 'aria-label': 'Back to the list of phones' }, icon('back')),
      title,
    ),
    banner,
    thread,
    reply,
    h('span', { class: 'home-bar', 'aria-hidden': 'true' }),
  );
  const device = h('div', { class: 'device' }, screen);
  const switches = h('fieldset', { class: 'switches' });
  const about = h('aside', { class: 'about-phone', 'aria-label': 'State of this phone' });
  const nothing = h(
    'div',
    { class: 'stage-empty' },
    h('div', { class: 'device device-ghost', 'aria-hidden': 'true' }, h('div', { class: 'screen' })),
    h('h1', {}, 'Open a phone'),
    h('p', {}, 'Pick one from the list, or type any number: it becomes a phone that receives messages and can answer.'),
  );

  const ticking = setInterval(tick, 10_000);
  tick();
  function tick() {
    clock.textContent = timeOfDay(new Date().toISOString());
  }

  to.addEventListener('change', () => {
    other.hidden = to.value !== '';
    if (!other.hidden) other.focus();
  });
  text.addEventListener('input', fit);
  text.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    reply.requestSubmit();
  });
  thread.addEventListener('scroll', () => {
    if (thread.scrollTop < 40 && next) older();
  });

  function fit() {
    text.style.height = 'auto';
    text.style.height = `${Math.min(text.scrollHeight, 120)}px`;
  }

  async function send(event) {
    event.preventDefault();
    const words = text.value;
    const whom = to.value || other.value.trim();
    if (words.trim() === '') return;
    if (whom === '') {
      toast('Say which number or sender to write to.');
      (other.hidden ? to : other).focus();
      return;
    }
    try {
      add(await request('POST', `phones/${digits}/messages`, { channel: 'SMS', to: whom, text: words }));
      text.value = '';
      fit();
      if (to.value === '') drawSenders([whom, ...senders()]);
    } catch (error) {
      toast(`Not sent: ${error.message}.`);
    }
  }

  const senders = () => [...to.options].map((option) => option.value).filter(Boolean);

  function drawSenders(list) {
    const chosen = to.value;
    const unique = [...new Set(list)];
    to.replaceChildren(
      ...unique.map((sender) => h('option', { value: sender }, address(sender))),
      h('option', { value: '' }, 'Another number or sender'),
    );
    to.value = unique.includes(chosen) ? chosen : (unique[0] ?? '');
    other.hidden = to.value !== '';
  }

  function drawPhone(item) {
    title.textContent = phoneNumber(item.digits);
    device.dataset.state = item.state;
    banner.textContent = banners[item.state] ?? '';
    banner.hidden = item.state === 'on';
    const lead = h('legend', {}, 'This phone is');
    const options = states.map(([state, name, what]) =>
      h(
        'label',
        { class: 'switch' },
        h('input', {
          type: 'radio',
          name: 'state',
          value: state,
          checked: state === item.state,
          onchange: () => setState(state),
        }),
        h('span', {}, h('strong', {}, name), h('small', {}, what)),
      ),
    );
    if (switches.childElementCount === 0) switches.append(lead, ...options);
    else for (const input of switches.querySelectorAll('input')) input.checked = input.value === item.state;
    about.replaceChildren(
      h(
        'div',
        { class: 'about-number' },
        h('h2', {}, phoneNumber(item.digits)),
        copyButton(item.digits, 'Copy the number'),
      ),
      switches,
      item.magic
        ? h(
            'p',
            { class: 'note' },
            h('strong', {}, `Magic number: ${item.magic}. `),
            h('a', { href: '#/magic' }, 'What it does'),
          )
        : '',
      item.waiting > 0
        ? h(
            'p',
            { class: 'note' },
            `${item.waiting} ${item.waiting === 1 ? 'message waits' : 'messages wait'} for this phone.`,
          )
        : '',
    );
    told(item);
  }

  async function setState(state) {
    try {
      drawPhone(await request('PUT', `phones/${digits}`, { state }));
    } catch (error) {
      toast(`Not changed: ${error.message}.`);
    }
  }

  function draw() {
    const nodes = [];
    let before;
    for (const message of bubbles) {
      const gap = before && Date.parse(message.time) - Date.parse(before.time) > gapOfTime;
      if (!before || gap || dayName(before.time) !== dayName(message.time)) {
        nodes.push(h('p', { class: 'moment' }, `${dayName(message.time)} ${timeOfDay(message.time)}`));
      }
      nodes.push(bubble(message, before));
      before = message;
    }
    if (nodes.length === 0)
      nodes.push(
        h(
          'p',
          { class: 'thread-empty' },
          'No messages yet. What a business sends to this number appears here at once.',
        ),
      );
    thread.replaceChildren(...nodes);
  }

  function bubble(message, before) {
    const mine = message.direction === 'from_phone';
    const peer = mine ? message.to : message.from;
    const samePeer = before && before.direction === message.direction && (mine ? before.to : before.from) === peer;
    const failed = !mine && message.status !== 'delivered';
    const word = mine
      ? message.status === 'delivered'
        ? 'The business has it'
        : 'On its way'
      : failures[message.status];
    const last = message === bubbles.at(-1);
    return h(
      'div',
      { class: `bubble ${mine ? 'mine' : 'theirs'}${failed ? ' failed' : ''}`, title: exactTime(message.time) },
      samePeer ? '' : h('span', { class: 'bubble-peer' }, mine ? `To ${address(peer)}` : address(peer)),
      h('p', { class: 'bubble-text' }, ...linked(message.text)),
      failed || (mine && (last || message.status !== 'delivered')) ? h('span', { class: 'bubble-status' }, word) : '',
      message.parts > 1 ? h('span', { class: 'bubble-status' }, `${message.parts} parts`) : '',
    );
  }

  const atEnd = () => thread.scrollHeight - thread.scrollTop - thread.clientHeight < 80;

  function add(message) {
    const follow = atEnd();
    const known = bubbles.findIndex((other) => other.id === message.id);
    if (known >= 0) bubbles[known] = message;
    else {
      bubbles.push(message);
      bubbles.sort((a, b) => Number(a.id) - Number(b.id));
      const peer = message.direction === 'from_phone' ? message.to : message.from;
      drawSenders([peer, ...senders()]);
    }
    if (bubbles.length > mostBubbles && follow) {
      bubbles = bubbles.slice(-mostBubbles);
      next = bubbles[0].id;
    }
    draw();
    if (follow || message.direction === 'from_phone') thread.scrollTop = thread.scrollHeight;
  }

  async function read() {
    const wanted = digits;
    const page = await get(`phones/${digits}/messages?limit=${pageSize}`);
    if (wanted !== digits) return;
    bubbles = page.messages;
    next = page.next;
    drawSenders(page.senders);
    drawPhone(page.phone);
    draw();
    thread.scrollTop = thread.scrollHeight;
  }

  async function older() {
    const before = next;
    next = null;
    const wanted = digits;
    const page = await get(`phones/${digits}/messages?limit=${pageSize}&before=${before}`);
    if (wanted !== digits) return;
    const height = thread.scrollHeight;
    bubbles = [...page.messages, ...bubbles];
    next = page.next;
    draw();
    thread.scrollTop = thread.scrollHeight - height;
  }

  const offs = [
    on('message', (event) => event.digits === digits && add(event.message)),
    on('phone', (item) => item.digits === digits && drawPhone(item)),
    on('resync', () => digits && read()),
  ];

  return {
    show(wanted, tell) {
      told = tell;
      if (wanted === digits && wanted !== '') return;
      digits = wanted;
      if (!digits) {
        stage.replaceChildren(nothing);
        return;
      }
      bubbles = [];
      next = null;
      to.replaceChildren();
      switches.replaceChildren();
      text.value = '';
      other.value = '';
      fit();
      title.textContent = phoneNumber(digits);
      thread.replaceChildren();
      about.replaceChildren();
      stage.replaceChildren(device, about);
      read().catch((error) => toast(`This phone cannot be shown: ${error.message}.`));
    },
    leave() {
      clearInterval(ticking);
      for (const off of offs) off();
    },
  };
}
