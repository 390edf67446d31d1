// Beside a phone: the Viber services its person blocks. A service is told when it is blocked and when it is let in again.
import { get, request } from './api.js';
import { h, toast } from './dom.js';

export function blocksPanel({ digits, drawn }) {
  const rows = h('div');
  const panel = h('fieldset', { class: 'switches person', hidden: true }, h('legend', {}, 'Blocks on Viber'), rows);
  let shown = '';

  async function change(item, id, blocked) {
    const others = item.viber_blocked.filter((one) => one !== id);
    try {
      drawn(await request('PUT', `phones/${digits()}`, { viber_blocked: blocked ? [...others, id] : others }));
    } catch (error) {
      toast(`Not changed: ${error.message}.`);
      drawn(item);
    }
  }

  return {
    panel,
    async draw(item) {
      const of = digits();
      const { services } = await get('viber/services');
      if (of !== digits()) return;
      const now = JSON.stringify([of, item.viber_blocked, services.map(({ service_id, name }) => [service_id, name])]);
      // Switches stay while nothing changes: messages draw the phone again and again.
      if (now === shown) return;
      shown = now;
      panel.hidden = !item.viber;
      rows.replaceChildren(
        ...services.map(({ service_id: id, name }) => {
          const input = h('input', {
            type: 'checkbox',
            role: 'switch',
            class: 'toggle',
            checked: item.viber_blocked.includes(id),
            onchange: () => void change(item, id, input.checked),
          });
          return h('label', { class: 'person-flag' }, h('span', {}, name, h('small', {}, `Service ${id}`)), input);
        }),
      );
    },
  };
}
