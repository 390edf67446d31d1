/** One phone: its screen with the thread and the reply box, and the settings beside it. */
import { get, on, request } from '../ui/api.js';
import { address, copyButton, h, icon, phoneNumber, timeOfDay, toast } from '../ui/dom.js';
import { ownerPanel } from './owner.js';
import { ReplyBox } from './reply.js';
import { MessageThread } from './thread.js';
import { blocksPanel } from './viber_blocks.js';

const states = [
  ['on', 'On', 'Receives messages and confirms them.'],
  ['off', 'Off', 'Messages wait, then expire.'],
  ['out_of_reach', 'Out of reach', 'SMS: UNDELIV. App messages wait.'],
  ['full', 'Full', 'SMS: refused or UNDELIV. App messages wait.'],
  ['reject', 'Reject', 'SMS: REJECTD. App messages fail.'],
];
const banners = {
  off: 'This phone is off. Messages wait until it is on or expire.',
  out_of_reach: 'No service. SMS messages fail, and the phone cannot send.',
  full: 'The memory is full. The phone cannot receive messages.',
  reject: 'This phone rejects every message.',
};
const typingDuration = 25_000;

export class Handset {
  constructor(stage) {
    this.stage = stage;
    this.digits = '';
    this.onPhone = () => {};
    this.typingTimer = undefined;
    const digits = () => this.digits;
    const onPhone = (phone) => this.drawPhone(phone);
    this.thread = new MessageThread();
    this.reply = new ReplyBox({ digits, onSent: (message) => this.thread.addSent(message) });
    this.owner = ownerPanel({ digits, onPhone });
    this.blocks = blocksPanel({ digits, onPhone });
    this.banner = h('p', { class: 'phone-banner' });
    this.typing = h('p', { class: 'typing', role: 'status', hidden: true });
    this.title = h('h2', { class: 'phone-title' });
    this.clock = h('span', { class: 'phone-clock' });
    this.device = this.createDevice();
    this.number = h('div', { class: 'about-number' });
    this.notes = h('div', { class: 'about-notes' });
    this.switches = this.createSwitches();
    this.about = h(
      'aside',
      { class: 'about-phone', 'aria-label': 'Phone settings' },
      this.number,
      this.switches,
      this.owner.panel,
      this.blocks.panel,
      this.notes,
    );
    this.clockTimer = setInterval(() => this.drawClock(), 10_000);
    this.drawClock();
    this.offs = [
      on('message', (event) => event.digits === this.digits && this.addMessage(event.message)),
      on('typing', (event) => event.digits === this.digits && this.drawTyping(event)),
      on('phone', (phone) => phone.digits === this.digits && this.drawPhone(phone)),
      on('resync', () => this.digits && this.read()),
    ];
  }

  /** Shows the phone with these digits, or a hint when they are empty. Calls back whenever the phone changes. */
  show(digits, onPhone) {
    this.onPhone = onPhone;
    if (digits === this.digits && digits !== '') return;
    this.digits = digits;
    this.thread.clear();
    if (!digits) {
      this.stage.replaceChildren(emptyStage());
      return;
    }
    this.reply.clear();
    this.typing.hidden = true;
    this.banner.hidden = true;
    this.title.textContent = phoneNumber(digits);
    this.number.replaceChildren(h('h3', {}, phoneNumber(digits)), copyButton(digits, 'Copy the number'));
    this.notes.replaceChildren();
    this.stage.replaceChildren(this.device, this.about);
    this.read().catch((error) => toast(`Cannot load this phone: ${error.message}.`));
  }

  leave() {
    clearInterval(this.clockTimer);
    clearTimeout(this.typingTimer);
    for (const off of this.offs) off();
  }

  async read() {
    const page = await this.thread.open(this.digits);
    if (!page) return;
    this.reply.show(page);
    this.drawPhone(page.phone);
  }

  addMessage(message) {
    this.thread.add(message);
    this.reply.add(message);
    this.typing.hidden = true;
  }

  async setState(state) {
    try {
      this.drawPhone(await request('PUT', `phones/${this.digits}`, { state }));
    } catch (error) {
      toast(`State not changed: ${error.message}.`);
      this.drawPhone((await get(`phones/${this.digits}/messages?limit=1`)).phone);
    }
  }

  drawPhone(phone) {
    this.title.textContent = phoneNumber(phone.digits);
    this.device.dataset.state = phone.state;
    this.banner.textContent = banners[phone.state] ?? '';
    this.banner.hidden = phone.state === 'on';
    this.reply.drawState(phone.state);
    this.owner.draw(phone);
    this.blocks.draw(phone).catch(() => {});
    for (const input of this.switches.querySelectorAll('input')) input.checked = input.value === phone.state;
    const notes = [];
    if (phone.magic) {
      const link = h('a', { href: '#/magic' }, 'See what it does');
      notes.push(h('p', { class: 'note' }, h('strong', {}, `Magic number: ${phone.magic}. `), link));
    }
    if (phone.waiting > 0) {
      const text = phone.waiting === 1 ? '1 message is waiting' : `${phone.waiting} messages are waiting`;
      notes.push(h('p', { class: 'note' }, `${text} for this phone.`));
    }
    this.notes.replaceChildren(...notes);
    this.onPhone(phone);
  }

  drawTyping({ peer }) {
    clearTimeout(this.typingTimer);
    this.typing.textContent = `${address(peer)} is typing`;
    this.typing.hidden = false;
    this.typingTimer = setTimeout(() => {
      this.typing.hidden = true;
    }, typingDuration);
  }

  drawClock() {
    this.clock.textContent = timeOfDay(new Date().toISOString());
  }

  createDevice() {
    const bars = ['i', 'i', 'i', 'i', 'b'].map((tag) => h(tag));
    const back = { class: 'icon-button back', href: '#/phones', 'aria-label': 'Back to the list of phones' };
    return h(
      'div',
      { class: 'device' },
      h(
        'div',
        { class: 'screen' },
        h(
          'div',
          { class: 'status-bar', 'aria-hidden': 'true' },
          this.clock,
          h('span', { class: 'island' }),
          h('span', { class: 'signal' }, ...bars),
        ),
        h('div', { class: 'phone-head' }, h('a', back, icon('back')), this.title),
        this.banner,
        this.thread.box,
        this.typing,
        this.reply.form,
        h('span', { class: 'home-bar', 'aria-hidden': 'true' }),
      ),
    );
  }

  createSwitches() {
    return h(
      'fieldset',
      { class: 'switches' },
      h('legend', {}, 'State'),
      ...states.map(([state, name, effect]) =>
        h(
          'label',
          { class: 'switch' },
          h('input', { type: 'radio', name: 'state', value: state, onchange: () => this.setState(state) }),
          h('span', {}, h('strong', {}, name), h('small', {}, effect)),
        ),
      ),
    );
  }
}

const emptyStage = () =>
  h(
    'div',
    { class: 'stage-empty' },
    h(
      'div',
      { class: 'device device-ghost', 'aria-hidden': 'true' },
      h('div', { class: 'ghost' }, h('i'), h('i'), h('i')),
    ),
    h('h2', { class: 'title' }, 'Select a phone'),
    h('p', {}, 'Select a phone from the list, or enter any number to open a phone that can receive and reply.'),
  );
