/**
 * Magic numbers: the endings and their outcomes, shown as full numbers with a chosen prefix, which can be copied or
 * opened.
 */
import { get, request } from './ui/api.js';
import { copyButton, h, phoneNumber, toast } from './ui/dom.js';
import { card, pageHead } from './ui/page.js';

const channels = [
  ['numbers', 'SMS'],
  ['whatsapp', 'WhatsApp'],
  ['viber', 'Viber'],
];
const columns = ['Ending', 'Name', 'What happens', 'Number'];

class MagicView {
  constructor(root) {
    this.sections = [];
    this.prefix = h('input', {
      id: 'prefix',
      value: localStorage.getItem('sandbox-prefix') ?? '491700',
      inputmode: 'tel',
      autocomplete: 'off',
      maxlength: '9',
      oninput: () => this.changePrefix(),
    });
    this.tables = h('div', { class: 'magic-tables' });
    this.mailboxes = h('dl', { class: 'definitions' });
    this.cards = h('dl', { class: 'definitions' });
    root.append(
      h(
        'div',
        { class: 'page' },
        pageHead(
          'Magic numbers',
          'A number with one of these endings always has the same outcome, in any country. ' +
            'It needs at least nine digits, and the phone must be on.',
        ),
        h('div', { class: 'prefix' }, h('label', { for: 'prefix' }, 'Number prefix'), this.prefix),
        this.tables,
        card(
          'cards-title',
          'Magic card numbers',
          h('p', {}, 'With any expiration date in the future and any security code.'),
          this.cards,
        ),
        card('mail-title', 'Magic email addresses', h('p', {}, 'At any domain.'), this.mailboxes),
      ),
    );
    this.read().catch((error) => toast(`Cannot load the magic numbers: ${error.message}.`));
  }

  show() {}

  leave() {}

  changePrefix() {
    localStorage.setItem('sandbox-prefix', this.prefix.value);
    this.draw();
  }

  async read() {
    const { cards } = await get('stripe/cards');
    this.cards.append(
      ...cards.flatMap(({ number, effect }) => [
        h('dt', {}, h('code', {}, number.replace(/(\d{4})(?=\d)/g, '$1 '))),
        h('dd', {}, effect, ' ', copyButton(number, `Copy ${number}`)),
      ]),
    );
    const magic = await get('magic');
    this.sections = channels
      .filter(([key]) => magic[key])
      .map(([key, name]) => ({ name, body: h('tbody'), numbers: magic[key] }));
    this.tables.replaceChildren(...this.sections.map(magicTable));
    this.draw();
    this.mailboxes.replaceChildren(
      ...magic.mailboxes.flatMap(({ local_part, title, what }) => [
        h('dt', {}, h('code', {}, `${local_part}@`)),
        h('dd', {}, h('strong', {}, title), ` ${what}`),
      ]),
    );
  }

  draw() {
    const prefix = this.prefix.value.replace(/\D/g, '');
    for (const { body, numbers } of this.sections) body.replaceChildren(...numbers.map((row) => magicRow(row, prefix)));
  }
}

const magicTable = ({ name, body }) =>
  h(
    'section',
    { class: 'card table-box', 'aria-label': `Endings for ${name}`, tabindex: '0' },
    h('h2', {}, name),
    h(
      'table',
      { class: 'magic-table' },
      h('thead', {}, h('tr', {}, ...columns.map((title) => h('th', { scope: 'col' }, title)))),
      body,
    ),
  );

function magicRow({ ending, title, what }, prefix) {
  const number = prefix + ending;
  const isValid = number.length >= 9 && number.length <= 15;
  return h(
    'tr',
    {},
    h('td', {}, h('code', {}, ending)),
    h('td', { class: 'magic-name' }, title),
    h('td', {}, what),
    h('td', { class: 'magic-number' }, isValid ? numberLink(number) : 'Too short or too long'),
  );
}

const numberLink = (number) =>
  h(
    'span',
    { class: 'pair' },
    h(
      'a',
      { href: `#/phones/${number}`, onclick: () => request('PUT', `phones/${number}`, {}).catch(() => {}) },
      phoneNumber(number),
    ),
    copyButton(number, `Copy ${number}`),
  );

export const magicView = (root) => new MagicView(root);
