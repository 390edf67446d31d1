/** The list of WhatsApp templates with the review actions. */
import { get, request } from '../ui/api.js';
import { h, toast } from '../ui/dom.js';
import { choice, valueLabel } from './choice.js';

const reasons = [
  'ABUSIVE_CONTENT',
  'INCORRECT_CATEGORY',
  'INVALID_FORMAT',
  'PROMOTIONAL',
  'TAG_CONTENT_MISMATCH',
  'SCAM',
  'NONE',
];
const qualities = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'];
const actions = {
  PENDING: [['APPROVED', 'Approve']],
  APPROVED: [
    ['PAUSED', 'Pause'],
    ['DISABLED', 'Disable'],
  ],
  PAUSED: [
    ['APPROVED', 'Approve again'],
    ['DISABLED', 'Disable'],
  ],
  REJECTED: [['APPROVED', 'Approve']],
  DISABLED: [['APPROVED', 'Approve again']],
};

export class TemplateReviews {
  constructor() {
    this.list = h('ul', { class: 'reviews', 'aria-label': 'Templates' });
    this.total = 0;
    this.approved = 0;
    this.drawn = '';
  }

  async read() {
    const { templates } = await get('whatsapp/templates');
    const key = JSON.stringify(templates);
    // The list is redrawn only after a change, because redrawing closes an open select.
    if (key === this.drawn) return;
    this.drawn = key;
    this.total = templates.length;
    this.approved = templates.filter(({ status }) => status === 'APPROVED').length;
    const empty = h('li', { class: 'empty' }, 'No templates yet. Submitted templates appear here.');
    this.list.replaceChildren(...(templates.length === 0 ? [empty] : templates.map((one) => this.drawTemplate(one))));
  }

  async update(template, change) {
    try {
      await request('PUT', `whatsapp/templates/${template.id}`, change);
    } catch (error) {
      toast(`Template not changed: ${error.message}.`);
    }
    await this.read();
  }

  drawTemplate(template) {
    const { id, name, language, category, status, reason, components } = template;
    const body = components.find(({ type }) => type === 'BODY')?.text ?? '';
    const details = [language, valueLabel(category), reason !== 'NONE' && valueLabel(reason)];
    return h(
      'li',
      { 'data-template': id },
      h(
        'div',
        { class: 'review-text' },
        h('strong', {}, name),
        h('span', { class: `review-status ${status.toLowerCase()}` }, valueLabel(status)),
        h('small', {}, details.filter(Boolean).join(', ')),
        h('p', {}, body),
      ),
      h('div', { class: 'review-actions' }, ...this.drawActions(template)),
    );
  }

  drawActions(template) {
    const { name, language, status, quality } = template;
    const nodes = (actions[status] ?? []).map(([next, title]) => {
      const onclick = () => this.update(template, { status: next });
      return h('button', { type: 'button', class: 'button', onclick }, title);
    });
    if (status === 'APPROVED' || status === 'PAUSED') {
      const onChange = (value) => this.update(template, { quality: value });
      const select = choice(`Quality of ${name} (${language})`, quality, qualities, onChange);
      nodes.unshift(h('label', { class: 'pair' }, 'Quality', select));
    }
    if (status !== 'REJECTED') nodes.push(this.drawReject(template));
    return nodes;
  }

  drawReject(template) {
    const options = reasons.map((reason) => h('option', { value: reason }, valueLabel(reason)));
    const label = `Reason to reject ${template.name} (${template.language})`;
    const select = h('select', { 'aria-label': label }, ...options);
    const onclick = () => this.update(template, { status: 'REJECTED', reason: select.value });
    return h(
      'span',
      { class: 'pair' },
      select,
      h('button', { type: 'button', class: 'button danger', onclick }, 'Reject'),
    );
  }
}
