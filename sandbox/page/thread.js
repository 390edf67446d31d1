// The messages on a phone's screen: a page of them, older ones on scrolling up, new ones as they come. Only what changed is
// touched, so that a screen reader hears a new message and nothing else.
import { get } from './api.js';
import { chatBubble, chatKey, isChat } from './chat_bubble.js';
import { address, dayName, exactTime, h, linked, timeOfDay } from './dom.js';

const pageSize = 50;
const mostBubbles = 300;
const gapOfTime = 15 * 60_000;
const failures = {
  waiting: 'Waiting for the phone',
  undelivered: 'Not delivered to this phone',
  expired: 'Expired before the phone was on',
  rejected: 'Rejected by this phone',
};

const peerOf = (message) => (message.direction === 'from_phone' ? message.to : message.from);

export function messageThread() {
  const box = h('div', { class: 'thread', role: 'log', 'aria-label': 'Messages', tabindex: '0' });
  let digits = '';
  let next = null;
  let messages = [];
  let drawn = new Map();

  box.addEventListener('scroll', () => {
    if (box.scrollTop < 40 && next) older();
  });

  const atEnd = () => box.scrollHeight - box.scrollTop - box.clientHeight < 80;
  const toEnd = () => {
    box.scrollTop = box.scrollHeight;
  };

  function draw() {
    const before = drawn;
    drawn = new Map();
    // Equal keys are equal nodes: the key says everything the node shows.
    const keep = (key, make) => {
      const node = before.get(key) ?? make();
      drawn.set(key, node);
      return node;
    };
    const nodes = [];
    let last;
    for (const message of messages) {
      const gap = last && Date.parse(message.time) - Date.parse(last.time) > gapOfTime;
      if (!last || gap || dayName(last.time) !== dayName(message.time)) {
        const moment = `${dayName(message.time)} ${timeOfDay(message.time)}`;
        nodes.push(keep(`moment ${message.id} ${moment}`, () => h('p', { class: 'moment' }, moment)));
      }
      const samePeer =
        last &&
        last.direction === message.direction &&
        peerOf(last) === peerOf(message) &&
        last.channel === message.channel;
      const newest = message === messages.at(-1);
      const look = isChat(message) ? chatKey(message) : `${message.status} ${newest}`;
      const key = `${message.id} ${samePeer} ${look}`;
      const previous = last;
      nodes.push(keep(key, () => bubble(message, samePeer && previous, newest)));
      last = message;
    }
    if (nodes.length === 0 && digits) {
      const words = 'No messages yet. What a business sends to this number appears here at once.';
      nodes.push(keep('empty', () => h('p', { class: 'thread-empty' }, words)));
    }
    const wanted = new Set(nodes);
    for (const node of [...box.childNodes]) if (!wanted.has(node)) node.remove();
    nodes.forEach((node, at) => {
      if (box.childNodes[at] !== node) box.insertBefore(node, box.childNodes[at] ?? null);
    });
  }

  function bubble(message, samePeer, newest) {
    const mine = message.direction === 'from_phone';
    const failed = !mine && message.status !== 'delivered';
    const peer = `${mine ? 'To ' : ''}${address(peerOf(message))}`;
    if (isChat(message)) return chatBubble(message, samePeer ? '' : peer);
    const notes = [];
    if (failed) notes.push(failures[message.status]);
    if (mine && message.status !== 'delivered') notes.push('On its way');
    if (mine && message.status === 'delivered' && newest) notes.push('The business has it');
    if (message.parts > 1) notes.push(`${message.parts} parts`);
    const state = failed ? ` failed ${message.status}` : '';
    return h(
      'div',
      { class: `bubble ${mine ? 'mine' : 'theirs'}${state}`, title: exactTime(message.time) },
      samePeer ? '' : h('span', { class: 'bubble-peer' }, peer),
      h('p', { class: 'bubble-text' }, ...linked(message.text)),
      notes.length > 0 ? h('span', { class: 'bubble-status' }, notes.join(' · ')) : '',
    );
  }

  async function older() {
    const wanted = digits;
    const before = next;
    next = null;
    const page = await get(`phones/${wanted}/messages?limit=${pageSize}&before=${before}`);
    if (wanted !== digits) return;
    const height = box.scrollHeight;
    messages = [...page.messages, ...messages];
    next = page.next;
    draw();
    box.scrollTop = box.scrollHeight - height;
  }

  return {
    box,
    clear() {
      digits = '';
      messages = [];
      next = null;
      draw();
    },
    /** Reads the newest page; gives back the answer, or nothing when another phone was opened meanwhile. */
    async open(wanted) {
      digits = wanted;
      const page = await get(`phones/${wanted}/messages?limit=${pageSize}`);
      if (wanted !== digits) return undefined;
      messages = page.messages;
      next = page.next;
      draw();
      toEnd();
      return page;
    },
    /** A new message, or one whose status changed. */
    add(message) {
      const follow = atEnd();
      const known = messages.findIndex((other) => other.id === message.id);
      if (known >= 0) messages[known] = message;
      else if (messages.length > 0 && next && Number(message.id) < Number(messages[0].id)) return;
      else {
        messages.push(message);
        messages.sort((a, b) => Number(a.id) - Number(b.id));
      }
      if (messages.length > mostBubbles && follow) {
        messages = messages.slice(-mostBubbles);
        next = messages[0].id;
      }
      draw();
      if (follow || (known < 0 && message.direction === 'from_phone')) toEnd();
    },
  };
}
