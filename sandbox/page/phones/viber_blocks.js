/** The Viber services that a phone blocks. A service gets a callback when it is blocked or unblocked. */
import { get, request } from '../ui/api.js';
import { h, toast } from '../ui/dom.js';

export function blocksPanel({ digits, onPhone }) {
  const rows = h('div');
  const panel = h(
    'fieldset',
    { class: 'switches person', hidden: true },
    h('legend', {}, 'Blocked Viber services'),
    rows,
  );
  let drawn = '';

  async function change(phone, id, blocked) {
    const others = phone.viber_blocked.filter((other) => other !== id);
    try {
      onPhone(await request('PUT', `phones/${digits()}`, { viber_blocked: blocked ? [...others, id] : others }));
    } catch (error) {
      toast(`Phone not changed: ${error.message}.`);
      onPhone(phone);
    }
  }

  return {
    panel,
    async draw(phone) {
      const number = digits();
      const { services } = await get('viber/services');
      if (number !== digits()) return;
      const key = JSON.stringify([
        number,
        phone.viber_blocked,
        services.map(({ service_id, name }) => [service_id, name]),
      ]);
      // The list is redrawn only after a change, because every message redraws the phone.
      if (key === drawn) return;
      drawn = key;
      panel.hidden = !phone.viber;
      rows.replaceChildren(
        ...services.map(({ service_id: id, name }) => {
          const input = h('input', {
            type: 'checkbox',
            role: 'switch',
            class: 'toggle',
            checked: phone.viber_blocked.includes(id),
            onchange: () => void change(phone, id, input.checked),
          });
          return h('label', { class: 'person-flag' }, h('span', {}, name, h('small', {}, `Service ${id}`)), input);
        }),
      );
    },
  };
}
