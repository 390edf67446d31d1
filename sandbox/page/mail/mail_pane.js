/** The open email: its header, the codes, links and files in it, and its HTML, text or headers. */
import { copyButton, count, exactTime, h, icon } from '../ui/dom.js';

const maxLinks = 6;

export class MailPane {
  constructor() {
    this.node = h('section', { class: 'mail-pane', 'aria-label': 'Open email' });
    /** The last chosen format: html, text or headers. */
    this.format = 'html';
  }

  drawEmpty() {
    this.node.replaceChildren(
      h(
        'div',
        { class: 'stage-empty' },
        h('h2', { class: 'title' }, 'Select an email'),
        h('p', {}, 'You can copy its codes and links with one click.'),
      ),
    );
  }

  drawError(text) {
    this.node.replaceChildren(h('p', { class: 'empty' }, text));
  }

  draw(mail) {
    const formats = [
      ['text', 'Text'],
      ['headers', 'Headers'],
    ];
    if (mail.has_html) formats.unshift(['html', 'HTML']);
    const format = formats.some(([name]) => name === this.format) ? this.format : formats[0][0];
    const choices = formats.map(([name, title]) => {
      const onclick = () => {
        this.format = name;
        this.draw(mail);
      };
      return h('button', { type: 'button', 'aria-pressed': String(name === format), onclick }, title);
    });
    const source = { href: `/api/mail/${mail.id}/raw`, target: '_blank', rel: 'noopener' };
    this.node.replaceChildren(
      mailHead(mail),
      extracts(mail),
      h(
        'div',
        { class: 'mail-bar' },
        h('div', { class: 'choices', role: 'group', 'aria-label': 'Format' }, ...choices),
        h('a', { class: 'button quiet', ...source }, icon('open'), 'Source'),
      ),
      h('div', { class: 'mail-body' }, mailBody(mail, format)),
    );
  }
}

const mailHead = (mail) =>
  h(
    'header',
    { class: 'mail-head' },
    h('a', { class: 'icon-button back', href: '#/mail', 'aria-label': 'Back to the list of emails' }, icon('back')),
    h('h2', { class: 'title' }, mail.subject || 'No subject'),
    h(
      'p',
      { class: 'mail-who' },
      h('span', {}, 'From '),
      mail.from || 'an empty address',
      h('span', {}, ' to '),
      mail.to.join(', '),
      h('time', { datetime: mail.time }, exactTime(mail.time)),
    ),
  );

function mailBody(mail, format) {
  if (format === 'text') return h('pre', { tabindex: '0' }, mail.text || 'This email has no text part.');
  if (format === 'html') {
    return h('iframe', {
      src: `/api/mail/${mail.id}/html`,
      sandbox: 'allow-popups allow-popups-to-escape-sandbox',
      title: `Email: ${mail.subject}`,
    });
  }
  const headers = mail.headers.flatMap(({ name, value }) => [h('dt', {}, name), h('dd', {}, value)]);
  return h('dl', { class: 'mail-headers' }, ...headers);
}

/** The codes, links and files of an email, ready to copy or open. */
function extracts({ id, codes, links, attachments }) {
  const item = (kind, ...content) => h('li', {}, h('span', { class: 'extract-kind' }, kind), ...content);
  const items = [
    ...codes.map((code) => item('Code', h('code', { class: 'code' }, code), copyButton(code, `Copy the code ${code}`))),
    ...links
      .slice(0, maxLinks)
      .map((link) =>
        item(
          'Link',
          h('a', { href: link, target: '_blank', rel: 'noopener noreferrer' }, link),
          copyButton(link, 'Copy the link'),
        ),
      ),
    ...attachments.map(({ index, filename, bytes }) =>
      item(
        'File',
        h('a', { href: `/api/mail/${id}/attachments/${index}` }, icon('clip'), filename),
        h('span', { class: 'quiet' }, `${count(Math.ceil(bytes / 1024))} KB`),
      ),
    ),
  ];
  if (items.length === 0) return '';
  return h('ul', { class: 'extracts', 'aria-label': 'Codes, links, and files in this email' }, ...items);
}
