/** Viber: the services, the templates, the settings, the counters and the recent refusals. */
import { get, on } from '../ui/api.js';
import { count, exactTime, h, phoneNumber, toast } from '../ui/dom.js';
import { card, drawCounters, drawTable, pageHead, scrollBox, throttledReload } from '../ui/page.js';
import { SettingsForm } from '../ui/settings_form.js';
import { ServicesCard } from './services_card.js';
import { groups } from './viber_fields.js';
import { TemplatesCard } from './viber_templates.js';

const refusalColumns = ['Time', 'Status', 'To', 'Reason'];

class ViberView {
  constructor(root) {
    this.form = new SettingsForm({ path: 'viber/settings', groups, name: 'Viber' });
    this.services = new ServicesCard();
    this.templates = new TemplatesCard();
    this.counters = h('dl', { class: 'counters', 'aria-label': 'Counters' });
    this.refusals = scrollBox('Table of refusals');
    this.drawnSettings = '';
    this.stats = throttledReload(() =>
      Promise.all([
        get('viber/stats').then((stats) => this.drawStats(stats)),
        this.services.read(),
        this.templates.read(),
      ]),
    );
    root.append(
      h(
        'div',
        { class: 'page' },
        pageHead(
          'Viber',
          'Viber Business Messages and the partner portal. Magic numbers ignore these settings.',
          this.form.resetButton,
        ),
        this.form.summary,
        this.counters,
        this.services.node,
        this.templates.node,
        h('div', { class: 'cards' }, ...this.form.cards),
        card(
          'refused-title',
          'Recent refusals',
          h('p', {}, 'A service gets only the status. The reason is shown here.'),
          this.refusals,
        ),
      ),
    );
    this.offs = [
      on('viber', (event) => this.handleChange(event)),
      on('stats', this.stats.reload),
      on('message', this.stats.reload),
      on('resync', () => this.readAll()),
    ];
    this.readAll();
  }

  show() {}

  leave() {
    this.stats.stop();
    for (const off of this.offs) off();
  }

  async readAll() {
    try {
      this.drawnSettings = JSON.stringify(await this.form.read());
      void this.stats.reload();
    } catch (error) {
      toast(`Cannot load the Viber settings: ${error.message}.`);
    }
  }

  handleChange({ settings }) {
    const key = JSON.stringify(settings);
    // Refusals send this event too. Only changed settings are redrawn, so that a field in use keeps its value.
    if (key !== this.drawnSettings) this.form.draw(settings);
    this.drawnSettings = key;
    void this.stats.reload();
  }

  drawStats({ accepted, from_phone, refused, callbacks, lately }) {
    const byStatus = Object.entries(refused).map(([status, times]) => `status ${status}: ${count(times)}`);
    const total = Object.values(refused).reduce((sum, times) => sum + times, 0);
    drawCounters(this.counters, [
      ['Accepted', accepted, 'messages from services'],
      ['From phones', from_phone, ''],
      ['Refused', total, byStatus.join(', ')],
      ['Callbacks pending', callbacks.pending, `${count(callbacks.acknowledged)} acknowledged`],
      ['Callbacks sent', callbacks.sent, 'attempts'],
      ['Wrong signatures accepted', callbacks.wrong_signature_accepted, 'callbacks with HTTP 200'],
    ]);
    const rows = lately.map(({ time, status, words, to, reason }) => [
      exactTime(time),
      `${status} ${words}`,
      typeof to === 'string' && /^\d+$/.test(to) ? phoneNumber(to) : String(to ?? ''),
      reason,
    ]);
    drawTable(this.refusals, { columns: refusalColumns, rows, empty: 'No refusals yet', className: 'refusals' });
  }
}

export const viberView = (root) => new ViberView(root);
