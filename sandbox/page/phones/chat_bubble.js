/** The bubble of a WhatsApp or Viber message: header, file, text, footer and buttons that can be pressed. */
import { request } from '../ui/api.js';
import { copyButton, count, exactTime, h, icon, linked, phoneNumber, toast } from '../ui/dom.js';
import { formatText } from './formatting.js';

const channelNames = { WHATSAPP: 'WhatsApp', VIBER: 'Viber' };
const pendingLabels = { accepted: 'Accepted', sent: 'Waiting for this phone' };
const buttonIcons = { quick_reply: 'reply', url: 'open', phone_call: 'call' };

export const channelName = (message) => channelNames[message.channel] ?? 'SMS';
export const isChat = (message) => message.channel !== 'SMS';

/** A key computed from the changing parts of a bubble: a bubble with the same key is reused. */
export const chatKey = (message) => JSON.stringify([message.status, message.pressed, message.content.media?.url]);

export function chatBubble(message, peer) {
  const isMine = message.direction === 'from_phone';
  const hasFailed = message.status === 'failed';
  const { content } = message;
  return h(
    'div',
    {
      class: `bubble chat ${message.channel.toLowerCase()} ${isMine ? 'mine' : 'theirs'}${hasFailed ? ' failed' : ''}`,
      title: exactTime(message.time),
    },
    peer ? h('span', { class: 'bubble-peer' }, h('b', {}, channelName(message)), ` ${peer}`) : '',
    h(
      'div',
      { class: 'chat-card' },
      message.reply_to && content.kind !== 'button' && h('p', { class: 'chat-quote' }, 'Reply to a message'),
      body(content, message.channel),
      buttons(message),
    ),
    ...(content.cards ?? []).map((card) =>
      h('div', { class: 'chat-card' }, media('image', card.media), h('p', {}, card.text), buttonRows(card.buttons, [])),
    ),
    h('span', { class: 'bubble-status' }, ...statusNodes(message)),
  );
}

function body(content, channel) {
  const { kind, text, caption, header, footer, location, contacts = [] } = content;
  if (kind === 'sticker' && content.media)
    return h('img', { class: 'chat-sticker', src: content.media.url, alt: 'Sticker' });
  const bodyText = text || caption;
  return [
    media(kind, content.media),
    location && place(location),
    ...contacts.map(contactCard),
    header && h('p', { class: 'chat-header' }, header),
    bodyText &&
      h('p', { class: `chat-text${kind === 'reaction' ? ' reaction' : ''}` }, ...textNodes(channel, bodyText)),
    kind === 'reaction' && !bodyText && h('p', { class: 'chat-text' }, 'Reaction removed'),
    kind === 'unsupported' && h('p', { class: 'chat-text' }, 'Message type not supported by the business'),
    footer && h('p', { class: 'chat-footer' }, footer),
  ];
}

/** Links stay unchanged; WhatsApp formatting applies to the text between them. */
const textNodes = (channel, text) =>
  linked(text).flatMap((part) => (channel === 'WHATSAPP' && typeof part === 'string' ? formatText(part) : [part]));

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
    h(
      'span',
      {},
      h('b', {}, file_name || 'Document'),
      h('small', {}, [mime, formatSize(size)].filter(Boolean).join(', ')),
    ),
  );
}

function formatSize(size) {
  if (!size) return '';
  if (size < 1024) return `${count(size)} bytes`;
  return size < 1024 * 1024 ? `${count(Math.round(size / 1024))} KB` : `${(size / 1024 / 1024).toFixed(1)} MB`;
}

const place = ({ latitude, longitude, name, address }) =>
  h(
    'p',
    { class: 'chat-file' },
    icon('pin'),
    h('span', {}, h('b', {}, name || 'Location'), h('small', {}, address || `${latitude}, ${longitude}`)),
  );

const contactCard = ({ name, phones, emails }) =>
  h(
    'p',
    { class: 'chat-file' },
    icon('person'),
    h('span', {}, h('b', {}, name), h('small', {}, [...phones, ...emails].join(', '))),
  );

function buttons(message) {
  const { buttons: all = [], list_title } = message.content;
  if (all.length === 0) return '';
  const onPress = (at, opened) => press(message, at, opened);
  const rows = buttonRows(all, message.pressed ?? [], onPress, message.channel === 'VIBER');
  if (!list_title) return rows;
  return h('details', { class: 'chat-list' }, h('summary', {}, icon('list'), list_title), rows);
}

/** With `recordsOpening`, opening a button's URL is recorded with the message. */
function buttonRows(all, pressed, onPress, recordsOpening = false) {
  if (all.length === 0) return '';
  return h(
    'div',
    { class: 'chat-buttons' },
    ...all.map((button, at) => {
      const { type, text, value, description } = button;
      const label = [h('span', {}, text, description && h('small', {}, description))];
      if (type === 'url') {
        return h(
          'a',
          {
            href: value,
            target: '_blank',
            rel: 'noopener noreferrer',
            title: value,
            onclick: recordsOpening ? () => void onPress(at, true) : undefined,
          },
          icon(pressed.includes(at) ? 'check' : 'open'),
          ...label,
        );
      }
      if (type === 'copy_code')
        return h('span', { class: 'chat-code' }, ...label, h('code', {}, value), copyButton(value, `Copy ${value}`));
      if (type === 'phone_call') {
        const call = () => toast(`A real phone would call ${phoneNumber(value.replace(/\D/g, ''))}.`);
        return h('button', { type: 'button', onclick: call }, icon(buttonIcons[type]), ...label);
      }
      const attributes = { type: 'button', disabled: !onPress || pressed.includes(at), onclick: () => onPress(at) };
      return h('button', attributes, icon('reply'), ...label);
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
    toast(`Button not pressed: ${error.message}.`);
  }
}

function statusNodes({ direction, status, error }) {
  if (direction === 'from_phone') {
    if (status === 'waiting') return [icon('clock'), 'Sending'];
    const read = status === 'read';
    return [
      h('span', { class: read ? 'ticks read' : 'ticks' }, icon('ticks')),
      read ? 'Read by the business' : 'Delivered to the business',
    ];
  }
  if (status === 'failed') return [error ? `Failed: ${error.code} ${error.title}` : 'Failed'];
  if (pendingLabels[status]) return [icon('check'), pendingLabels[status]];
  const read = status === 'read';
  return [h('span', { class: read ? 'ticks read' : 'ticks' }, icon('ticks')), read ? 'Read' : 'Delivered'];
}
