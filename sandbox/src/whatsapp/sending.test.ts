import { describe, expect, test } from 'vitest';
import { type Box, type Json, openBox, until } from '../test/box.ts';
import { openWhatsapp, type WhatsappBusiness } from '../test/whatsapp.ts';

const phone = '447700123456';

async function start(): Promise<{ box: Box; business: WhatsappBusiness }> {
  const box = await openBox();
  return { box, business: await openWhatsapp(box) };
}

describe('a text message', () => {
  test('reports the statuses sent, delivered, and read with its price and reference', async () => {
    const { box, business } = await start();
    const { hooks } = business;
    await business.openWindow(phone);
    const { body } = await business.message(`+${phone}`, {
      type: 'text',
      text: { body: 'Hello', preview_url: false },
      biz_opaque_callback_data: 'mine-1',
    });
    expect(body).toEqual({
      messaging_product: 'whatsapp',
      contacts: [{ input: `+${phone}`, wa_id: phone, user_id: expect.stringMatching(/^US\.\d+$/) }],
      messages: [{ id: expect.stringMatching(/^wamid\.HBgM[A-Za-z0-9+/]+={0,2}$/) }],
    });
    const { id } = body.messages[0];
    await until(() => hooks.statusesFor(id).length === 3);
    expect([...hooks.statusesFor(id)].sort()).toEqual(['delivered', 'read', 'sent']);
    const sentStatus = hooks.statuses.find(({ status }) => status === 'sent');
    expect(sentStatus).toEqual({
      id,
      status: 'sent',
      timestamp: expect.stringMatching(/^\d{10}$/),
      recipient_id: phone,
      recipient_user_id: body.contacts[0].user_id,
      biz_opaque_callback_data: 'mine-1',
      pricing: { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' },
    });
    expect(hooks.statuses.find(({ status }) => status === 'read').pricing).toBeUndefined();
    const { value } = hooks.changes.find((change) => change.value.statuses);
    expect(value).toMatchObject({
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '447700900100', phone_number_id: business.number },
    });
    const [, message] = await box.thread(phone);
    expect(message).toMatchObject({ status: 'read', from: '447700900100', text: 'Hello', reference: 'mine-1' });
    await until(async () => (await box.get('stats')).chats.WHATSAPP.pending === 0);
  });

  test('is allowed only within 24 hours of a message from the person', async () => {
    const { business } = await start();
    const text = { type: 'text', text: { body: 'Hello' } };
    expect(await business.refusal(phone, text)).toEqual([400, 131047]);
    await business.openWindow(phone);
    await business.sendText(phone);
    await business.settings({ window_refusal: 'webhook' });
    const id = await business.sendText('447700123457');
    await until(() => business.hooks.statusesFor(id).length === 1);
    expect(business.hooks.statuses.at(-1)).toMatchObject({
      status: 'failed',
      errors: [{ code: 131047, title: 'Re-engagement message', error_data: { details: 'Re-engagement message' } }],
    });
  });

  test('uses the user id and does not reveal the number when it is hidden', async () => {
    const { box, business } = await start();
    const settings = (await box.call('PUT', `phones/${phone}`, { number_hidden: true, name: 'Ann' })).body;
    await business.openWindow(phone);
    const { status, body } = await business.call('POST', `${business.number}/messages`, {
      messaging_product: 'whatsapp',
      recipient: settings.user_id,
      text: { body: 'Hello' },
    });
    expect([status, body.contacts]).toEqual([200, [{ input: settings.user_id, user_id: settings.user_id }]]);
    await until(() => business.hooks.statusesFor(body.messages[0].id).length === 3);
    expect(business.hooks.statuses[0]).not.toHaveProperty('recipient_id');
    expect(business.hooks.statuses[0].recipient_user_id).toBe(settings.user_id);
    expect(business.hooks.messages[0]).not.toHaveProperty('from');
    expect(business.hooks.changes.find(({ value }) => value.messages).value.contacts).toEqual([
      { profile: { name: 'Ann' }, user_id: settings.user_id },
    ]);
  });
});

