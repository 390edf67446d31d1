// Magic numbers: the endings and what they do, with numbers ready to copy or open for a prefix of one's choice.
import { get, request } from './api.js';
import { copyButton, h, phoneNumber, toast } from './dom.js';

const channels = [
  ['numbers', 'SMS'],
  ['whatsapp', 'WhatsApp'],
  ['viber', 'Viber'],
];

export function magicView(root) {
  const prefix = h('input', {
    id: 'prefix',
    value: localStorage.getItem('sandbox-prefix') ?? '491700',
    inputmode: 'tel',
    autocomplete: 'off',
    maxlength: '9',
  });
  const tables = h('div', { class: 'magic-tables' });
  const mailboxes = h('dl', { class: 'mailboxes' });
  let bodies = [];
  prefix.addEventListener('input', () => {
    localStorage.setItem('sandbox-prefix', prefix.value);
    draw();
  });

  root.append(
    h(
      'div',
      { class: 'page' },
      h(
        'header',
        { class: 'page-head' },
        h(
          'div',
          {},
          h('h1', {}, 'Magic numbers'),
          h(
            'p',
            {},
            'A number with one of these endings does the same thing every time. Any country, at least nine digits; the phone must be on.',
          ),
        ),
      ),
      h('div', { class: 'prefix' }, h('label', { for: 'prefix' }, 'Numbers that begin with'), prefix),
      tables,
      h(
        'section',
        { class: 'card', 'aria-labelledby': 'mail-title' },
        h('h2', { id: 'mail-title' }, 'Magic mail addresses'),
        h('p', {}, 'At any domain.'),
        mailboxes,
      ),
    ),
  );

  function draw() {
    const digits = prefix.value.replace(/\D/g, '');
    for (const { body, numbers } of bodies) drawRows(body, numbers, digits);
  }

  function drawRows(body, numbers, digits) {
    body.replaceChildren(
      ...numbers.map(({ ending, title, what }) => {
        const number = digits + ending;
        const usable = number.length >= 9 && number.length <= 15;
        return h(
          'tr',
          {},
          h('td', {}, h('code', {}, ending)),
          h('td', { class: 'magic-name' }, title),
          h('td', {}, what),
          h(
            'td',
            { class: 'magic-number' },
            usable
              ? h(
                  'span',
                  { class: 'pair' },
                  h(
                    'a',
                    {
                      href: `#/phones/${number}`,
                      onclick: () => request('PUT', `phones/${number}`, {}).catch(() => {}),
                    },
                    phoneNumber(number),
                  ),
                  copyButton(number, `Copy ${number}`),
                )
              : 'Too short or too long',
          ),
        );
      }),
    );
  }

  const table = ({ name, body }) =>
    h(
      'section',
      { class: 'card lines', 'aria-label': `Endings for ${name}`, tabindex: '0' },
      h('h2', {}, name),
      h(
        'table',
        { class: 'magic-table' },
        h(
          'thead',
          {},
          h('tr', {}, ...['Ending', 'Name', 'What happens', 'Number'].map((title) => h('th', { scope: 'col' }, title))),
        ),
        body,
      ),
    );

  get('magic').then(
    (magic) => {
      bodies = channels
        .filter(([key]) => magic[key])
        .map(([key, name]) => ({ name, body: h('tbody'), numbers: magic[key] }));
      tables.replaceChildren(...bodies.map(table));
      draw();
      mailboxes.replaceChildren(
        ...magic.mailboxes.flatMap(({ local_part, title, what }) => [
          h('dt', {}, h('code', {}, `${local_part}@`)),
          h('dd', {}, h('strong', {}, title), ` ${what}`),
        ]),
      );
    },
    (error) => toast(`The magic numbers cannot be read: ${error.message}.`),
  );

  return { show() {}, leave() {} };
}
