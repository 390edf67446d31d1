import { describe, expect, test } from 'vitest';
import { type Box, type Json, openBox, until } from '../../test/box.ts';
import { app, openWhatsapp, token, type WhatsappBusiness, waba } from '../../test/whatsapp.ts';

const phone = '447700123456';
const body = (text = 'Your order is on its way', example?: string[]) => ({
  type: 'BODY',
  text,
  ...(example && { example: { body_text: [example] } }),
});

async function start(): Promise<{ box: Box; business: WhatsappBusiness }> {
  const box = await openBox();
  return { box, business: await openWhatsapp(box) };
}

const create = (business: WhatsappBusiness, fields: Json) =>
  business.call('POST', `${waba}/message_templates`, {
    name: 'order_update',
    language: 'en',
    category: 'UTILITY',
    components: [body()],
    ...fields,
  });

async function sample(business: WhatsappBusiness, bytes: Buffer, type: string): Promise<string> {
  const query = `file_name=a.png&file_length=${bytes.length}&file_type=${encodeURIComponent(type)}`;
  const { id } = await business.callOk('POST', `${app}/uploads?${query}`);
  const half = Math.floor(bytes.length / 2);
  const headers = (file_offset: number) => ({ authorization: `OAuth ${token}`, file_offset: String(file_offset) });
  await business.call('POST', id, bytes.subarray(0, half), headers(0));
  expect((await business.callOk('GET', id)).file_offset).toBe(half);
  expect((await business.call('POST', id, bytes.subarray(half), headers(0))).status).toBe(400);
  return (await business.call('POST', id, bytes.subarray(half), headers(half))).body.h;
}