const button = (id: string, title: string) => ({ type: 'reply', reply: { id, title } });
const interactive = (fields: Json) => ({ type: 'interactive', interactive: { body: { text: 'Choose' }, ...fields } });
const row = (at: number) => ({ id: `row-${at}`, title: `Row ${at}`, description: 'More about it' });

describe('a refused call', () => {
  const cases: [name: string, body: Json, status: number, code: number][] = [
    ['the wrong product', { messaging_product: 'sms' }, 400, 100],
    ['no text', { type: 'text' }, 400, 131008],
    ['an empty text', { type: 'text', text: { body: '' } }, 400, 131008],
    ['a text that is too long', { type: 'text', text: { body: 'x'.repeat(4097) } }, 400, 131009],
    ['a text that is not a string', { type: 'text', text: { body: 7 } }, 400, 131009],
    ['a lone surrogate', { type: 'text', text: { body: 'a\ud83d' } }, 400, 131009],
    ['an unknown type', { type: 'fax', fax: {} }, 501, 131051],
    ['a group', { recipient_type: 'group', text: { body: 'x' } }, 400, 131009],
    ["the sender's own number", { to: '447700900100', text: { body: 'x' } }, 400, 131021],
    ['a recipient that is not a number', { to: 'abc', text: { body: 'x' } }, 400, 131009],
    ['no recipient', { to: undefined, text: { body: 'x' } }, 400, 131008],
    ['an invalid user id', { to: undefined, recipient: 'US.1', text: { body: 'x' } }, 400, 131009],
    ['neither an id nor a link', { type: 'image', image: { caption: 'x' } }, 400, 131008],
    ['both an id and a link', { type: 'image', image: { id: '1', link: 'https://a.example/a.png' } }, 400, 131009],
    ['an unknown file', { type: 'image', image: { id: '1' } }, 400, 131009],
    [
      'a caption that is too long',
      { type: 'image', image: { link: 'https://a.example/', caption: 'x'.repeat(1025) } },
      400,
      131009,
    ],
    ['a caption on an audio file', { type: 'audio', audio: { link: 'https://a.example/', caption: 'x' } }, 400, 131009],
    [
      'a button title that is too long',
      interactive({ type: 'button', action: { buttons: [button('a', 'x'.repeat(21))] } }),
      400,
      131009,
    ],
    [
      'four buttons',
      interactive({ type: 'button', action: { buttons: [1, 2, 3, 4].map((n) => button(`${n}`, `${n}`)) } }),
      400,
      131009,
    ],
    [
      'buttons with the same id',
      interactive({ type: 'button', action: { buttons: [button('a', 'A'), button('a', 'B')] } }),
      400,
      131009,
    ],
    [
      'a footer that is too long',
      interactive({ type: 'button', footer: { text: 'x'.repeat(61) }, action: { buttons: [button('a', 'A')] } }),
      400,
      131009,
    ],
    [
      'a body that is too long',
      {
        type: 'interactive',
        interactive: { type: 'button', body: { text: 'x'.repeat(1025) }, action: { buttons: [button('a', 'A')] } },
      },
      400,
      131009,
    ],
    [
      'eleven rows',
      interactive({
        type: 'list',
        action: { button: 'Open', sections: [{ title: 'A', rows: Array.from({ length: 11 }, (_, at) => row(at)) }] },
      }),
      400,
      131009,
    ],
    [
      'a row title that is too long',
      interactive({
        type: 'list',
        action: { button: 'Open', sections: [{ rows: [{ id: 'a', title: 'x'.repeat(25) }] }] },
      }),
      400,
      131009,
    ],
    [
      'an invalid link',
      interactive({ type: 'cta_url', action: { name: 'cta_url', parameters: { display_text: 'Go', url: 'shop' } } }),
      400,
      131009,
    ],
    ['a flow', interactive({ type: 'flow', action: {} }), 501, 131051],
    ['an unknown template', { type: 'template', template: { name: 'nothing', language: { code: 'en' } } }, 404, 132001],
    ['an invalid context', { text: { body: 'x' }, context: { message_id: '7' } }, 400, 131009],
    ['callback data that is too long', { text: { body: 'x' }, biz_opaque_callback_data: 'x'.repeat(513) }, 400, 131009],
  ];
  test('returns its code and does not send a message', async () => {
    const { box, business } = await start();
    await business.openWindow(phone);
    for (const [name, fields, status, code] of cases) {
      expect([name, ...(await business.refusal(phone, fields))]).toEqual([name, status, code]);
    }
    expect((await box.get('chats?channel=WHATSAPP')).chats).toHaveLength(1);
  });

  test('can be triggered with the settings for recipients, limits, codes, and errors', async () => {
    const { business } = await start();
    const other = '447700123457';
    await business.openWindow(phone);
    await business.openWindow(other);
    const text = { text: { body: 'Hello' } };
    await business.settings({ allowed_recipients: [other] });
    expect(await business.refusal(phone, text)).toEqual([400, 131030]);
    await business.settings({ allowed_recipients: [], pair_seconds: 60 });
    expect(await business.refusal(phone, text)).toEqual([200, undefined]);
    expect(await business.refusal(phone, text)).toEqual([400, 131056]);
    expect(await business.refusal(other, text)).toEqual([200, undefined]);
    await business.settings({ pair_seconds: 0, throughput_per_second: 1 });
    const codes = await Promise.all(Array.from({ length: 8 }, () => business.refusal(phone, text)));
    expect(codes.map(([, code]) => code)).toContain(130429);
    await business.settings({ throughput_per_second: 0, fail_code: 131031 });
    expect(await business.refusal(phone, text)).toEqual([403, 131031]);
    await business.settings({ fail_code: 0, server_errors_percent: 100 });
    expect(await business.refusal(phone, text)).toEqual([503, 2]);
    await business.settings({ server_errors_percent: 0, fail_webhook_code: 131049 });
    const id = await business.sendText(phone);
    await until(() => business.hooks.statusesFor(id).length === 1);
    expect(business.hooks.statuses.at(-1).errors[0].code).toBe(131049);
    expect((await business.settings({ fail_code: 99_999 })).status).toBe(422);
  });
});

