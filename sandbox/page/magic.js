// Magic numbers: the endings and what they do, with numbers ready to copy or open for a prefix of one's choice.
import { get, request } from './api.js';
import { copyButton, h, phoneNumber, toast } from './dom.js';

export function magicView(root) {
  const prefix = h('input', {
    id: 'prefix',
    value: localStorage.getItem('sandbox-prefix') ?? '447700',
    inputmode: 'tel',
    autocomplete: 'off',
    maxlength: '9',
  });
  const rows = h('tbody');
  const mailboxes = h('dl', { class: 'mailboxes' });
  let numbers = [];
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
      h(
        'section',
        { class: 'card lines', 'aria-label': 'Endings' },
        h(
          'table',
          { class: 'magic-table' },
          h(
            'thead',
            {},
            h('tr', {}, ...['Ending', 'Name', 'What happens', 'Number'].map((name) => h('th', { scope: 'col' }, name))),
          ),
          rows,
        ),
      ),
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
    rows.replaceChildren(
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

  get('magic').then(
    (magic) => {
      numbers = magic.numbers;
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
