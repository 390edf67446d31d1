// The transactional templates of Viber, as its partner portal would have approved them.
import { get, request } from './api.js';
import { copyButton, h, toast } from './dom.js';

export function templatesCard() {
  const list = h('ul', { class: 'viber-templates' });
  const text = h('textarea', {
    id: 'template-text',
    rows: '2',
    maxlength: '1000',
    required: true,
    placeholder: 'Hello {{name}}, your code is {{pin}}.',
  });
  const language = h('input', {
    id: 'template-language',
    value: 'en',
    maxlength: '10',
    required: true,
    autocomplete: 'off',
  });
  let shown = '';

  async function add(event) {
    event.preventDefault();
    try {
      await request('POST', 'viber/templates', { text: text.value, language: language.value.trim() });
      text.value = '';
      await read();
    } catch (error) {
      toast(`Not added: ${error.message}.`);
    }
  }

  async function remove(id) {
    await request('DELETE', `viber/templates/${encodeURIComponent(id)}`).catch((error) => toast(error.message));
    await read();
  }

  const row = ({ template_id: id, language: tongue, text: words }) =>
    h(
      'li',
      {},
      h('p', { class: 'template-words', lang: tongue }, words),
      h(
        'div',
        { class: 'template-foot' },
        h('span', { class: 'pair' }, h('code', {}, id), copyButton(id, `Copy the id ${id}`)),
        h('span', {}, tongue),
        h(
          'button',
          { type: 'button', class: 'button', 'aria-label': `Remove template ${id}`, onclick: () => void remove(id) },
          'Remove',
        ),
      ),
    );

  async function read() {
    const { templates } = await get('viber/templates');
    const now = JSON.stringify(templates);
    // Rows stay while nothing changes: whoever reaches for a button must not lose it.
    if (now === shown) return;
    shown = now;
    list.replaceChildren(
      ...(templates.length > 0 ? templates.map(row) : [h('li', { class: 'empty' }, 'There is none yet.')]),
    );
  }

  const node = h(
    'section',
    { class: 'card', 'aria-labelledby': 'templates-title' },
    h('h2', { id: 'templates-title' }, 'Transactional templates'),
    h('p', {}, 'For messages of type 1701 and 1702. Their id is what a service sends; {{names}} are filled by it.'),
    list,
    h(
      'form',
      { class: 'new-service new-template', 'aria-label': 'A new template', onsubmit: add },
      h('label', { for: 'template-text' }, 'Text', text),
      h('label', { for: 'template-language' }, 'Language', language),
      h('button', { class: 'button' }, 'Add a template'),
    ),
  );
  return { node, read };
}
