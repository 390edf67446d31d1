/** The Viber services: their IDs, tokens, callback URLs and permissions, and a form to add a service. */
import { get, request } from '../ui/api.js';
import { copyButton, exactTime, h, toast } from '../ui/dom.js';
import { card } from '../ui/page.js';

const rights = [
  ['promotional', 'Promotional messages', 'Off: refused with status 13.'],
  ['two_way', 'Two-way', 'Phones can reply and open sessions.'],
  ['blocked', 'Blocked by Viber', 'Every message gets status 43.'],
  ['address_allowed', 'IP address allowed', 'Off: requests are refused with status 401.'],
];

export class ServicesCard {
  constructor() {
    this.rows = new Map();
    this.list = h('div', { class: 'services' });
    this.name = h('input', { id: 'service-name', autocomplete: 'off', maxlength: '60', required: true });
    this.url = h('input', {
      id: 'service-url',
      type: 'url',
      autocomplete: 'off',
      maxlength: '2083',
      placeholder: 'http://localhost:3000/…',
    });
    this.node = card(
      'services-title',
      'Services',
      h('p', {}, 'A service can send messages. Its callbacks are signed with its token.'),
      this.list,
      h(
        'form',
        { class: 'new-service', 'aria-label': 'New service', onsubmit: (event) => this.add(event) },
        h('label', { for: 'service-name' }, 'Name', this.name),
        h('label', { for: 'service-url' }, 'Callback URL (optional)', this.url),
        h('button', { class: 'button' }, 'Add service'),
      ),
    );
  }

  async read() {
    const { services } = await get('viber/services');
    for (const service of services) this.drawService(service);
    const nodes = services.map(({ service_id }) => this.rows.get(service_id).node);
    for (const node of [...this.list.children]) if (!nodes.includes(node)) node.remove();
    nodes.forEach((node, at) => {
      if (this.list.children[at] !== node) this.list.insertBefore(node, this.list.children[at] ?? null);
    });
  }

  async add(event) {
    event.preventDefault();
    try {
      await request('POST', 'viber/services', { name: this.name.value, callback_url: this.url.value.trim() });
      event.target.reset();
      await this.read();
    } catch (error) {
      toast(`Service not added: ${error.message}.`);
    }
  }

  async change(id, changes) {
    try {
      await request('PUT', `viber/services/${id}`, changes);
    } catch (error) {
      toast(`Service not changed: ${error.message}.`);
    }
    await this.read();
  }

  drawService(service) {
    const { service_id: id, name, callback_url, last_callback: last } = service;
    const row = this.rows.get(id) ?? this.createRow(service);
    this.rows.set(id, row);
    row.title.textContent = name;
    if (document.activeElement !== row.address) row.address.value = callback_url;
    row.last.textContent = last ? `Last callback: ${last.answer}, ${exactTime(last.time)}.` : '';
    row.last.hidden = !last;
    for (const { field, input } of row.switches) input.checked = service[field];
  }

  createRow({ service_id: id, auth_token }) {
    const title = h('h3', {});
    const last = h('p', { class: 'service-last' });
    const address = h('input', {
      type: 'url',
      maxlength: '2083',
      placeholder: 'Leave empty for no callbacks',
      autocomplete: 'off',
      onchange: () => this.change(id, { callback_url: address.value.trim() }),
    });
    const switches = rights.map(([field, label, help]) => {
      const onchange = () => this.change(id, { [field]: input.checked });
      const input = h('input', { type: 'checkbox', role: 'switch', class: 'toggle', onchange });
      return { field, input, label: h('label', {}, input, h('span', {}, label, h('small', {}, help))) };
    });
    const node = h(
      'section',
      { class: 'service', 'aria-label': `Service ${id}` },
      h(
        'div',
        { class: 'service-head' },
        title,
        h('span', { class: 'pair' }, h('code', {}, String(id)), copyButton(String(id), `Copy the ID ${id}`)),
        h('span', { class: 'pair' }, h('code', {}, auth_token), copyButton(auth_token, `Copy the token for ${id}`)),
      ),
      h('label', { class: 'service-url' }, 'Callback URL', address),
      last,
      h('div', { class: 'service-rights' }, ...switches.map(({ label }) => label)),
    );
    return { node, title, last, address, switches };
  }
}
