/**
 * The messages on a phone's screen: one page, older pages on scrolling up, new messages as they arrive. Only changed
 * nodes are updated, so that a screen reader announces only new messages.
 */
import { get } from '../ui/api.js';
import { address, dayName, exactTime, h, linked, timeOfDay } from '../ui/dom.js';
import { chatBubble, chatKey, isChat } from './chat_bubble.js';

const pageSize = 50;
const maxBubbles = 300;
const timestampGap = 15 * 60_000;
const failures = {
  waiting: 'Waiting for this phone',
  undelivered: 'Not delivered to this phone',
  expired: 'Expired before the phone was on',
  rejected: 'Rejected by this phone',
};

const messagePeer = (message) => (message.direction === 'from_phone' ? message.to : message.from);

const isSameSide = (a, b) =>
  a.direction === b.direction && messagePeer(a) === messagePeer(b) && a.channel === b.channel;

export class MessageThread {
  constructor() {
    this.digits = '';
    this.next = null;
    this.messages = [];
    this.drawn = new Map();
    this.box = h('div', {
      class: 'thread',
      role: 'log',
      'aria-label': 'Messages',
      tabindex: '0',
      onscroll: () => {
        if (this.box.scrollTop < 40 && this.next) this.readOlder();
      },
    });
  }

  clear() {
    this.digits = '';
    this.messages = [];
    this.next = null;
    this.draw();
  }

  /** Loads the newest page and returns it. Returns undefined if another phone was opened in the meantime. */
  async open(digits) {
    this.digits = digits;
    const page = await get(`phones/${digits}/messages?limit=${pageSize}`);
    if (digits !== this.digits) return undefined;
    this.messages = page.messages;
    this.next = page.next;
    this.draw();
    this.scrollToEnd();
    return page;
  }

  /** Adds a new message or updates one that changed. */
  add(message) {
    const { messages, box } = this;
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 80;
    const index = messages.findIndex((other) => other.id === message.id);
    if (index >= 0) messages[index] = message;
    else if (messages.length > 0 && this.next && Number(message.id) < Number(messages[0].id)) return;
    else {
      messages.push(message);
      messages.sort((a, b) => Number(a.id) - Number(b.id));
    }
    if (messages.length > maxBubbles && isAtEnd) {
      this.messages = messages.slice(-maxBubbles);
      this.next = this.messages[0].id;
    }
    this.draw();
    if (isAtEnd || (index < 0 && message.direction === 'from_phone')) this.scrollToEnd();
  }

  /** Adds a message that was just sent, unless the live stream has already shown it, possibly with a later status. */
  addSent(message) {
    if (!this.messages.some(({ id }) => id === message.id)) this.add(message);
  }

  async readOlder() {
    const { digits, next, box } = this;
    this.next = null;
    const page = await get(`phones/${digits}/messages?limit=${pageSize}&before=${next}`);
    if (digits !== this.digits) return;
    const height = box.scrollHeight;
    this.messages = [...page.messages, ...this.messages];
    this.next = page.next;
    this.draw();
    box.scrollTop = box.scrollHeight - height;
  }

  scrollToEnd() {
    this.box.scrollTop = this.box.scrollHeight;
  }

  draw() {
    const before = this.drawn;
    this.drawn = new Map();
    // A key contains everything that a node shows, so a node with the same key is reused.
    const reuse = (key, create) => {
      const node = before.get(key) ?? create();
      this.drawn.set(key, node);
      return node;
    };
    const nodes = this.messages.flatMap((message, index) => this.drawMessage(message, index, reuse));
    if (nodes.length === 0 && this.digits) {
      const text = 'No messages yet. Messages to this number appear here immediately.';
      nodes.push(reuse('empty', () => h('p', { class: 'thread-empty' }, text)));
    }
    const current = new Set(nodes);
    for (const node of [...this.box.childNodes]) if (!current.has(node)) node.remove();
    nodes.forEach((node, at) => {
      if (this.box.childNodes[at] !== node) this.box.insertBefore(node, this.box.childNodes[at] ?? null);
    });
  }

  /** The nodes of a message: a timestamp after a pause, and the bubble. */
  drawMessage(message, index, reuse) {
    const previous = this.messages[index - 1];
    const isLast = index === this.messages.length - 1;
    const nodes = [];
    if (!previous || needsTimestamp(previous, message)) {
      const moment = `${dayName(message.time)} ${timeOfDay(message.time)}`;
      nodes.push(reuse(`moment ${message.id} ${moment}`, () => h('p', { class: 'moment' }, moment)));
    }
    const continues = previous !== undefined && isSameSide(previous, message);
    const state = isChat(message) ? chatKey(message) : `${message.status} ${isLast}`;
    nodes.push(reuse(`${message.id} ${continues} ${state}`, () => bubble(message, continues, isLast)));
    return nodes;
  }
}

const needsTimestamp = (previous, message) =>
  Date.parse(message.time) - Date.parse(previous.time) > timestampGap ||
  dayName(previous.time) !== dayName(message.time);

function bubble(message, continues, isLast) {
  const isMine = message.direction === 'from_phone';
  const peer = continues ? '' : `${isMine ? 'To ' : ''}${address(messagePeer(message))}`;
  if (isChat(message)) return chatBubble(message, peer);
  const isDelivered = message.status === 'delivered';
  const hasFailed = !isMine && !isDelivered;
  const notes = [];
  if (hasFailed) notes.push(failures[message.status]);
  if (isMine && !isDelivered) notes.push('Sending');
  if (isMine && isDelivered && isLast) notes.push('Delivered to the business');
  if (message.parts > 1) notes.push(`${message.parts} parts`);
  return h(
    'div',
    {
      class: `bubble ${isMine ? 'mine' : 'theirs'}${hasFailed ? ` failed ${message.status}` : ''}`,
      title: exactTime(message.time),
    },
    peer ? h('span', { class: 'bubble-peer' }, peer) : '',
    h('p', { class: 'bubble-text' }, ...linked(message.text)),
    notes.length > 0 ? h('span', { class: 'bubble-status' }, notes.join(' · ')) : '',
  );
}
