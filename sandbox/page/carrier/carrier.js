/** The carrier: its settings, its binds and its counters. */
import { get, on, request } from '../ui/api.js';
import { count, exactTime, h, icon, toast } from '../ui/dom.js';
import { drawCounters, drawTable, pageHead, scrollBox, throttledReload } from '../ui/page.js';
import { SettingsForm } from '../ui/settings_form.js';
import { groups } from './carrier_fields.js';

const pauses = [
  [0, 'accept new binds'],
  [5000, 'refuse binds for 5 seconds'],
  [30000, 'refuse binds for 30 seconds'],
  [120000, 'refuse binds for 2 minutes'],
];
const bindColumns = [
  'system_id',
  'Bind mode',
  'Encryption',
  'Remote address',
  'Submitted',
  'Delivered',
  'In flight',
  'Since',
];

class CarrierView {
  constructor(root) {
    this.form = new SettingsForm({ path: 'carrier', groups, name: 'The carrier' });
    this.counters = h('dl', { class: 'counters', 'aria-label': 'Counters' });
    this.binds = scrollBox('Table of binds');
    this.ports = h('p', {});
    const options = pauses.map(([ms, label]) => h('option', { value: ms }, label));
    this.pause = h('select', { 'aria-label': 'After disconnecting' }, ...options);
    this.refusing = h('p', { class: 'note', role: 'status' });
    this.lastStats = undefined;
    this.stats = throttledReload(async () => this.drawStats({ ...(await get('stats')), at: Date.now() }));
    root.append(
      h(
        'div',
        { class: 'page' },
        pageHead(
          'Carrier',
          'How the simulated carrier behaves. Magic numbers ignore these settings.',
          this.form.resetButton,
        ),
        this.form.summary,
        this.counters,
        this.bindsCard(),
        h('div', { class: 'cards' }, ...this.form.cards),
        this.resetCard(),
      ),
    );
    this.offs = [
      on('carrier', (settings) => this.form.draw(settings)),
      on('stats', this.stats.reload),
      on('bind', this.stats.reload),
      on('resync', () => this.readAll()),
    ];
    this.start().catch((error) => toast(`Cannot load the carrier: ${error.message}.`));
  }

  show() {}

  leave() {
    this.stats.stop();
    for (const off of this.offs) off();
  }

  bindsCard() {
    return h(
      'section',
      { class: 'card binds-card', 'aria-labelledby': 'binds-title' },
      h(
        'div',
        { class: 'card-head' },
        h('div', {}, h('h2', { id: 'binds-title' }, 'Binds'), this.ports),
        h(
          'form',
          { class: 'disconnect', onsubmit: (event) => this.disconnect(event) },
          h('button', { class: 'button danger' }, icon('cut'), 'Disconnect all'),
          this.pause,
        ),
      ),
      this.refusing,
      this.binds,
    );
  }

  resetCard() {
    const description =
      'Deletes all phones, messages, and emails, and restores the defaults. Binds and the WhatsApp account are kept.';
    return h(
      'section',
      { class: 'card', 'aria-labelledby': 'reset-title' },
      h(
        'div',
        { class: 'card-head' },
        h('div', {}, h('h2', { id: 'reset-title' }, 'Reset'), h('p', {}, description)),
        h('button', { type: 'button', class: 'button danger', onclick: () => this.reset() }, 'Reset sandbox'),
      ),
    );
  }

  async disconnect(event) {
    event.preventDefault();
    const { cut } = await request('POST', 'carrier/cut', { for_ms: Number(this.pause.value) });
    toast(cut === 0 ? 'No binds to disconnect.' : `${cut} ${cut === 1 ? 'bind' : 'binds'} disconnected.`);
    void this.stats.reload();
  }

  async reset() {
    if (!confirm('Reset the sandbox? This deletes all phones, messages, and emails.')) return;
    await request('POST', 'reset');
    toast('Sandbox reset.');
    void this.stats.reload();
  }

  drawStats(stats) {
    const before = this.lastStats;
    this.lastStats = stats;
    const seconds = before ? (stats.at - before.at) / 1000 : 0;
    const rate = seconds > 0 ? Math.max(0, Math.round((stats.accepted - before.accepted) / seconds)) : 0;
    // The counters are loaded again while the rate is above zero. Otherwise, the page would keep showing the last rate.
    if (rate > 0) this.stats.invalidate();
    const { delivered, waiting, undelivered, expired, rejected } = stats.by_outcome;
    const refused = Object.values(stats.refused).reduce((sum, times) => sum + times, 0);
    const refusedBy = Object.entries(stats.refused)
      .map(([status, times]) => `${status} ${count(times)}`)
      .join(', ');
    drawCounters(this.counters, [
      ['Accepted', stats.accepted, rate > 0 ? `${count(rate)} per second` : ''],
      ['Delivered', delivered, ''],
      ['Waiting', waiting, 'for phones that are off'],
      ['Failed', undelivered + expired + rejected, 'undelivered, expired, rejected'],
      ['Refused', refused, refusedBy],
      ['Receipts pending', stats.receipts.pending, `${count(stats.receipts.acked)} acknowledged`],
      ['Replies pending', stats.replies.pending, `${count(stats.replies.acked)} acknowledged`],
      ['Duplicates', stats.duplicates, 'same sender, number, and text'],
    ]);
    const until = stats.refusing_binds_until;
    this.refusing.hidden = !until;
    this.refusing.textContent = until ? `Binds are refused until ${exactTime(until)}.` : '';
    this.drawBinds(stats.binds);
  }

  drawBinds(binds) {
    const rows = binds.map((bind) => [
      bind.system_id,
      bind.bind,
      bind.tls ? 'TLS' : 'None',
      bind.remote,
      count(bind.submitted),
      count(bind.delivered),
      count(bind.in_flight),
      exactTime(bind.since),
    ]);
    const empty = 'No binds. Receipts and replies wait until a receiver binds.';
    drawTable(this.binds, { columns: bindColumns, rows, empty });
  }

  async readAll() {
    await this.form.read();
    void this.stats.reload();
  }

  async start() {
    const settings = await this.form.read();
    const { smpp, smpp_tls } = await get('ports');
    const accounts = settings.accounts.length > 0 ? 'the accounts set by the API' : 'any system_id, password "sandbox"';
    this.ports.textContent = `SMPP 3.4 on port ${smpp}, with TLS on port ${smpp_tls}. Sign-in: ${accounts}.`;
    void this.stats.reload();
  }
}

export const carrierView = (root) => new CarrierView(root);
