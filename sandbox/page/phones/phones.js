/** The phones: a list with the latest activity first, and the open phone. */
import { get, on, request } from '../ui/api.js';
import { address, count, h, icon, phoneNumber, shortTime, toast } from '../ui/dom.js';
import { channelName, isChat } from './chat_bubble.js';
import { Handset } from './handset.js';
import { isUnseen, markSeen } from './seen.js';

const pageSize = 50;
const maxRows = 400;
const searchDelay = 150;
const stateLabels = { on: '', off: 'Off', out_of_reach: 'Out of reach', full: 'Full', reject: 'Rejects' };

class PhonesView {
  constructor(root) {
    this.root = root;
    this.rows = new Map();
    this.next = null;
    this.total = 0;
    this.open = '';
    this.loading = false;
    this.typing = undefined;
    this.search = h('input', {
      type: 'search',
      id: 'phone-search',
      placeholder: 'Search or enter a number',
      autocomplete: 'off',
      inputmode: 'tel',
      'aria-label': 'Search phones, or enter a number to open it',
      oninput: () => this.searchLater(),
    });
    this.list = h('ul', {
      class: 'phone-list',
      'aria-label': 'Phones, latest activity first',
      onkeydown: (event) => this.moveFocus(event),
    });
    this.foot = h('div', { class: 'list-foot' });
    this.head = h('p', { class: 'list-head' });
    const form = h(
      'form',
      { class: 'search', role: 'search', onsubmit: (event) => this.openNumber(event) },
      icon('search'),
      this.search,
      h('button', { class: 'visually-hidden' }, 'Open this number'),
    );
    const side = h('section', { class: 'phone-side', 'aria-label': 'Phones' }, form, this.head, this.list, this.foot);
    const stage = h('section', { class: 'stage', 'aria-label': 'Phone' });
    root.append(h('h1', { class: 'visually-hidden' }, 'Phones'), h('div', { class: 'phones' }, side, stage));
    this.handset = new Handset(stage);
    this.observer = new IntersectionObserver((entries) => {
      const isVisible = entries.some((entry) => entry.isIntersecting);
      if (isVisible && this.next && this.rows.size < maxRows) this.read(this.next);
    });
    this.observer.observe(this.foot);
    this.offs = [on('phone', (phone) => this.update(phone)), on('resync', () => this.read())];
    this.read();
  }

  show(argument) {
    const before = this.open;
    this.open = argument.replace(/\D/g, '');
    this.root.dataset.open = this.open ? 'true' : 'false';
    this.handset.show(this.open, (phone) => {
      markSeen(phone.digits, phone.last_message);
      if (this.rows.has(phone.digits)) this.replaceRow(phone);
    });
    this.rows.get(before)?.querySelector('a').removeAttribute('aria-current');
    this.rows.get(this.open)?.querySelector('a').setAttribute('aria-current', 'true');
  }

  leave() {
    for (const off of this.offs) off();
    this.observer.disconnect();
    this.handset.leave();
  }

  get typedDigits() {
    return this.search.value.replace(/\D/g, '');
  }

  searchLater() {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.read(), searchDelay);
  }

  moveFocus(event) {
    const sibling = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
    if (!sibling) return;
    event.preventDefault();
    event.target.closest('li')?.[sibling]?.querySelector('a')?.focus();
  }

  async openNumber(event) {
    event.preventDefault();
    const digits = this.typedDigits;
    if (!digits) return;
    try {
      await request('PUT', `phones/${digits}`, {});
      this.search.value = '';
      location.hash = `#/phones/${digits}`;
      this.read();
    } catch (error) {
      toast(`Cannot open ${this.search.value}: ${error.message}.`);
    }
  }

  async read(after) {
    if (this.loading && after) return;
    this.loading = true;
    const query = new URLSearchParams({ limit: String(pageSize), search: this.typedDigits });
    if (after) query.set('after', after);
    try {
      const page = await get(`phones?${query}`);
      if (!after) {
        this.rows.clear();
        this.list.replaceChildren();
      }
      this.next = page.next;
      this.total = page.total;
      for (const phone of page.phones) this.placeRow(phone, false);
      this.drawFoot();
    } finally {
      this.loading = false;
    }
  }

  /** Shows a phone with new activity at the top of the list. */
  update(phone) {
    if (!phone.digits.includes(this.typedDigits)) return;
    if (phone.digits === this.open) markSeen(phone.digits, phone.last_message);
    if (!this.rows.has(phone.digits)) this.total += 1;
    const isFirst = this.list.firstElementChild === this.rows.get(phone.digits);
    if (isFirst) this.replaceRow(phone);
    else this.placeRow(phone, true);
    while (this.rows.size > maxRows) this.dropLastRow();
    this.drawFoot();
  }

  drawFoot() {
    this.head.textContent = this.total === 0 ? '' : `${count(this.total)} ${this.total === 1 ? 'phone' : 'phones'}`;
    const digits = this.typedDigits;
    this.foot.replaceChildren();
    if (digits.length >= 3 && !this.rows.has(digits)) {
      const attributes = { type: 'button', class: 'button wide', onclick: (event) => this.openNumber(event) };
      this.foot.append(h('button', attributes, icon('phone'), `Open ${phoneNumber(digits)}`));
    } else if (this.rows.size === 0) {
      const text = 'No phones yet. Send a message to any number, or enter a number above.';
      this.foot.append(h('p', { class: 'empty' }, text));
    }
    if (this.rows.size >= maxRows && this.next) {
      const text = `${count(this.total - this.rows.size)} more. Search to find a phone.`;
      this.foot.append(h('p', { class: 'empty' }, text));
    }
  }

  placeRow(phone, onTop) {
    this.rows.get(phone.digits)?.remove();
    const row = this.drawRow(phone);
    this.rows.set(phone.digits, row);
    if (onTop) this.list.prepend(row);
    else this.list.append(row);
  }

  replaceRow(phone) {
    const old = this.rows.get(phone.digits);
    const hadFocus = old.contains(document.activeElement);
    const row = this.drawRow(phone);
    old.replaceWith(row);
    this.rows.set(phone.digits, row);
    if (hadFocus) row.querySelector('a').focus();
  }

  dropLastRow() {
    const last = this.list.lastElementChild;
    last.remove();
    for (const [digits, row] of this.rows) if (row === last) this.rows.delete(digits);
  }

  drawRow({ digits, state, magic, last_message: last }) {
    const isOpen = digits === this.open;
    const isUnread = !isOpen && isUnseen(digits, last);
    const author = last && (last.direction === 'from_phone' ? 'You' : address(last.from));
    return h(
      'li',
      { class: isUnread ? 'has-unread' : undefined },
      h(
        'a',
        { href: `#/phones/${digits}`, 'aria-current': isOpen ? 'true' : undefined },
        h('span', { class: 'row-number' }, phoneNumber(digits)),
        h('span', { class: 'row-time' }, last ? shortTime(last.time) : ''),
        h('span', { class: 'row-text' }, last ? `${author}: ${last.text}` : 'No messages'),
        h(
          'span',
          { class: 'row-marks' },
          state !== 'on' && h('span', { class: `mark mark-${state}` }, stateLabels[state]),
          last && isChat(last) && h('span', { class: `mark mark-${last.channel.toLowerCase()}` }, channelName(last)),
          magic && h('span', { class: 'mark mark-magic' }, magic),
          isUnread && h('span', { class: 'unread' }, h('span', { class: 'visually-hidden' }, 'Unread')),
        ),
      ),
    );
  }
}

export const phonesView = (root) => new PhonesView(root);
