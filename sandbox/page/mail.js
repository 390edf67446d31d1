// The mailbox: every mail taken by SMTP, newest first, and the one that is open. HTML is shown in a frame that runs nothing.
import { get, on, request } from './api.js';
import { copyButton, count, exactTime, h, icon, shortTime, toast } from './dom.js';

const pageSize = 50;

export function mailView(root) {
  let open = '';
  let next = null;
  let shown = 'html';
  const rows = new Map();

  const search = h('input', {
    type: 'search',
    placeholder: 'Address',
    autocomplete: 'off',
    'aria-label': 'Show mail to this address',
  });
  const head = h('p', { class: 'list-head' });
  const list = h('ul', { class: 'mail-list', 'aria-label': 'Mail, newest first' });
  const more = h(
    'button',
    { type: 'button', class: 'button wide', hidden: true, onclick: () => read(next) },
    'Show older',
  );
  const empty = h('button', { type: 'button', class: 'button quiet', onclick: clear }, 'Empty the mailbox');
  const side = h(
    'section',
    { class: 'mail-side', 'aria-label': 'Mail' },
    h('div', { class: 'search' }, icon('search'), search),
    h('div', { class: 'list-bar' }, head, empty),
    list,
    h('div', { class: 'list-foot' }, more),
  );
  const pane = h('section', { class: 'mail-pane', 'aria-label': 'Opened mail' });
  root.append(h('h1', { class: 'visually-hidden' }, 'Mailbox'), h('div', { class: 'mail' }, side, pane));

  let typing;
  search.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => read(), 150);
  });

  async function read(before) {
    const query = new URLSearchParams({ limit: String(pageSize), to: search.value.trim() });
    if (before) query.set('before', before);
    const page = await get(`mail?${query}`);
    if (!before) {
      rows.clear();
      list.replaceChildren();
    }
    for (const mail of page.mail) list.append(row(mail));
    next = page.next;
    more.hidden = next === null;
    empty.hidden = page.total === 0;
    head.textContent = page.total === 0 ? '' : `${count(page.total)} ${page.total === 1 ? 'mail' : 'mails'}`;
    if (rows.size === 0) {
      const why = search.value.trim()
        ? 'No mail to this address.'
        : 'No mail yet. What is sent to the SMTP port of the sandbox lands here.';
      list.append(h('li', { class: 'empty' }, why));
    }
  }

  function row(mail) {
    const item = h(
      'li',
      {},
      h(
        'a',
        { href: `#/mail/${mail.id}`, 'aria-current': mail.id === open ? 'true' : undefined },
        h('span', { class: 'row-number' }, mail.to.join(', ') || 'Nobody'),
        h('span', { class: 'row-time' }, shortTime(mail.time)),
        h('span', { class: 'row-subject' }, mail.subject || 'No subject'),
        h('span', { class: 'row-text' }, mail.preview),
      ),
    );
    rows.set(mail.id, item);
    return item;
  }

  async function clear() {
    if (!confirm('Delete every mail in the sandbox?')) return;
    await request('DELETE', 'mail');
    location.hash = '#/mail';
  }

  async function openMail(id) {
    try {
      const mail = await get(`mail/${encodeURIComponent(id)}`);
      if (id === open) drawMail(mail);
    } catch (error) {
      pane.replaceChildren(h('p', { class: 'empty' }, `This mail cannot be shown: ${error.message}.`));
    }
  }

  function drawMail(mail) {
    const views = [mail.has_html && ['html', 'As sent'], ['text', 'Text'], ['headers', 'Headers']].filter(Boolean);
    const view = views.some(([name]) => name === shown) ? shown : views[0][0];
    const body = h('div', { class: 'mail-body' });
    const choices = views.map(([name, title]) =>
      h(
        'button',
        {
          type: 'button',
          'aria-pressed': String(name === view),
          onclick: () => {
            shown = name;
            drawMail(mail);
          },
        },
        title,
      ),
    );
    if (view === 'html') {
      body.append(
        h('iframe', {
          src: `/api/mail/${mail.id}/html`,
          sandbox: 'allow-popups allow-popups-to-escape-sandbox',
          title: `Mail: ${mail.subject}`,
        }),
      );
    } else if (view === 'text') {
      body.append(h('pre', { tabindex: '0' }, mail.text || 'This mail has no text part.'));
    } else {
      body.append(
        h(
          'dl',
          { class: 'mail-headers' },
          ...mail.headers.flatMap(({ name, value }) => [h('dt', {}, name), h('dd', {}, value)]),
        ),
      );
    }
    pane.replaceChildren(
      h(
        'header',
        { class: 'mail-head' },
        h('a', { class: 'icon-button back', href: '#/mail', 'aria-label': 'Back to the list of mail' }, icon('back')),
        h('h2', { class: 'title' }, mail.subject || 'No subject'),
        h(
          'p',
          { class: 'mail-who' },
          h('span', {}, 'From '),
          mail.from || 'nobody',
          h('span', {}, ' to '),
          mail.to.join(', '),
          h('time', { datetime: mail.time }, exactTime(mail.time)),
        ),
      ),
      taken(mail),
      h(
        'div',
        { class: 'mail-bar' },
        h('div', { class: 'choices', role: 'group', 'aria-label': 'Show' }, ...choices),
        h(
          'a',
          { class: 'button quiet', href: `/api/mail/${mail.id}/raw`, target: '_blank', rel: 'noopener' },
          icon('open'),
          'Source',
        ),
      ),
      body,
    );
  }

  /** Codes, links and files: what one opens a sandbox mailbox for. */
  function taken(mail) {
    const items = [
      ...mail.codes.map((code) =>
        h(
          'li',
          {},
          h('span', { class: 'taken-kind' }, 'Code'),
          h('code', { class: 'code' }, code),
          copyButton(code, `Copy the code ${code}`),
        ),
      ),
      ...mail.links
        .slice(0, 6)
        .map((link) =>
          h(
            'li',
            {},
            h('span', { class: 'taken-kind' }, 'Link'),
            h('a', { href: link, target: '_blank', rel: 'noopener noreferrer' }, link),
            copyButton(link, 'Copy the link'),
          ),
        ),
      ...mail.attachments.map((file) =>
        h(
          'li',
          {},
          h('span', { class: 'taken-kind' }, 'File'),
          h('a', { href: `/api/mail/${mail.id}/attachments/${file.index}` }, icon('clip'), file.filename),
          h('span', { class: 'quiet' }, `${count(Math.ceil(file.bytes / 1024))} KB`),
        ),
      ),
    ];
    return items.length > 0
      ? h('ul', { class: 'taken', 'aria-label': 'Codes, links and files in this mail' }, ...items)
      : '';
  }

  const offs = [on('mail', () => read()), on('resync', () => read())];
  read().catch((error) => toast(`The mailbox cannot be read: ${error.message}.`));

  return {
    show(id) {
      rows.get(open)?.querySelector('a').removeAttribute('aria-current');
      open = id;
      root.dataset.open = open ? 'true' : 'false';
      rows.get(open)?.querySelector('a').setAttribute('aria-current', 'true');
      if (open) openMail(open);
      else
        pane.replaceChildren(
          h(
            'div',
            { class: 'stage-empty' },
            h('h2', { class: 'title' }, 'Open a mail'),
            h('p', {}, 'Codes and links in it can be copied with one click.'),
          ),
        );
    },
    leave() {
      for (const off of offs) off();
    },
  };
}