describe('a new template', () => {
  const buttons = (...list: Json[]) => ({ type: 'BUTTONS', buttons: list });
  const quickReply = (text: string) => ({ type: 'QUICK_REPLY', text });
  const url = (text: string, address = 'https://shop.example/', fields = {}) => ({
    type: 'URL',
    text,
    url: address,
    ...fields,
  });
  const header = (text: string, fields = {}) => ({ type: 'HEADER', format: 'TEXT', text, ...fields });
  const refusals: [name: string, more: Json][] = [
    ['a name with capitals', { name: 'Order' }],
    ['an unknown language', { language: 'xx' }],
    ['an unknown category', { category: 'SPAM' }],
    ['no components', { components: [] }],
    ['no body', { components: [{ type: 'FOOTER', text: 'Acme' }] }],
    ['two bodies', { components: [body(), body()] }],
    ['an unknown component', { components: [body(), { type: 'SIDEBAR' }] }],
    ['a body that is too long', { components: [body('x'.repeat(1025))] }],
    ['a variable without a sample', { components: [body('Hi {{1}}, it is on its way')] }],
    ['variables with a gap', { components: [body('Hi {{1}} and {{3}}, all is well', ['A', 'B'])] }],
    ['a variable at the start', { components: [body('{{1}} is on its way', ['A'])] }],
    ['a variable at the end', { components: [body('It is on its way to {{1}}', ['A'])] }],
    ['too many variables', { components: [body('a {{1}} {{2}} {{3}} b', ['A', 'B', 'C'])] }],
    ['an unclosed variable', { components: [body('Hi {{1, all is well')] }],
    ['named variables instead of numbered ones', { components: [body('Hi {{name}}, all is well', ['A'])] }],
    ['a header that is too long', { components: [header('x'.repeat(61)), body()] }],
    [
      'two variables in a header',
      { components: [header('{{1}} {{2}}', { example: { header_text: ['A', 'B'] } }), body()] },
    ],
    ['an emoji in a header', { components: [header('Hot 🔥'), body()] }],
    ['a header file without a sample', { components: [{ type: 'HEADER', format: 'IMAGE' }, body()] }],
    ['a footer that is too long', { components: [body(), { type: 'FOOTER', text: 'x'.repeat(61) }] }],
    ['a footer with a variable', { components: [body(), { type: 'FOOTER', text: 'Hi {{1}}' }] }],
    [
      'eleven buttons',
      { components: [body(), buttons(...Array.from({ length: 11 }, (_, at) => quickReply(`${at}`)))] },
    ],
    ['three links', { components: [body(), buttons(url('A'), url('B'), url('C'))] }],
    [
      'two phone numbers',
      {
        components: [
          body(),
          buttons(...['A', 'B'].map((text) => ({ type: 'PHONE_NUMBER', text, phone_number: '447700900100' }))),
        ],
      },
    ],
    ['identical buttons', { components: [body(), buttons(quickReply('A'), quickReply('A'))] }],
    ['a button text that is too long', { components: [body(), buttons(quickReply('x'.repeat(26)))] }],
    [
      'quick replies on both sides of a link',
      { components: [body(), buttons(quickReply('A'), url('B'), quickReply('C'))] },
    ],
    ['a variable inside a link', { components: [body(), buttons(url('A', 'https://a.example/{{1}}/b'))] }],
    ['a link with a variable and no sample', { components: [body(), buttons(url('A', 'https://a.example/{{1}}'))] }],
    [
      'custom text for a verification code',
      { category: 'AUTHENTICATION', components: [body('Your code'), buttons({ type: 'OTP', otp_type: 'COPY_CODE' })] },
    ],
  ];
  test('is refused with code 100 and details when it is invalid', async () => {
    const { box, business } = await start();
    for (const [name, fields] of refusals) {
      const response = await create(business, fields);
      expect([name, response.status, response.body.error?.code]).toEqual([name, 400, 100]);
      expect(response.body.error.error_data.details.length).toBeGreaterThan(10);
    }
    expect((await box.get('whatsapp/templates')).templates).toEqual([]);
    expect((await create(business, {})).body).toMatchObject({ status: 'PENDING', category: 'UTILITY' });
    expect((await create(business, {})).body.error.error_subcode).toBe(2388024);
  });

  test('can have all components and is approved, reported by webhook, listed, and sent', async () => {
    const { box, business } = await start();
    const png = Buffer.from('89504e470d0a1a0a00', 'hex');
    const handle = await sample(business, png, 'image/png');
    const id = await business.createApproved('everything', [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } },
      body('Hi {{1}}, your {{2}} is waiting.', ['Ann', 'order']),
      { type: 'FOOTER', text: 'Acme' },
      buttons(
        url('Open', 'https://shop.example/{{1}}', { example: ['https://shop.example/7'] }),
        { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+447700900100' },
        { type: 'COPY_CODE', example: 'SAVE10' },
        quickReply('Stop'),
      ),
    ]);
    await until(() => business.hooks.events('message_template_status_update').length === 1);
    expect(business.hooks.events('message_template_status_update')[0]).toEqual({
      event: 'APPROVED',
      message_template_id: Number(id),
      message_template_name: 'everything',
      message_template_language: 'en',
      reason: 'NONE',
      message_template_category: 'MARKETING',
    });
    const { data } = await business.callOk(
      'GET',
      `${waba}/message_templates?name=every&status=APPROVED&fields=name,status`,
    );
    expect(data).toEqual([{ id, name: 'everything', status: 'APPROVED' }]);
    const components = (parameters: Json[], extra: Json[] = []) => [
      { type: 'header', parameters: [{ type: 'image', image: { link: `${business.origin}/mark.svg` } }] },
      { type: 'body', parameters },
      ...extra,
    ];
    const texts = (...list: string[]) => list.map((text) => ({ type: 'text', text }));
    const both = [
      { type: 'button', sub_type: 'url', index: '0', parameters: texts('7') },
      { type: 'button', sub_type: 'copy_code', index: 2, parameters: [{ type: 'coupon_code', coupon_code: 'SAVE10' }] },
    ];
    const code = async (parts: Json[], language?: string) => {
      const response = await business.template(phone, 'everything', parts, language);
      return [response.status, response.body.error?.code];
    };
    expect(await code(components(texts('Ann'), both))).toEqual([400, 132000]);
    expect(await code(components(texts('Ann', 'order', 'more'), both))).toEqual([400, 132000]);
    expect(await code(components([{ type: 'image' }, ...texts('a')], both))).toEqual([400, 132012]);
    expect(await code(components(texts('Ann', 'two\nlines'), both))).toEqual([400, 132018]);
    expect(await code(components(texts('Ann', 'x'.repeat(1100)), both))).toEqual([400, 132005]);
    expect(await code(components(texts('Ann', 'order')))).toEqual([400, 131008]);
    expect(await code([{ type: 'body', parameters: texts('Ann', 'order') }, ...both])).toEqual([400, 132012]);
    expect(await code(components(texts('Ann', 'order'), both), 'en_US')).toEqual([404, 132001]);
    const upload = new FormData();
    upload.set('messaging_product', 'whatsapp');
    upload.set('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'a.png');
    const media = (await business.call('POST', `${business.number}/media`, upload)).body.id;
    const parts = components(texts('Ann', 'order'), both);
    parts[0]!.parameters = [{ type: 'image', image: { id: media } }];
    const { body: response } = await business.template(phone, 'everything', parts);
    expect(response.messages[0].message_status).toBe('accepted');
    await until(() => business.hooks.statusesFor(response.messages[0].id).includes('delivered'));
    expect(business.hooks.statuses[0].pricing).toEqual({
      billable: true,
      pricing_model: 'PMP',
      type: 'regular',
      category: 'marketing',
    });
    expect((await box.thread(phone))[0].content).toEqual({
      kind: 'template',
      template: { name: 'everything', language: 'en', category: 'MARKETING' },
      text: 'Hi Ann, your order is waiting.',
      footer: 'Acme',
      media: { url: expect.stringMatching(/^\/files\/[0-9a-f]{64}\?/), mime: 'image/png', file_name: 'a.png', size: 9 },
      buttons: [
        { type: 'url', text: 'Open', value: 'https://shop.example/7' },
        { type: 'phone_call', text: 'Call', value: '+447700900100' },
        { type: 'copy_code', text: 'Copy offer code', value: 'SAVE10' },
        { type: 'quick_reply', text: 'Stop', value: 'Stop' },
      ],
    });
    const press = { message_id: response.messages[0].id, button: 'Stop' };
    await box.call('POST', `phones/${phone}/messages`, { channel: 'WHATSAPP', press });
    await until(() => business.hooks.messages.length === 1);
    expect(business.hooks.messages[0]).toMatchObject({ type: 'button', button: { payload: 'Stop', text: 'Stop' } });
  });

  test('can have named parameters or a verification code', async () => {
    const { box, business } = await start();
    await business.createApproved(
      'named',
      [
        {
          type: 'BODY',
          text: 'Hi {{first_name}}, welcome!',
          example: { body_text_named_params: [{ param_name: 'first_name', example: 'Ann' }] },
        },
      ],
      { parameter_format: 'NAMED' },
    );
    const parameter = (parameter_name: string) => [
      { type: 'body', parameters: [{ type: 'text', parameter_name, text: 'Bo' }] },
    ];
    expect((await business.template(phone, 'named', parameter('name'))).body.error.code).toBe(132012);
    expect((await business.template(phone, 'named', parameter('first_name'))).status).toBe(200);
    await business.createApproved(
      'code',
      [
        { type: 'BODY', add_security_recommendation: true },
        { type: 'FOOTER', code_expiration_minutes: 5 },
        { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
      ],
      { category: 'AUTHENTICATION' },
    );
    const text = [{ type: 'text', text: '481516' }];
    const components = [
      { type: 'body', parameters: text },
      { type: 'button', sub_type: 'url', index: '0', parameters: text },
    ];
    expect((await business.template(phone, 'code', components)).status).toBe(200);
    const [first, second] = await box.thread(phone);
    expect(first.text).toBe('Hi Bo, welcome!');
    expect(second.content).toMatchObject({
      text: '*481516* is your verification code. For your security, do not share this code.',
      footer: 'This code expires in 5 minutes.',
      buttons: [{ type: 'copy_code', text: 'Copy code', value: '481516' }],
    });
  });
});

describe('a template review', () => {
  test.each([
    ['reject_abusive', 'ABUSIVE_CONTENT'],
    ['reject_category', 'INCORRECT_CATEGORY'],
    ['reject_format', 'INVALID_FORMAT'],
    ['reject_promotional', 'PROMOTIONAL'],
    ['reject_mismatch', 'TAG_CONTENT_MISMATCH'],
    ['reject_scam', 'SCAM'],
  ])('rejects %s as %s, and the template can be edited and resubmitted', async (word, reason) => {
    const { business } = await start();
    const { id } = (await create(business, { components: [body(`Hello ${word.toUpperCase()} there`)] })).body;
    const { hooks } = business;
    await until(() => hooks.events('message_template_status_update').length === 1);
    expect(hooks.events('message_template_status_update')[0]).toMatchObject({ event: 'REJECTED', reason });
    expect(await business.callOk('GET', id)).toMatchObject({ status: 'REJECTED', rejected_reason: reason });
    expect((await business.template(phone, 'order_update')).body.error.code).toBe(132001);
    await business.callOk('POST', id, { components: [body()] });
    await until(async () => (await business.callOk('GET', id)).status === 'APPROVED');
  });

  test('can be decided manually', async () => {
    const { box, business } = await start();
    const { id } = (await create(business, { name: 'stay_pending' })).body;
    expect((await business.call('POST', id, { components: [body()] })).body.error.error_subcode).toBe(2388025);
    const decide = (change: Json) => box.call('PUT', `whatsapp/templates/${id}`, change);
    expect((await decide({ status: 'LOVED' })).status).toBe(422);
    await decide({ status: 'APPROVED', quality: 'GREEN' });
    expect((await business.template(phone, 'stay_pending')).status).toBe(200);
    await decide({ quality: 'RED', status: 'PAUSED' });
    expect((await business.template(phone, 'stay_pending')).body.error.code).toBe(132015);
    await decide({ status: 'DISABLED' });
    expect((await business.template(phone, 'stay_pending')).body.error.code).toBe(132016);
    const { hooks } = business;
    await until(() => hooks.events('message_template_status_update').length === 3);
    const events = hooks.events('message_template_status_update');
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['APPROVED', 'PAUSED', 'DISABLED']));
    expect(events.find(({ event }) => event === 'PAUSED').other_info.title).toBe('FIRST_PAUSE');
    await until(() => hooks.events('message_template_quality_update').length === 2);
  });

  test('can change the template’s category, and a template can be paused after it is sent', async () => {
    const { business } = await start();
    const moved = (await create(business, { name: 'recategorize_me' })).body.id;
    await until(() => business.hooks.events('template_category_update').length === 1);
    expect(business.hooks.events('template_category_update')[0]).toEqual({
      message_template_id: Number(moved),
      message_template_name: 'recategorize_me',
      message_template_language: 'en',
      previous_category: 'UTILITY',
      new_category: 'MARKETING',
    });
    await business.createApproved('pause_later', [body()]);
    expect((await business.template(phone, 'pause_later')).status).toBe(200);
    expect((await business.template(phone, 'pause_later')).body.error.code).toBe(132015);
  });
});

