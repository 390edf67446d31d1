// Viber: the services (as its partner portal has them), how it behaves, what it has counted and lately refused.
import { get, on, request } from './api.js';
import { copyButton, count, exactTime, h, phoneNumber, toast } from './dom.js';
import { settingsForm } from './settings_form.js';
import { groups } from './viber_fields.js';
import { templatesCard } from './viber_templates.js';

const rights = [
  ['promotional', 'May send promotional messages', 'Otherwise status 13.'],
  ['two_way', 'Two-way', 'Phones can answer; sessions exist.'],
  ['blocked', 'Blocked by Viber', 'Every message is status 43.'],
  ['address_allowed', 'Its address is allowed', 'Otherwise status 401.'],
];

export function viberView(root) {
  const form = settingsForm({ path: 'viber/settings', groups, name: 'Viber' });
  const templates = templatesCard();
  const counters = h('dl', { class: 'counters', 'aria-label': 'Counters' });
  const services = h('div', { class: 'services' });
  const refused = h('div', { class: 'lines', tabindex: '0', role: 'region', 'aria-label': 'Table of refusals' });
  const name = h('input', { id: 'service-name', autocomplete: 'off', maxlength: '60', required: true });
  const url = h('input', {
    id: 'service-url',
    type: 'url',
    autocomplete: 'off',
    maxlength: '2083',
    placeholder: 'http://localhost:3000/…',
  });
  const rows = new Map();

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
          h('h1', {}, 'Viber'),
          h('p', {}, 'Viber Business Messages, and their partner portal. Magic numbers keep their own rules.'),
        ),
        form.back,
      ),
      form.strange,
      counters,
      h(
        'section',
        { class: 'card', 'aria-labelledby': 'services-title' },
        h('h2', { id: 'services-title' }, 'Services'),
        h('p', {}, 'Who may send. Callbacks are signed with the token.'),
        services,
        h(
          'form',
          { class: 'new-service', 'aria-label': 'A new service', onsubmit: add },
          h('label', { for: 'service-name' }, 'Name', name),
          h('label', { for: 'service-url' }, 'Callback address (optional)', url),
          h('button', { class: 'button' }, 'Add a service'),
        ),
      ),
      templates.node,
      h('div', { class: 'cards' }, ...form.cards),
      h(
        'section',
        { class: 'card', 'aria-labelledby': 'refused-title' },
        h('h2', { id: 'refused-title' }, 'Refused lately'),
        h('p', {}, 'Services are told the status only; here is what was wrong.'),
        refused,
      ),
    ),
  );

  async function add(event) {
    event.preventDefault();
    try {
      await request('POST', 'viber/services', { name: name.value, callback_url: url.value.trim() });
      event.target.reset();
      await readServices();
    } catch (error) {
      toast(`Not added: ${error.message}.`);
    }
  }

  async function change(id, changes) {
    try {
      await request('PUT', `viber/services/${id}`, changes);
    } catch (error) {
      toast(`Not changed: ${error.message}.`);
    }
    await readServices();
  }

  function makeRow({ service_id: id, auth_token }) {
    const title = h('h3', {});
    const last = h('p', { class: 'service-last' });
    const address = h('input', {
      type: 'url',
      maxlength: '2083',
      placeholder: 'None: nothing is told',
      autocomplete: 'off',
      onchange: () => change(id, { callback_url: address.value.trim() }),
    });
    const switches = rights.map(([field, words, help]) => {
      const input = h('input', {
        type: 'checkbox',
        role: 'switch',
        class: 'toggle',
        onchange: () => change(id, { [field]: input.checked }),
      });
      return { field, input, label: h('label', {}, input, h('span', {}, words, h('small', {}, help))) };
    });
    const node = h(
      'section',
      { class: 'service', 'aria-label': `Service ${id}` },
      h(
        'div',
        { class: 'service-head' },
        title,
        h('span', { class: 'pair' }, h('code', {}, String(id)), copyButton(String(id), `Copy the id ${id}`)),
        h('span', { class: 'pair' }, h('code', {}, auth_token), copyButton(auth_token, `Copy the token of ${id}`)),
      ),
      h('label', { class: 'service-url' }, 'Callback address', address),
      last,
      h('div', { class: 'service-rights' }, ...switches.map(({ label }) => label)),
    );
    return { node, title, last, address, switches };
  }

  async function readServices() {
    const found = (await get('viber/services')).services;
    for (const one of found) {
      const row = rows.get(one.service_id) ?? makeRow(one);
      rows.set(one.service_id, row);
      row.title.textContent = one.name;
      if (document.activeElement !== row.address) row.address.value = one.callback_url;
      row.last.textContent = one.last_callback
        ? `Last callback: ${one.last_callback.answer}, ${exactTime(one.last_callback.time)}.`
        : '';
      row.last.hidden = !one.last_callback;
      for (const { field, input } of row.switches) input.checked = one[field];
    }
    const nodes = found.map(({ service_id }) => rows.get(service_id).node);
    for (const node of [...services.children]) if (!nodes.includes(node)) node.remove();
    nodes.forEach((node, at) => {
      if (services.children[at] !== node) services.insertBefore(node, services.children[at] ?? null);
    });
  }

  function drawStats(now) {
    const byStatus = Object.entries(now.refused).map(([status, times]) => `status ${status}: ${count(times)}`);
    const wrong = now.callbacks.wrong_signature_accepted;
    const entries = [
      ['Taken', now.accepted, 'messages of services'],
      ['From phones', now.from_phone, ''],
      ['Refused', Object.values(now.refused).reduce((sum, times) => sum + times, 0), byStatus.join(', ')],
      ['Callbacks due', now.callbacks.pending, `${count(now.callbacks.acknowledged)} acknowledged`],
      ['Callbacks sent', now.callbacks.sent, 'attempts'],
      ['Wrong signatures', wrong, wrong > 0 ? 'answered 200 all the same' : 'answered 200'],
    ];
    counters.replaceChildren(
      ...entries.map(([title, number, note]) =>
        h('div', {}, h('dt', {}, title), h('dd', {}, count(number), h('small', {}, note))),
      ),
    );
    refused.replaceChildren(now.lately.length === 0 ? h('p', { class: 'empty' }, 'Nothing was.') : table(now.lately));
  }

  const table = (lately) =>
    h(
      'table',
      { class: 'refusals' },
      h('thead', {}, h('tr', {}, ...['Time', 'Status', 'To', 'Why'].map((one) => h('th', { scope: 'col' }, one)))),
      h(
        'tbody',
        {},
        ...lately.map(({ time, status, words, to, reason }) =>
          h(
            'tr',
            {},
            h('td', {}, exactTime(time)),
            h('td', {}, `${status} ${words}`),
            h('td', {}, typeof to === 'string' && /^\d+$/.test(to) ? phoneNumber(to) : String(to ?? '')),
            h('td', {}, reason),
          ),
        ),
      ),
    );

  let reading = false;
  let stale = false;
  async function readStats() {
    if (reading) {
      stale = true;
      return;
    }
    reading = true;
    await Promise.all([get('viber/stats').then(drawStats), readServices(), templates.read()]).catch(() => {
      // The live line says that the sandbox is away; the next event reads again.
    });
    setTimeout(() => {
      reading = false;
      if (stale && offs.length > 0) {
        stale = false;
        readStats();
      }
    }, 1000);
  }

  let settings = '';
  const readAll = () =>
    form.read().then(
      (now) => {
        settings = JSON.stringify(now);
        readStats();
      },
      (error) => toast(`The settings of Viber cannot be read: ${error.message}.`),
    );
  // Refusals come as well: only settings that are others are drawn, or whoever types in one would lose it.
  function changed({ settings: now }) {
    const text = JSON.stringify(now);
    if (text !== settings) form.draw(now);
    settings = text;
    readStats();
  }
  let offs = [on('viber', changed), on('stats', readStats), on('message', readStats), on('resync', readAll)];
  readAll();

  return {
    show() {},
    leave() {
      for (const off of offs) off();
      offs = [];
    },
  };
}
