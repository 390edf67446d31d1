/** The approved transactional templates on Viber. */
import { get, request } from '../ui/api.js';
import { copyButton, h, toast } from '../ui/dom.js';
import { card } from '../ui/page.js';

export class TemplatesCard {
  constructor() {
    this.drawn = '';
    this.list = h('ul', { class: 'viber-templates' });
    this.text = h('textarea', {
      id: 'template-text',
      rows: '2',
      maxlength: '1000',
      required: true,
      placeholder: 'Hello {{name}}, your code is {{pin}}.',
    });
    const attributes = { value: 'en', maxlength: '10', required: true, autocomplete: 'off' };
    this.language = h('input', { id: 'template-language', ...attributes });
    this.node = card(
      'templates-title',
      'Transactional templates',
      h('p', {}, 'For messages of type 1701 and 1702. A service sends the template ID and the values of {{names}}.'),
      this.list,
      h(
        'form',
        { class: 'new-service new-template', 'aria-label': 'New template', onsubmit: (event) => this.add(event) },
        h('label', { for: 'template-text' }, 'Text', this.text),
        h('label', { for: 'template-language' }, 'Language', this.language),
        h('button', { class: 'button' }, 'Add template'),
      ),
    );
  }

  async read() {
    const { templates } = await get('viber/templates');
    const key = JSON.stringify(templates);
    // The list is redrawn only after a change, because redrawing removes the focus from a button.
    if (key === this.drawn) return;
    this.drawn = key;
    const empty = h('li', { class: 'empty' }, 'No templates yet');
    this.list.replaceChildren(...(templates.length > 0 ? templates.map((one) => this.drawRow(one)) : [empty]));
  }

  async add(event) {
    event.preventDefault();
    try {
      await request('POST', 'viber/templates', { text: this.text.value, language: this.language.value.trim() });
      this.text.value = '';
      await this.read();
    } catch (error) {
      toast(`Template not added: ${error.message}.`);
    }
  }

  async remove(id) {
    await request('DELETE', `viber/templates/${encodeURIComponent(id)}`).catch((error) =>
      toast(`Template not removed: ${error.message}.`),
    );
    await this.read();
  }

  drawRow({ template_id: id, language, text }) {
    const attributes = { type: 'button', class: 'button', 'aria-label': `Remove template ${id}` };
    return h(
      'li',
      {},
      h('p', { class: 'template-text', lang: language }, text),
      h(
        'div',
        { class: 'template-foot' },
        h('span', { class: 'pair' }, h('code', {}, id), copyButton(id, `Copy the ID ${id}`)),
        h('span', {}, language),
        h('button', { ...attributes, onclick: () => void this.remove(id) }, 'Remove'),
      ),
    );
  }
}
