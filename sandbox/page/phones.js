// The phones: a list with the latest activity first, and the one that is open.
import { get, on, request } from './api.js';
import { channelName, isChat } from './chat_bubble.js';
import { address, count, h, icon, phoneNumber, shortTime, toast } from './dom.js';
import { handset } from './handset.js';
import { markSeen, unseen } from './seen.js';

const pageSize = 50;
const mostRows = 400;
const stateWords = { on: '', off: 'Off', out_of_reach: 'Out of reach', full: 'Full', reject: 'Refuses' };

export function phonesView(root) {
  const rows = new Map();
  let next = null;
  let total = 0;
  let open = '';
  let reading = false;

  const search = h('input', {
    type: 'search',
    id: 'phone-search',
    placeholder: 'Search, or type any number',
    autocomplete: 'off',
    inputmode: 'tel',
    'aria-label': 'Search phones, or type any number to open it',
  });
  const list = h('ul', { class: 'phone-list', 'aria-label': 'Phones, latest activity first' });
  const foot = h('div', { class: 'list-foot' });
  const head = h('p', { class: 'list-head' });
  const form = h(
    'form',
    { class: 'search', role: 'search', onsubmit: openTyped },
    icon('search'),
    search,
    h('button', { class: 'visually-hidden' }, 'Open this number'),
  );
  const side = h('section', { class: 'phone-side', 'aria-label': 'Phones' }, form, head, list, foot);
  const stage = h('section', { class: 'stage', 'aria-label': 'Phone' });
  root.append(h('h1', { class: 'visually-hidden' }, 'Phones'), h('div', { class: 'phones' }, side, stage));
  const phone = handset(stage);

  const watched = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting) && next && rows.size < mostRows) read(next);
  });
  watched.observe(foot);

  let typing;
  search.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => read(), 150);
  });
  list.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
    if (!step) return;
    event.preventDefault();
    event.target.closest('li')?.[step]?.querySelector('a')?.focus();
  });

  async function openTyped(event) {
    event.preventDefault();
    const digits = search.value.replace(/\D/g, '');
    if (!digits) return;
    try {
      await request('PUT', `phones/${digits}`, {});
      search.value = '';
      location.hash = `#/phones/${digits}`;
      read();
    } catch (error) {
      toast(`${search.value} cannot be a phone: ${error.message}.`);
    }
  }

  async function read(after) {
    if (reading && after) return;
    reading = true;
    const query = new URLSearchParams({ limit: String(pageSize), search: search.value.replace(/\D/g, '') });
    if (after) query.set('after', after);
    try {
      const page = await get(`phones?${query}`);
      if (!after) {
        rows.clear();
        list.replaceChildren();
      }
      next = page.next;
      total = page.total;
      for (const item of page.phones) place(item, false);
      drawFoot();
    } finally {
      reading = false;
    }
  }

  function drawFoot() {
    head.textContent = total === 0 ? '' : `${count(total)} ${total === 1 ? 'phone' : 'phones'}`;
    const digits = search.value.replace(/\D/g, '');
    const typed = digits.length >= 3 && !rows.has(digits);
    foot.replaceChildren();
    if (typed) {
      foot.append(
        h(
          'button',
          { type: 'button', class: 'button wide', onclick: openTyped },
          icon('phone'),
          `Open ${phoneNumber(digits)}`,
        ),
      );
    } else if (rows.size === 0) {
      foot.append(
        h(
          'p',
          { class: 'empty' },
          'No phones yet. A phone appears here when a message is sent to its number, or when you type any number above.',
        ),
      );
    }
    if (rows.size >= mostRows && next) {
      foot.append(h('p', { class: 'empty' }, `${count(total - rows.size)} more. Search to find one.`));
    }
  }

  function place(item, onTop) {
    rows.get(item.digits)?.remove();
    const row = drawRow(item);
    rows.set(item.digits, row);
    if (onTop) list.prepend(row);
    else list.append(row);
  }

  function drawRow(item) {
    const last = item.last_message;
    const isOpen = item.digits === open;
    const fresh = !isOpen && unseen(item.digits, last);
    return h(
      'li',
      { class: fresh ? 'fresh' : undefined },
      h(
        'a',
        { href: `#/phones/${item.digits}`, 'aria-current': isOpen ? 'true' : undefined },
        h('span', { class: 'row-number' }, phoneNumber(item.digits)),
        h('span', { class: 'row-time' }, last ? shortTime(last.time) : ''),
        h(
          'span',
          { class: 'row-text' },
          last ? `${last.direction === 'from_phone' ? 'You: ' : `${address(last.from)}: `}${last.text}` : 'No messages',
        ),
        h(
          'span',
          { class: 'row-marks' },
          item.state !== 'on' && h('span', { class: `mark mark-${item.state}` }, stateWords[item.state]),
          last && isChat(last) && h('span', { class: `mark mark-${last.channel.toLowerCase()}` }, channelName(last)),
          item.magic && h('span', { class: 'mark mark-magic' }, item.magic),
          fresh && h('span', { class: 'unread' }, h('span', { class: 'visually-hidden' }, 'Unread')),
        ),
      ),
    );
  }

  const offs = [
    on('phone', (item) => {
      const filter = search.value.replace(/\D/g, '');
      if (!item.digits.includes(filter)) return;
      if (item.digits === open) markSeen(item.digits, item.last_message);
      if (!rows.has(item.digits)) total += 1;
      const newest = list.firstElementChild === rows.get(item.digits);
      if (newest) replaceInPlace(item);
      else place(item, true);
      while (rows.size > mostRows) dropLast();
      drawFoot();
    }),
    on('resync', () => read()),
  ];

  function replaceInPlace(item) {
    const old = rows.get(item.digits);
    const focused = old.contains(document.activeElement);
    const row = drawRow(item);
    old.replaceWith(row);
    rows.set(item.digits, row);
    if (focused) row.querySelector('a').focus();
  }

  function dropLast() {
    const last = list.lastElementChild;
    last.remove();
    for (const [digits, row] of rows) if (row === last) rows.delete(digits);
  }

  read();
  return {
    show(digits) {
      const before = open;
      open = digits.replace(/\D/g, '');
      root.dataset.open = open ? 'true' : 'false';
      phone.show(open, (item) => {
        markSeen(item.digits, item.last_message);
        if (rows.has(item.digits)) replaceInPlace(item);
      });
      rows.get(before)?.querySelector('a').removeAttribute('aria-current');
      rows.get(open)?.querySelector('a').setAttribute('aria-current', 'true');
    },
    leave() {
      for (const off of offs) off();
      watched.disconnect();
      phone.leave();
    },
  };
}
