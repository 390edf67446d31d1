/** The reply box of a phone: the business and channel to write to, the text, and a file for the apps. */
import { request, uploadFile } from '../ui/api.js';
import { address, h, icon, toast } from '../ui/dom.js';
import { channelName } from './chat_bubble.js';

/** Placeholders for the states in which a phone cannot send. */
const mutedPlaceholders = { off: 'Turn the phone on to write', out_of_reach: 'No service' };
const placeholders = { SMS: 'Text message', WHATSAPP: 'WhatsApp message', VIBER: 'Viber message' };

/** The value of an option in the list of peers, for example `SMS Parley` or `WHATSAPP 1234`. */
const optionValue = ({ channel, id }) => `${channel} ${id}`;
const isSamePeer = (a, b) => a.channel === b.channel && a.id === b.id;

function messagePeer(message) {
  const peer = message.direction === 'from_phone' ? message.to : message.from;
  return { channel: message.channel, peer, id: message.channel === 'SMS' ? peer : message.business_id };
}

export class ReplyBox {
  constructor({ digits, onSent }) {
    this.digits = digits;
    this.onSent = onSent;
    this.peers = [];
    this.state = 'on';
    this.to = h('select', { id: 'reply-to', onchange: () => this.changePeer() });
    this.other = h('input', {
      class: 'reply-other',
      'aria-label': 'Number or sender name to write to',
      placeholder: 'Number or name',
      maxlength: '21',
      autocomplete: 'off',
    });
    this.text = h('textarea', {
      rows: '1',
      maxlength: '2000',
      'aria-label': 'Reply text',
      onkeydown: (event) => this.sendOnEnter(event),
    });
    this.file = h('input', {
      type: 'file',
      class: 'visually-hidden',
      tabindex: '-1',
      'aria-hidden': 'true',
      onchange: () => this.sendFile(),
    });
    const clipAttributes = { type: 'button', class: 'icon-button small reply-clip', 'aria-label': 'Send a file' };
    this.clip = h('button', { ...clipAttributes, onclick: () => this.file.click() }, icon('clip'));
    this.sendButton = h('button', { class: 'reply-send', 'aria-label': 'Send' }, icon('send'));
    this.form = h(
      'form',
      { class: 'reply', onsubmit: (event) => this.send(event) },
      h('div', { class: 'reply-to' }, h('label', { for: 'reply-to' }, 'To'), this.to, this.other),
      h('div', { class: 'reply-line' }, this.clip, this.file, this.text, this.sendButton),
    );
  }

  /** Offers the peers of a thread. The peer of the last message comes first. */
  show({ senders, chats, messages }) {
    const all = [
      ...senders.map((peer) => ({ channel: 'SMS', peer, id: peer })),
      ...chats.map(({ channel, peer, business_id }) => ({ channel, peer, id: business_id })),
    ];
    const last = messages.at(-1) && messagePeer(messages.at(-1));
    const selected = this.to.value;
    this.peers = last ? [last, ...all.filter((peer) => !isSamePeer(peer, last))] : all;
    this.draw(selected || undefined);
  }

  /** Offers the peer of a new message without changing the selection. */
  add(message) {
    const peer = messagePeer(message);
    if (this.peers.some((other) => isSamePeer(other, peer))) return;
    this.peers = [peer, ...this.peers];
    this.draw(this.to.value || undefined);
  }

  clear() {
    this.peers = [];
    this.text.value = '';
    this.other.value = '';
    this.draw();
  }

  drawState(state) {
    this.state = state;
    this.drawChannel();
  }

  draw(selected) {
    const options = this.peers.map((option) => {
      const name = address(option.peer);
      const label = option.channel === 'SMS' ? name : `${name} (${channelName(option)})`;
      return h('option', { value: optionValue(option) }, label);
    });
    this.to.replaceChildren(...options, h('option', { value: '' }, 'Another number or sender'));
    const values = this.peers.map(optionValue);
    this.to.value = values.includes(selected) ? selected : (values[0] ?? '');
    this.drawChannel();
  }

  drawChannel() {
    const channel = this.selectedPeer?.channel ?? 'SMS';
    const isMuted = Object.hasOwn(mutedPlaceholders, this.state);
    this.other.hidden = this.selectedPeer !== undefined;
    this.clip.hidden = channel === 'SMS';
    this.form.dataset.channel = channel.toLowerCase();
    this.text.placeholder = mutedPlaceholders[this.state] ?? placeholders[channel];
    for (const control of [this.text, this.sendButton, this.clip]) control.disabled = isMuted;
  }

  get selectedPeer() {
    return this.peers.find((peer) => optionValue(peer) === this.to.value);
  }

  changePeer() {
    this.drawChannel();
    if (!this.other.hidden) this.other.focus();
  }

  sendOnEnter(event) {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.form.requestSubmit();
  }

  async send(event) {
    event.preventDefault();
    if (this.text.value.trim() === '') return;
    if (!this.selectedPeer && this.other.value.trim() === '') {
      toast('Enter a number or a sender name to write to.');
      this.other.focus();
      return;
    }
    await this.post({ text: this.text.value }).catch((error) => toast(`Message not sent: ${error.message}.`));
  }

  async sendFile() {
    const [file] = this.file.files;
    this.file.value = '';
    if (!file) return;
    try {
      const media_url = await uploadFile(file);
      await this.post({ media_url, ...(this.text.value.trim() && { text: this.text.value }) });
    } catch (error) {
      toast(`File not sent: ${error.message}.`);
    }
  }

  async post(content) {
    const peer = this.selectedPeer;
    const message = await request('POST', `phones/${this.digits()}/messages`, {
      channel: peer?.channel ?? 'SMS',
      to: peer?.id ?? this.other.value.trim(),
      ...content,
    });
    this.text.value = '';
    this.onSent(message);
    this.add(message);
    this.to.value = optionValue(messagePeer(message));
    this.drawChannel();
  }
}
