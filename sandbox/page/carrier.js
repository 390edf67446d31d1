// The carrier: how it behaves, who is connected, what it has counted. A setting takes effect as it is changed.
import { get, on, request } from './api.js';
import { groups } from './carrier_fields.js';
import { count, exactTime, h, icon, toast } from './dom.js';
import { settingsForm } from './settings_form.js';

export function carrierView(root) {
  const form = settingsForm({ path: 'carrier', groups, name: 'The carrier' });
  const counters = h('dl', { class: 'counters', 'aria-label': 'Counters' });
  const lines = h('div', { class: 'lines', tabindex: '0', role: 'region', 'aria-label': 'Table of lines' });
  const pause = h(
    'select',
    { 'aria-label': 'And then' },
    ...[
      [0, 'let them bind again at once'],
      [5000, 'refuse binds for 5 seconds'],
      [30000, 'refuse binds for 30 seconds'],
      [120000, 'refuse binds for 2 minutes'],
    ].map(([ms, words]) => h('option', { value: ms }, words)),
  );
  const refusing = h('p', { class: 'note', role: 'status' });

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
          h('h1', {}, 'Carrier'),
          h('p', {}, 'A carrier with moods. Magic numbers keep their own rules whatever is set here.'),
        ),
        form.back,
      ),
      form.strange,
      counters,
      h(
        'section',
        { class: 'card lines-card', 'aria-labelledby': 'lines-title' },
        h(
          'div',
          { class: 'card-head' },
          h('div', {}, h('h2', { id: 'lines-title' }, 'Lines'), h('p', { id: 'ports' })),
          h(
            'form',
            { class: 'cut', onsubmit: cut },
            h('button', { class: 'button danger' }, icon('cut'), 'Cut every line'),
            pause,
          ),
        ),
        refusing,
        lines,
      ),
      h('div', { class: 'cards' }, ...form.cards),
      h(
        'section',
        { class: 'card', 'aria-labelledby': 'reset-title' },
        h(
          'div',
          { class: 'card-head' },
          h(
            'div',
            {},
            h('h2', { id: 'reset-title' }, 'Start over'),
            h(
              'p',
              {},
              'Deletes every phone, message and mail, and sets carrier and apps back to usual. Lines stay up, and so does the account on WhatsApp.',
            ),
          ),
          h('button', { type: 'button', class: 'button danger', onclick: reset }, 'Empty the sandbox'),
        ),
      ),
    ),
  );

  async function cut(event) {
    event.preventDefault();
    const answer = await request('POST', 'carrier/cut', { for_ms: Number(pause.value) });
    toast(answer.cut === 0 ? 'There was no line to cut.' : `${answer.cut} ${answer.cut === 1 ? 'line' : 'lines'} cut.`);
    readStats();
  }

  async function reset() {
    if (!confirm('Delete every phone, message and mail in the sandbox?')) return;
    await request('POST', 'reset');
    toast('The sandbox is empty.');
    readStats();
  }

  let stale = false;
  let reading = false;
  let before;
  function drawStats(now) {
    const seconds = before ? (now.at - before.at) / 1000 : 0;
    const rate = seconds > 0 ? Math.max(0, Math.round((now.accepted - before.accepted) / seconds)) : 0;
    before = now;
    // A rate is shown until it is known to be nothing: the last event must not leave it standing.
    stale ||= rate > 0;
    const refused = Object.values(now.refused).reduce((sum, times) => sum + times, 0);
    const refusedBy = Object.entries(now.refused)
      .map(([status, times]) => `${status} ${count(times)}`)
      .join(', ');
    const entries = [
      ['Accepted', now.accepted, rate > 0 ? `${count(rate)} per second` : ''],
      ['Delivered', now.by_outcome.delivered, ''],
      ['Waiting', now.by_outcome.waiting, 'for phones that are off'],
      [
        'Failed',
        now.by_outcome.undelivered + now.by_outcome.expired + now.by_outcome.rejected,
        'undelivered, expired, rejected',
      ],
      ['Refused', refused, refusedBy],
      ['Receipts due', now.receipts.pending, `${count(now.receipts.acked)} acknowledged`],
      ['Replies due', now.replies.pending, `${count(now.replies.acked)} acknowledged`],
      ['Duplicates', now.duplicates, 'same sender, number and text'],
    ];
    counters.replaceChildren(
      ...entries.map(([name, number, note]) =>
        h('div', {}, h('dt', {}, name), h('dd', {}, count(number), h('small', {}, note))),
      ),
    );
    refusing.hidden = !now.refusing_binds_until;
    refusing.textContent = now.refusing_binds_until
      ? `Binds are refused until ${exactTime(now.refusing_binds_until)}.`
      : '';
    drawLines(now.binds);
  }

  function drawLines(binds) {
    if (binds.length === 0) {
      lines.replaceChildren(
        h('p', { class: 'empty' }, 'Nobody is connected. Receipts and replies are kept until a receiver binds.'),
      );
      return;
    }
    const cells = (bind) => [
      bind.system_id,
      bind.bind,
      bind.tls ? 'TLS' : 'Plain',
      bind.remote,
      count(bind.submitted),
      count(bind.delivered),
      count(bind.in_flight),
      exactTime(bind.since),
    ];
    lines.replaceChildren(
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            ...['system_id', 'Bind', 'Line', 'From', 'Submitted', 'Delivered', 'In flight', 'Since'].map((name) =>
              h('th', { scope: 'col' }, name),
            ),
          ),
        ),
        h('tbody', {}, ...binds.map((bind) => h('tr', {}, ...cells(bind).map((cell) => h('td', {}, cell))))),
      ),
    );
  }

  async function readStats() {
    if (reading) {
      stale = true;
      return;
    }
    reading = true;
    try {
      drawStats({ ...(await get('stats')), at: Date.now() });
    } catch {
      // The live line says that the sandbox is away; the next event reads again.
    }
    setTimeout(() => {
      reading = false;
      if (stale && offs.length > 0) {
        stale = false;
        readStats();
      }
    }, 1000);
  }

  let offs = [on('carrier', form.draw), on('stats', readStats), on('bind', readStats), on('resync', readAll)];

  async function readAll() {
    await form.read();
    readStats();
  }

  async function start() {
    const settings = await form.read();
    const ports = await get('ports');
    root.querySelector('#ports').textContent =
      `SMPP 3.4 on port ${ports.smpp}, with TLS on ${ports.smpp_tls}. Any system_id, password "sandbox"${settings.accounts.length > 0 ? ', or the accounts set by the API' : ''}.`;
    readStats();
  }
  start().catch((error) => toast(`The carrier cannot be read: ${error.message}.`));

  return {
    show() {},
    leave() {
      for (const off of offs) off();
      offs = [];
    },
  };
}
