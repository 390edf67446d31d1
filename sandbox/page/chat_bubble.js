// What a message of WhatsApp or Viber shows: header, file, text, footer and buttons, which can be pressed as on a phone.
import { request } from './api.js';
import { copyButton, exactTime, h, icon, linked, phoneNumber, toast } from './dom.js';
import { marked } from './marks.js';

const channelNames = { WHATSAPP: 'WhatsApp', VIBER: 'Viber' };
const onTheWay = { accepted: 'On its way', sent: 'Waiting for this phone' };
const buttonIcons = { quick_reply: 'answer', url: 'open', phone_call: 'call' };

export const channelName = (message) => channelNames[message.channel] ?? 'SMS';
export const isChat = (message) => message.channel !== 'SMS';

/** Everything the bubble shows, so that equal keys are equal bubbles. */
export const chatKey = (message) => JSON.stringify([message.status, message.pressed, message.content.media?.url]);

export function chatBubble(message, peer) {
  const mine = message.direction === 'from_phone';
  const failed = message.status === 'failed';
  const { content } = message;
  return h(
    'div',
    {
      class: `bubble chat ${message.channel.toLowerCase()} ${mine ? 'mine' : 'theirs'}${failed ? ' failed' : ''}`,
      title: exactTime(message.time),
    },
    peer ? h('span', { class: 'bubble-peer' }, h('b', {}, channelName(message)), ` ${peer}`) : '',
    h(
      'div',
      { class: 'chat-card' },
      message.reply_to && content.kind !== 'button' && h('p', { class: 'chat-quote' }, 'Answers a message'),
      body(content, message.channel),
      buttons(message),
    ),
    ...(content.cards ?? []).map((card) =>
      h('div', { class: 'chat-card' }, media('image', card.media), h('p', {}, card.text), buttonRows(card.buttons, [])),
    ),
    h('span', { class: 'bubble-status' }, ...statusOf(message)),
  );
}

function body(content, channel) {
  const { kind, text, caption, header, footer, location } = content;
  if (kind === 'sticker' && content.media)
    return h('img', { class: 'chat-sticker', src: content.media.url, alt: 'Sticker' });
  const words = text || caption;
  return [
    media(kind, content.media),
    location && place(location),
    header && h('p', { class: 'chat-header' }, header),
    words && h('p', { class: `chat-text${kind === 'reaction' ? ' reaction' : ''}` }, ...wordsOn(channel, words)),
    kind === 'reaction' && !words && h('p', { class: 'chat-text' }, 'Reaction taken back'),
    kind === 'unsupported' && h('p', { class: 'chat-text' }, 'Something the business cannot be told'),
    footer && h('p', { class: 'chat-footer' }, footer),
  ];
}

// An address is what it is; around it WhatsApp reads its marks.
const wordsOn = (channel, text) =>
  linked(text).flatMap((part) => (channel === 'WHATSAPP' && typeof part === 'string' ? marked(part) : [part]));

function media(kind, file) {
  if (!file) return '';
  const { url, mime, file_name, size } = file;
  if (mime.startsWith('image/') || (kind === 'image' && !mime)) {
    return h('a', { href: url, target: '_blank', rel: 'noopener' }, h('img', { src: url, alt: file_name || 'Photo' }));
  }
  if (mime.startsWith('video/') || kind === 'video') {
    return h('video', { src: url, controls: true, preload: 'metadata', 'aria-label': file_name || 'Video' });
  }
  if (mime.startsWith('audio/')) return h('audio', { src: url, controls: true, 'aria-label': 'Voice message' });
  return h(
    'a',
    { class: 'chat-file', href: url, target: '_blank', rel: 'noopener' },
    icon('file'),
    h('span', {}, h('b', {}, file_name || 'Document'), h('small', {}, [mime, bytes(size)].filter(Boolean).join(', '))),
  );
}

function bytes(size) {
  if (!size) return '';
  if (size < 1024) return `${size} bytes`;
  return size < 1024 * 1024 ? `${Math.round(size / 1024)} KB` : `${(size / 1024 / 1024).toFixed(1)} MB`;
}

const place = ({ latitude, longitude, name, address }) =>
  h(
    'p',
    { class: 'chat-file' },
    icon('pin'),
    h('span', {}, h('b', {}, name || 'Location'), h('small', {}, address || `${latitude}, ${longitude}`)),
  );

function buttons(message) {
  const { buttons: all = [], list_title } = message.content;
  if (all.length === 0) return '';
  const act = (at, opened) => press(message, at, opened);
  const rows = buttonRows(all, message.pressed ?? [], act, message.channel === 'VIBER');
  if (!list_title) return rows;
  return h('details', { class: 'chat-list' }, h('summary', {}, icon('list'), list_title), rows);
}

/** `written`: that an address was opened is written down on the message. */
function buttonRows(all, pressed, act, written = false) {
  if (all.length === 0) return '';
  return h(
    'div',
    { class: 'chat-buttons' },
    ...all.map((button, at) => {
      const { type, text, value, description } = button;
      const words = [h('span', {}, text, description && h('small', {}, description))];
      if (type === 'url') {
        return h(
          'a',
          {
            href: value,
            target: '_blank',
            rel: 'noopener noreferrer',
            title: value,
            onclick: written ? () => void act(at, true) : undefined,
          },
          icon(pressed.includes(at) ? 'check' : 'open'),
          ...words,
        );
      }
      if (type === 'copy_code')
        return h('span', { class: 'chat-code' }, ...words, h('code', {}, value), copyButton(value, `Copy ${value}`));
      if (type === 'phone_call') {
        const call = () => toast(`A real phone would call ${phoneNumber(value.replace(/\D/g, ''))}.`);
        return h('button', { type: 'button', onclick: call }, icon(buttonIcons[type]), ...words);
      }
      const attributes = { type: 'button', disabled: !act || pressed.includes(at), onclick: () => act(at) };
      return h('button', attributes, icon('answer'), ...words);
    }),
  );
}

async function press(message, at, opened = false) {
  try {
    await request('POST', `phones/${message.to}/messages`, {
      channel: message.channel,
      press: { message_id: message.id, button: at, ...(opened && { opened }) },
    });
  } catch (error) {
    toast(`Not pressed: ${error.message}.`);
  }
}

function statusOf({ direction, status, error }) {
  if (direction === 'from_phone') {
    if (status === 'waiting') return [icon('clock'), 'On its way'];
    const read = status === 'read';
    return [
      h('span', { class: read ? 'ticks read' : 'ticks' }, icon('ticks')),
      read ? 'Read by the business' : 'The business has it',
    ];
  }
  if (status === 'failed') return [error ? `Failed: ${error.code} ${error.title}` : 'Failed'];
  if (onTheWay[status]) return [icon('check'), onTheWay[status]];
  const read = status === 'read';
  return [h('span', { class: read ? 'ticks read' : 'ticks' }, icon('ticks')), read ? 'Read' : 'Delivered'];
}