test('an approved template can be edited once a day, and its name is reserved after deletion', async () => {
  const { business } = await start();
  const id = await business.createApproved('seldom', [body()]);
  const edit = (fields: Json) => business.call('POST', id, fields);
  expect((await edit({ category: 'UTILITY' })).body.error.error_subcode).toBe(2388025);
  expect((await edit({ name: 'other' })).body.error.code).toBe(100);
  expect((await edit({ components: [body('Something new for you')] })).status).toBe(200);
  await until(async () => (await business.callOk('GET', id)).status === 'APPROVED');
  expect((await edit({ components: [body('Once more for you')] })).body.error.error_subcode).toBe(2388025);
  expect((await business.call('DELETE', `${waba}/message_templates?name=nothing`)).body.error.error_subcode).toBe(
    2593002,
  );
  await business.callOk('DELETE', `${waba}/message_templates?name=seldom&hsm_id=${id}`);
  await until(() =>
    business.hooks.events('message_template_status_update').some(({ event }) => event === 'PENDING_DELETION'),
  );
  expect((await create(business, { name: 'seldom' })).body.error.error_subcode).toBe(2388023);
  for (const name of ['a', 'b', 'c']) await create(business, { name });
  const first = await business.callOk('GET', `${waba}/message_templates?limit=2&fields=name`);
  expect(first.data.map(({ name }: Json) => name)).toEqual(['a', 'b']);
  const next = await fetch(first.paging.next, { headers: { authorization: `Bearer ${token}` } });
  expect(((await next.json()) as Json).data.map(({ name }: Json) => name)).toEqual(['c']);
});