describe('interactive messages', () => {
  test('show buttons and rows that can be pressed and report the choice', async () => {
    const { box, business } = await start();
    await business.openWindow(phone);
    const buttons = await business.send(
      phone,
      interactive({
        type: 'button',
        header: { type: 'text', text: 'Shoes' },
        footer: { text: 'Acme' },
        action: { buttons: [button('yes', 'Yes please'), button('no', 'No')] },
      }),
    );
    const rows = await business.send(
      phone,
      interactive({ type: 'list', action: { button: 'Sizes', sections: [{ title: 'All', rows: [row(1), row(2)] }] } }),
    );
    await business.send(
      phone,
      interactive({
        type: 'cta_url',
        action: { name: 'cta_url', parameters: { display_text: 'Go', url: 'https://shop.example' } },
      }),
    );
    const [, first, , third] = await box.thread(phone);
    expect(first.content).toEqual({
      kind: 'interactive',
      text: 'Choose',
      header: 'Shoes',
      footer: 'Acme',
      buttons: [
        { type: 'quick_reply', text: 'Yes please', value: 'yes' },
        { type: 'quick_reply', text: 'No', value: 'no' },
      ],
    });
    const press = (message_id: string, place: string | number) =>
      box.call('POST', `phones/${phone}/messages`, { channel: 'WHATSAPP', press: { message_id, button: place } });
    expect((await press(buttons, 'Yes please')).body).toMatchObject({ text: 'Yes please', reply_to: buttons });
    await press(rows, 1);
    expect((await press(third.id, 0)).status).toBe(422);
    expect((await press(buttons, 'Maybe')).status).toBe(422);
    await until(() => business.hooks.messages.length === 3);
    const replies = business.hooks.messages.slice(1);
    expect(replies[0]).toMatchObject({
      type: 'interactive',
      context: { from: '447700900100', id: buttons },
      interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes please' } },
    });
    expect(replies[1].interactive).toEqual({
      type: 'list_reply',
      list_reply: { id: 'row-2', title: 'Row 2', description: 'More about it' },
    });
    expect((await box.thread(phone))[1].pressed).toEqual([0]);
  });
});

