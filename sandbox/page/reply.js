// The box at the foot of a phone: whom it writes to and how (a text message, or a message of an app), the text, and a file for apps.
import { request, uploadFile } from './api.js';
import { channelName } from './chat_bubble.js';
import { address, h, icon, toast } from './dom.js';

const mute = { off: 'Switch the phone on to write', out_of_reach: 'No service' };
const placeholders = { SMS: 'Text message', WHATSAPP: 'WhatsApp message', VIBER: 'Viber message' };

/** `SMS Parley`, `WHATSAPP 1234`: a value of the list of peers. */
const optionValue = (channel, id) => `${channel} ${id}`;

/** The peer of a message as the list names it. */
export function peerOption(message) {
  const peer = message.direction === 'from_phone' ? message.to : message.from;
  return { channel: message.channel, peer, id: message.channel === 'SMS' ? peer : message.business_id };
}

export function replyBox({ digits, sent }) {
  let peers = [];
  let state = 'on';
  const to = h('select', { id: 'reply-to' });
  const other = h('input', {
    class: 'reply-other',
    'aria-label': 'Number or sender name to write to',
    placeholder: 'Number or name',
    maxlength: '21',
    autocomplete: 'off',
  });
  const text = h('textarea', { rows: '1', maxlength: '2000', 'aria-label': 'Text of the answer' });
  const file = h('input', { type: 'file', class: 'visually-hidden', tabindex: '-1', 'aria-hidden': 'true' });
  const clip = h(
    'button',
    {
      type: 'button',
      class: 'icon-button small reply-clip',
      'aria-label': 'Send a file',
      onclick: () => file.click(),
    },
    icon('clip'),
  );
  const sendButton = h('button', { class: 'reply-send', 'aria-label': 'Send' }, icon('send'));
  const form = h(
    'form',
    { class: 'reply', onsubmit: send },
    h('div', { class: 'reply-to' }, h('label', { for: 'reply-to' }, 'To'), to, other),
    h('div', { class: 'reply-line' }, clip, file, text, sendButton),
  );

  to.addEventListener('change', () => {
    drawChannel();
    if (!other.hidden) other.focus();
  });
  text.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  file.addEventListener('change', async () => {
    const [chosen] = file.files;
    file.value = '';
    if (!chosen) return;
    try {
      await post({ media_url: await uploadFile(chosen), ...(text.value.trim() && { text: text.value }) });
    } catch (error) {
      toast(`Not sent: ${error.message}.`);
    }
  });

  const chosen = () => peers.find(({ channel, id }) => optionValue(channel, id) === to.value);

  function drawChannel() {
    const peer = chosen();
    const channel = peer?.channel ?? 'SMS';
    const muted = Object.hasOwn(mute, state);
    other.hidden = peer !== undefined;
    clip.hidden = channel === 'SMS';
    form.dataset.channel = channel.toLowerCase();
    text.placeholder = mute[state] ?? placeholders[channel];
    for (const control of [text, sendButton, clip]) control.disabled = muted;
  }

  async function send(event) {
    event.preventDefault();
    if (text.value.trim() === '') return;
    if (!chosen() && other.value.trim() === '') {
      toast('Say which number or sender to write to.');
      other.focus();
      return;
    }
    try {
      await post({ text: text.value });
    } catch (error) {
      toast(`Not sent: ${error.message}.`);
    }
  }

  async function post(content) {
    const peer = chosen();
    const message = await request('POST', `phones/${digits()}/messages`, {
      channel: peer?.channel ?? 'SMS',
      to: peer?.id ?? other.value.trim(),
      ...content,
    });
    text.value = '';
    sent(message);
    add(message);
    to.value = optionValue(message.channel, peerOption(message).id);
    drawChannel();
  }

  function draw(wanted) {
    const options = peers.map(({ channel, peer, id }) => {
      const name = address(peer);
      return h(
        'option',
        { value: optionValue(channel, id) },
        channel === 'SMS' ? name : `${name} (${channelName({ channel })})`,
      );
    });
    to.replaceChildren(...options, h('option', { value: '' }, 'Another number or sender'));
    const known = peers.some(({ channel, id }) => optionValue(channel, id) === wanted);
    to.value = known ? wanted : peers[0] ? optionValue(peers[0].channel, peers[0].id) : '';
    drawChannel();
  }

  /** The peer of a message that came is offered first, and nothing that is chosen changes. */
  function add(message) {
    const peer = peerOption(message);
    if (peers.some(({ channel, id }) => channel === peer.channel && id === peer.id)) return;
    peers = [peer, ...peers];
    draw(to.value || undefined);
  }

  return {
    form,
    add,
    clear() {
      peers = [];
      text.value = '';
      other.value = '';
      draw();
    },
    /** The answer of a phone's thread: who wrote last is chosen. */
    show({ senders, chats, messages }) {
      const all = [
        ...senders.map((peer) => ({ channel: 'SMS', peer, id: peer })),
        ...chats.map(({ channel, peer, business_id }) => ({ channel, peer, id: business_id })),
      ];
      const last = messages.at(-1) && peerOption(messages.at(-1));
      const before = to.value;
      peers = last ? [last, ...all.filter(({ channel, id }) => channel !== last.channel || id !== last.id)] : all;
      draw(before || undefined);
    },
    drawState(now) {
      state = now;
      drawChannel();
    },
  };
}
