// WhatsApp: the review of templates, the numbers of the business, where webhooks go and how it all behaves.
import { get, on, request } from './api.js';
import { count, exactTime, h, toast } from './dom.js';
import { settingsForm } from './settings_form.js';
import { groups } from './whatsapp_fields.js';

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
const acts = {
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

export function whatsappView(root) {
  const form = settingsForm({ path: 'whatsapp', groups, name: 'WhatsApp' });
  const counters = h('dl', { class: 'counters', 'aria-label': 'Counters' });
  const templates = h('ul', { class: 'reviews', 'aria-label': 'Templates' });
  const numbers = h('div', { class: 'lines', tabindex: '0', role: 'region', 'aria-label': 'Table of numbers' });
  const hooks = h('div', { class: 'lines', tabindex: '0', role: 'region', 'aria-label': 'Table of webhooks' });
  const callback = h('p', {});
  const words = h('dl', { class: 'mailboxes' });

  const card = (id, title, about, ...inside) =>
    h('section', { class: 'card', 'aria-labelledby': id }, h('h2', { id }, title), about, ...inside);
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
          h('h1', {}, 'WhatsApp'),
          h('p', {}, 'The Cloud API under /graph. Magic numbers keep their own rules whatever is set here.'),
        ),
        form.back,
      ),
      form.strange,
      counters,
      card(
        'reviews-title',
        'Templates',
        h('p', {}, 'Reviewed by the clock, by words in them, or here.'),
        templates,
        h('details', { class: 'words' }, h('summary', {}, 'Words that decide, in the name or the body'), words),
      ),
      card('numbers-title', 'Numbers', h('p', {}, 'Of the business account.'), numbers),
      h('div', { class: 'cards' }, ...form.cards),
      card('hooks-title', 'Webhooks lately', callback, hooks),
    ),
  );

  async function decide(template, change) {
    try {
      await request('PUT', `whatsapp/templates/${template.id}`, change);
    } catch (error) {
      toast(`Not changed: ${error.message}.`);
    }
    readTemplates();
  }

  function drawTemplate(template) {
    const { name, language, category, status, reason, components } = template;
    const body = components.find(({ type }) => type === 'BODY')?.text ?? '';
    const rejecting = h(
      'select',
      { 'aria-label': `Reason to reject ${name} (${language})` },
      ...reasons.map((one) => h('option', { value: one }, one.toLowerCase().replaceAll('_', ' '))),
    );
    const reject = h(
      'button',
      {
        type: 'button',
        class: 'button danger',
        onclick: () => decide(template, { status: 'REJECTED', reason: rejecting.value }),
      },
      'Reject',
    );
    return h(
      'li',
      { 'data-template': template.id },
      h(
        'div',
        { class: 'review-words' },
        h('strong', {}, name),
        h('span', { class: `review-status ${status.toLowerCase()}` }, status.toLowerCase()),
        h(
          'small',
          {},
          [language, category.toLowerCase(), reason !== 'NONE' && reason.toLowerCase().replaceAll('_', ' ')]
            .filter(Boolean)
            .join(', '),
        ),
        h('p', {}, body),
      ),
      h(
        'div',
        { class: 'review-acts' },
        ...(status === 'APPROVED' || status === 'PAUSED'
          ? [
              h(
                'label',
                { class: 'pair' },
                'Quality',
                choice(`Quality of ${name} (${language})`, template.quality, qualities, (quality) =>
                  decide(template, { quality }),
                ),
              ),
            ]
          : []),
        ...(acts[status] ?? []).map(([next, title]) =>
          h('button', { type: 'button', class: 'button', onclick: () => decide(template, { status: next }) }, title),
        ),
        ...(status === 'REJECTED' ? [] : [h('span', { class: 'pair' }, rejecting, reject)]),
      ),
    );
  }

  let drawnTemplates = '';
  let [submitted, approved] = [0, 0];
  async function readTemplates() {
    const found = (await get('whatsapp/templates')).templates;
    const now = JSON.stringify(found);
    // Whoever is choosing a reason must not lose the list under their hand.
    if (now === drawnTemplates) return;
    drawnTemplates = now;
    submitted = found.length;
    approved = found.filter(({ status }) => status === 'APPROVED').length;
    const empty = h('li', { class: 'empty' }, 'None yet. What a business submits appears here.');
    templates.replaceChildren(...(found.length === 0 ? [empty] : found.map(drawTemplate)));
  }

  const choice = (label, value, options, act) =>
    h(
      'select',
      { 'aria-label': label, value, onchange: (event) => act(event.target.value) },
      ...options.map((one) =>
        h('option', { value: one, selected: one === value }, one.toLowerCase().replaceAll('_', ' ')),
      ),
    );

  async function readNumbers() {
    const found = (await get('whatsapp/numbers')).numbers;
    const change = (id, field) => async (value) => {
      await request('PUT', `whatsapp/numbers/${id}`, { [field]: value }).catch((error) =>
        toast(`Not changed: ${error.message}.`),
      );
      readNumbers();
    };
    const cells = (number) => [
      number.display_phone_number,
      number.verified_name,
      choice(
        `Name of ${number.digits} is`,
        number.name_status,
        ['APPROVED', 'PENDING_REVIEW', 'DECLINED'],
        change(number.id, 'name_status'),
      ),
      number.status.toLowerCase(),
      choice(`Quality of ${number.digits}`, number.quality_rating, qualities, change(number.id, 'quality_rating')),
      number.code ?? '',
      [number.profile.about, number.profile.description, number.profile.websites.join(' '), number.profile.email]
        .filter(Boolean)
        .join(' · '),
      number.id,
    ];
    drawTable(
      numbers,
      ['Number', 'Name', 'Name is', 'Status', 'Quality', 'Code', 'Profile', 'Id'],
      found.map(cells),
      'No number yet.',
    );
  }

  async function readHooks() {
    const [{ webhooks }, account] = await Promise.all([get('whatsapp/webhooks'), get('whatsapp/account')]);
    callback.textContent = account.callback ? `They go to ${account.callback}.` : 'Nobody has subscribed: they wait.';
    const cells = ({ at, fields, items, attempts, status }) => [
      exactTime(at),
      fields.join(', '),
      count(items),
      count(attempts),
      status === 0 ? (attempts === 0 ? 'on its way' : 'no answer') : `HTTP ${status}`,
    ];
    drawTable(
      hooks,
      ['Time', 'About', 'Items', 'Attempts', 'Last answer'],
      webhooks.slice(0, 20).map(cells),
      'None yet.',
    );
  }

  async function readCounters() {
    const { chats } = await get('stats');
    const { to_phone, from_phone, pending } = chats.WHATSAPP;
    const entries = [
      ['Taken', to_phone, 'messages of businesses'],
      ['From phones', from_phone, ''],
      ['Webhooks due', pending, 'messages and statuses'],
      ['Templates', submitted, `${count(approved)} approved`],
    ];
    counters.replaceChildren(
      ...entries.map(([title, number, note]) =>
        h('div', {}, h('dt', {}, title), h('dd', {}, count(number), h('small', {}, note))),
      ),
    );
  }

  let reading = false;
  let stale = false;
  async function readStats() {
    if (reading) {
      stale = true;
      return;
    }
    reading = true;
    await Promise.all([readCounters(), readHooks()]).catch(() => {
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

  const readAll = () =>
    Promise.all([form.read(), readTemplates(), readNumbers()]).then(readStats, (error) =>
      toast(`WhatsApp cannot be read: ${error.message}.`),
    );
  let offs = [on('whatsapp', readAll), on('stats', readStats), on('message', readStats), on('resync', readAll)];
  readAll();
  get('magic').then(({ template_words }) => {
    words.replaceChildren(
      ...template_words.flatMap(({ word, what }) => [h('dt', {}, h('code', {}, word)), h('dd', {}, what)]),
    );
  });

  return {
    show() {},
    leave() {
      for (const off of offs) off();
      offs = [];
    },
  };
}

function drawTable(box, heads, rows, empty) {
  if (rows.length === 0) {
    box.replaceChildren(h('p', { class: 'empty' }, empty));
    return;
  }
  box.replaceChildren(
    h(
      'table',
      {},
      h('thead', {}, h('tr', {}, ...heads.map((title) => h('th', { scope: 'col' }, title)))),
      h('tbody', {}, ...rows.map((cells) => h('tr', {}, ...cells.map((cell) => h('td', {}, cell))))),
    ),
  );
}
