/** WhatsApp: template reviews, the numbers of the business, the recent webhooks and the settings. */
import { get, on, request } from '../ui/api.js';
import { count, exactTime, h, toast } from '../ui/dom.js';
import { card, drawCounters, drawTable, pageHead, scrollBox, throttledReload } from '../ui/page.js';
import { SettingsForm } from '../ui/settings_form.js';
import { choice } from './choice.js';
import { TemplateReviews } from './template_reviews.js';
import { groups } from './whatsapp_fields.js';

const qualities = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'];
const nameStatuses = ['APPROVED', 'PENDING_REVIEW', 'DECLINED'];
const numberColumns = ['Number', 'Name', 'Name review', 'Status', 'Quality', 'Code', 'Profile', 'ID'];
const webhookColumns = ['Time', 'Fields', 'Items', 'Attempts', 'Last response'];
const maxWebhooks = 20;

class WhatsappView {
  constructor(root) {
    this.form = new SettingsForm({ path: 'whatsapp', groups, name: 'WhatsApp' });
    this.reviews = new TemplateReviews();
    this.counters = h('dl', { class: 'counters', 'aria-label': 'Counters' });
    this.numbers = scrollBox('Table of numbers');
    this.webhooks = scrollBox('Table of webhooks');
    this.callback = h('p', {});
    this.magicWords = h('dl', { class: 'definitions' });
    this.stats = throttledReload(() => Promise.all([this.readCounters(), this.readWebhooks()]));
    root.append(this.draw());
    this.offs = [
      on('whatsapp', () => this.readAll()),
      on('stats', this.stats.reload),
      on('message', this.stats.reload),
      on('resync', () => this.readAll()),
    ];
    this.readAll();
    get('magic').then(({ template_words }) => {
      const items = template_words.flatMap(({ word, what }) => [h('dt', {}, h('code', {}, word)), h('dd', {}, what)]);
      this.magicWords.replaceChildren(...items);
    });
  }

  show() {}

  leave() {
    this.stats.stop();
    for (const off of this.offs) off();
  }

  draw() {
    return h(
      'div',
      { class: 'page' },
      pageHead('WhatsApp', 'The Cloud API under /graph. Magic numbers ignore these settings.', this.form.resetButton),
      this.form.summary,
      this.counters,
      card(
        'reviews-title',
        'Templates',
        h('p', {}, 'Templates are approved after a delay, unless a magic word applies or you decide first.'),
        this.reviews.list,
        h(
          'details',
          { class: 'magic-words' },
          h('summary', {}, 'Magic words in the name or the body'),
          this.magicWords,
        ),
      ),
      card('numbers-title', 'Numbers', h('p', {}, 'Numbers in the business account.'), this.numbers),
      h('div', { class: 'cards' }, ...this.form.cards),
      card('webhooks-title', 'Recent webhooks', this.callback, this.webhooks),
    );
  }

  async readAll() {
    try {
      await Promise.all([this.form.read(), this.reviews.read(), this.readNumbers()]);
      void this.stats.reload();
    } catch (error) {
      toast(`Cannot load WhatsApp: ${error.message}.`);
    }
  }

  async changeNumber(id, change) {
    await request('PUT', `whatsapp/numbers/${id}`, change).catch((error) =>
      toast(`Number not changed: ${error.message}.`),
    );
    await this.readNumbers();
  }

  async readNumbers() {
    const { numbers } = await get('whatsapp/numbers');
    const rows = numbers.map(({ id, digits, profile, ...number }) => [
      number.display_phone_number,
      number.verified_name,
      choice(`Name review for ${digits}`, number.name_status, nameStatuses, (name_status) =>
        this.changeNumber(id, { name_status }),
      ),
      number.status.toLowerCase(),
      choice(`Quality of ${digits}`, number.quality_rating, qualities, (quality_rating) =>
        this.changeNumber(id, { quality_rating }),
      ),
      number.code ?? '',
      [profile.about, profile.description, profile.websites.join(' '), profile.email].filter(Boolean).join(' · '),
      id,
    ]);
    drawTable(this.numbers, { columns: numberColumns, rows, empty: 'No numbers yet' });
  }

  async readWebhooks() {
    const [{ webhooks }, account] = await Promise.all([get('whatsapp/webhooks'), get('whatsapp/account')]);
    this.callback.textContent = account.callback
      ? `Sent to ${account.callback}.`
      : 'No subscription. Webhooks wait until a business subscribes.';
    const rows = webhooks
      .slice(0, maxWebhooks)
      .map(({ at, fields, items, attempts, status }) => [
        exactTime(at),
        fields.join(', '),
        count(items),
        count(attempts),
        status > 0 ? `HTTP ${status}` : attempts === 0 ? 'sending' : 'no response',
      ]);
    drawTable(this.webhooks, { columns: webhookColumns, rows, empty: 'No webhooks yet' });
  }

  async readCounters() {
    const { chats } = await get('stats');
    const { to_phone, from_phone, pending } = chats.WHATSAPP;
    drawCounters(this.counters, [
      ['Accepted', to_phone, 'messages from businesses'],
      ['From phones', from_phone, ''],
      ['Webhooks pending', pending, 'messages and statuses'],
      ['Templates', this.reviews.total, `${count(this.reviews.approved)} approved`],
    ]);
  }
}

export const whatsappView = (root) => new WhatsappView(root);
