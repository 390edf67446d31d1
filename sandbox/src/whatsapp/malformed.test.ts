import { expect, test } from 'vitest';
import { type Json, openBox } from '../test/box.ts';
import { app, openWhatsapp, waba } from '../test/whatsapp.ts';

const malformed: Json[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  'x'.repeat(70_000),
  'a\0b',
  '\ud83d',
  '{{1}}',
  '__proto__',
  [],
  [null],
  [[]],
  {},
  { type: null },
  { type: 'constructor' },
  { length: 1e9 },
];

/** Yields variants of a value in which one member is replaced by a malformed value or left out. */
function* variants(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      for (const bad of malformed) yield value.with(at, bad);
      for (const inner of variants(item)) yield value.with(at, inner);
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [field, item] of Object.entries(value)) {
    for (const bad of malformed) yield { ...value, [field]: bad };
    for (const inner of variants(item)) yield { ...value, [field]: inner };
    const { [field]: _, ...rest } = value;
    yield rest;
  }
}

test('any malformed call is accepted or refused with a Graph API error', async () => {
  const box = await openBox();
  const business = await openWhatsapp(box);
  await business.settings({ throughput_per_second: 0 });
  const phone = '447700123456';
  await business.openWindow(phone);
  await business.createApproved('plain', [
    { type: 'HEADER', format: 'TEXT', text: 'For {{1}}', example: { header_text: ['Ann'] } },
    { type: 'BODY', text: 'Hi {{1}}, it is here', example: { body_text: [['Ann']] } },
    {
      type: 'BUTTONS',
      buttons: [{ type: 'URL', text: 'Go', url: 'https://a.example/{{1}}', example: ['https://a.example/1'] }],
    },
  ]);
  const to = { messaging_product: 'whatsapp', to: phone };
  const texts = [{ type: 'text', text: 'Ann' }];
  const rows = [{ id: 'a', title: 'A', description: 'B' }];
  const messages = `${business.number}/messages`;
  const calls: [path: string, body: Json][] = [
    [messages, { ...to, type: 'text', text: { body: 'Hi', preview_url: true }, context: { message_id: 'wamid.x' } }],
    [messages, { ...to, type: 'image', image: { link: 'http://127.0.0.1:1/a.png', caption: 'A' } }],
    [messages, { ...to, type: 'location', location: { latitude: 1, longitude: 2, name: 'A' } }],
    [
      messages,
      {
        ...to,
        type: 'contacts',
        contacts: [{ name: { formatted_name: 'A', first_name: 'A' }, phones: [{ phone: '1' }] }],
      },
    ],
    [messages, { ...to, type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' } }],
    [
      messages,
      {
        ...to,
        type: 'interactive',
        interactive: {
          type: 'list',
          header: { type: 'text', text: 'A' },
          body: { text: 'A' },
          footer: { text: 'A' },
          action: { button: 'A', sections: [{ title: 'A', rows }] },
        },
      },
    ],
    [
      messages,
      {
        ...to,
        type: 'template',
        template: {
          name: 'plain',
          language: { code: 'en' },
          components: [
            { type: 'header', parameters: texts },
            { type: 'body', parameters: texts },
            { type: 'button', sub_type: 'url', index: '0', parameters: texts },
          ],
        },
      },
    ],
    [
      messages,
      { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.x', typing_indicator: { type: 'text' } },
    ],
    [
      `${waba}/message_templates`,
      {
        name: 'a',
        language: 'en',
        category: 'UTILITY',
        components: [
          { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::x'] } },
          { type: 'BODY', text: 'Hi {{1}} there', example: { body_text: [['Ann']] } },
          { type: 'FOOTER', text: 'A' },
          { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'A' }] },
        ],
      },
    ],
    [`${waba}/phone_numbers`, { cc: '44', phone_number: '7700900101', verified_name: 'Acme' }],
    [`${waba}/subscribed_apps`, { override_callback_uri: 'ftp://a', verify_token: 'a' }],
    [`${app}/uploads`, { file_name: 'a.png', file_length: 1, file_type: 'image/png' }],
    [`${business.number}/register`, { messaging_product: 'whatsapp', pin: '123456' }],
    [`${business.number}/verify_code`, { code: '123456' }],
  ];
  let count = 0;
  for (const [path, body] of calls) {
    for (const bad of variants(body)) {
      const response = await business.call('POST', path, bad);
      const isExpected = response.status === 200 || typeof response.body.error?.code === 'number';
      if (!isExpected || response.body.error?.code === 131000)
        throw new Error(`${path} ${JSON.stringify(bad).slice(0, 500)}`);
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(1000);
  await business.sendText(phone);
}, 120_000);