test('a business can mark a message as read and show a typing indicator', async () => {
  const { box, business } = await start();
  const incomingId = await business.openWindow(phone);
  await until(async () => (await box.thread(phone))[0].status === 'delivered');
  const sendReadReceipt = (message_id: string, fields = {}) =>
    business.call('POST', `${business.number}/messages`, {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id,
      ...fields,
    });
  expect((await sendReadReceipt('wamid.nothing')).body.error.code).toBe(131009);
  expect((await sendReadReceipt(incomingId.message_ids[0], { typing_indicator: { type: 'text' } })).body).toEqual({
    success: true,
  });
  expect((await box.thread(phone))[0].status).toBe('read');
});

test('a message is not delivered while the phone lacks WhatsApp, is off, or has stopped marketing', async () => {
  const { box, business } = await start();
  await business.createApproved('offer', [{ type: 'BODY', text: 'Ten percent off today' }]);
  const offer = async () => (await business.template(phone, 'offer')).body.messages[0].id;
  await box.call('PUT', `phones/${phone}`, { whatsapp: false });
  const undeliverable = await offer();
  await until(() => business.hooks.statusesFor(undeliverable).length === 1);
  expect(business.hooks.statuses[0].errors[0]).toMatchObject({ code: 131026, title: 'Message undeliverable' });
  await box.call('PUT', `phones/${phone}`, { whatsapp: true, state: 'off', reads: 'by_hand' });
  const queued = await offer();
  await until(() => business.hooks.statusesFor(queued).length === 1);
  expect((await box.get(`phones/${phone}/messages`)).phone.waiting).toBe(1);
  await box.call('PUT', `phones/${phone}`, { state: 'on' });
  await until(() => business.hooks.statusesFor(queued).length === 2);
  expect(business.hooks.statusesFor(queued)).toEqual(['sent', 'delivered']);
  await box.call('POST', `phones/${phone}/read`, { channel: 'WHATSAPP', from: '+447700900100' });
  await until(() => business.hooks.statusesFor(queued).length === 3);
  await box.call('PUT', `phones/${phone}`, { marketing_stopped: true });
  await until(() => business.hooks.events('user_preferences').length === 1);
  expect(business.hooks.events('user_preferences')[0].user_preferences[0]).toMatchObject({
    wa_id: phone,
    value: 'stop',
  });
  const refusal = await offer();
  await until(() => business.hooks.statusesFor(refusal).length === 1);
  expect(business.hooks.statuses.at(-1).errors[0].code).toBe(131050);
});

test('the messaging limit counts people who were messaged outside the window in the last 24 hours', async () => {
  const { business } = await start();
  await business.createApproved('offer', [{ type: 'BODY', text: 'Ten percent off today' }]);
  await business.settings({ messaging_limit: 2 });
  expect((await business.callOk('GET', `${business.number}?fields=messaging_limit_tier`)).messaging_limit_tier).toBe(
    'TIER_250',
  );
  const code = async (to: string) => (await business.template(to, 'offer')).body.error?.code;
  const people = [phone, '447700123457', '447700123458'];
  expect([await code(people[0]!), await code(people[1]!), await code(people[2]!)]).toEqual([
    undefined,
    undefined,
    131064,
  ]);
  expect(await code(people[0]!)).toBeUndefined();
  await business.openWindow(people[2]!);
  expect(await code(people[2]!)).toBeUndefined();
});
