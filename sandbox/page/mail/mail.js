/**
 * The mailbox: every email received over SMTP, newest first, and the open email. HTML is shown in a frame without
 * scripts.
 */
import { get, on, request } from '../ui/api.js';
import { count, h, icon, shortTime, toast } from '../ui/dom.js';
import { MailPane } from './mail_pane.js';

const pageSize = 50;
const searchDelay = 150;

class MailView {
  constructor(root) {
    this.root = root;
    this.open = '';
    this.next = null;
    this.rows = new Map();
    this.typing = undefined;
    this.search = h('input', {
      type: 'search',
      placeholder: 'Address',
      autocomplete: 'off',
      'aria-label': 'Search by recipient address',
      oninput: () => this.searchLater(),
    });
    this.head = h('p', { class: 'list-head' });
    this.list = h('ul', { class: 'mail-list', 'aria-label': 'Emails, newest first' });
    const moreAttributes = { type: 'button', class: 'button wide', hidden: true, onclick: () => this.read(this.next) };
    this.more = h('button', moreAttributes, 'Show older');
    const clearAttributes = { type: 'button', class: 'button quiet', onclick: () => this.clear() };
    this.clearButton = h('button', clearAttributes, 'Delete all');
    const side = h(
      'section',
      { class: 'mail-side', 'aria-label': 'Emails' },
      h('div', { class: 'search' }, icon('search'), this.search),
      h('div', { class: 'list-bar' }, this.head, this.clearButton),
      this.list,
      h('div', { class: 'list-foot' }, this.more),
    );
    this.pane = new MailPane();
    root.append(h('h1', { class: 'visually-hidden' }, 'Mailbox'), h('div', { class: 'mail' }, side, this.pane.node));
    this.offs = [on('mail', () => this.read()), on('resync', () => this.read())];
    this.read().catch((error) => toast(`Cannot load the mailbox: ${error.message}.`));
  }

  show(id) {
    this.rows.get(this.open)?.querySelector('a').removeAttribute('aria-current');
    this.open = id;
    this.root.dataset.open = id ? 'true' : 'false';
    this.rows.get(id)?.querySelector('a').setAttribute('aria-current', 'true');
    if (id) this.openMail(id);
    else this.pane.drawEmpty();
  }

  leave() {
    for (const off of this.offs) off();
  }

  searchLater() {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.read(), searchDelay);
  }

  async read(before) {
    const query = new URLSearchParams({ limit: String(pageSize), to: this.search.value.trim() });
    if (before) query.set('before', before);
    const page = await get(`mail?${query}`);
    if (!before) {
      this.rows.clear();
      this.list.replaceChildren();
    }
    for (const mail of page.mail) this.list.append(this.drawRow(mail));
    this.next = page.next;
    this.more.hidden = page.next === null;
    this.clearButton.hidden = page.total === 0;
    this.head.textContent = page.total === 0 ? '' : `${count(page.total)} ${page.total === 1 ? 'email' : 'emails'}`;
    if (this.rows.size === 0) {
      const text = this.search.value.trim()
        ? 'No emails to this address. Clear the search to see all emails.'
        : 'No emails yet. Every email sent to the sandbox’s SMTP port appears here.';
      this.list.append(h('li', { class: 'empty' }, text));
    }
  }

  drawRow(mail) {
    const row = h(
      'li',
      {},
      h(
        'a',
        { href: `#/mail/${mail.id}`, 'aria-current': mail.id === this.open ? 'true' : undefined },
        h('span', { class: 'row-number' }, mail.to.join(', ') || 'No recipient'),
        h('span', { class: 'row-time' }, shortTime(mail.time)),
        h('span', { class: 'row-subject' }, mail.subject || 'No subject'),
        h('span', { class: 'row-text' }, mail.preview),
      ),
    );
    this.rows.set(mail.id, row);
    return row;
  }

  async clear() {
    if (!confirm('Delete all emails in the sandbox?')) return;
    await request('DELETE', 'mail');
    location.hash = '#/mail';
  }

  async openMail(id) {
    try {
      const mail = await get(`mail/${encodeURIComponent(id)}`);
      if (id === this.open) this.pane.draw(mail);
    } catch (error) {
      this.pane.drawError(`Cannot load this email: ${error.message}.`);
    }
  }
}

export const mailView = (root) => new MailView(root);
