import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Json, until } from '../test/box.ts';
import { openReceiver } from '../test/receiver.ts';
import { bareDigits, openViber, request, token, type ViberSender } from '../test/viber.ts';

const phone = '447700123456';
const image = 'https://cdn.example/sale.png';

const fetchRefusals = async ({ box }: ViberSender) => (await box.get('viber/stats')).refused;
const thread = (business: ViberSender) => business.box.thread(phone);
const inSession = (fields: Json = {}) => ({ type: 306, ...fields });

describe('a message', () => {
  test('has a token too large for a double and is delivered and seen', async () => {
    const business = await openViber();
    const body = JSON.stringify({ ...request(), seq: 0 }).replace('"seq":0', '"seq":9007199254740993');
    const { status, text, json } = await business.post(body);
    expect(status).toBe(200);
    const message_token = bareDigits(text, 'message_token')!;
    expect(String(json.message_token)).not.toBe(message_token);
    expect(BigInt(message_token)).toBeGreaterThan(2n ** 53n);
    expect(text).toBe(`{"status":0,"message_token":${message_token},"seq":9007199254740993}`);
    await until(() => business.callbackStatuses(message_token).length === 2);
    const [delivered, readCallback] = business.receiver.received;
    expect(delivered!.body).toMatch(
      new RegExp(
        `^{"message_token":${message_token},"message_status":0,"message_time":\\d{13},` +
          `"phone_number":"${phone}","service_id":30001}$`,
      ),
    );
    expect(readCallback!.json.message_status).toBe(1);
    expect(delivered!.headers).toMatchObject({
      'content-type': 'application/json',
      'x-viber-content-signature': createHmac('sha256', token).update(delivered!.body).digest('hex'),
    });
    const [message] = await thread(business);
    expect(message).toMatchObject({
      channel: 'VIBER',
      from: 'Parley',
      text: 'Hello',
      status: 'read',
      reference: 't-1',
      business_id: '30001',
      message_ids: [message_token],
    });
    const { messages } = await business.box.get(`viber/messages?to=${phone}&text=Hel&service_id=30001`);
    expect(messages).toMatchObject([
      {
        message_token,
        type: 206,
        label: 'transaction',
        ttl_seconds: 1_209_600,
        tracking_data: 't-1',
        session_id: null,
      },
    ]);
    await until(async () => (await business.box.get('viber/stats')).callbacks.pending === 0);
  });

  test('shows its picture, text, and button on the phone, and the button opens its URL once', async () => {
    const business = await openViber();
    const cdn = await openReceiver('/sale.png');
    const shop = await openReceiver('/s/abc');
    const { message_token } = await business.send({
      type: 208,
      label: 'promotion',
      message: { '#txt': 'Sale', '#img': cdn.url, '#caption': 'Shop now', '#action': shop.url },
    });
    await until(async () => (await thread(business))[0].status === 'read');
    const [message] = await thread(business);
    expect(message.content).toMatchObject({
      kind: 'image',
      caption: 'Sale',
      buttons: [{ type: 'url', text: 'Shop now', value: shop.url }],
      media: { url: `/viber/media/${message_token}/sale.png`, mime: 'image/png' },
    });
    expect(shop.received).toEqual([]);
    const press = await business.write(phone, { press: { message_id: message_token, button: 'Shop now' } });
    expect(press.body).toMatchObject({ pressed: [0] });
    expect(shop.received).toHaveLength(1);
    const linkPress = await business.write(phone, { press: { message_id: message_token, button: 0, opened: true } });
    expect(linkPress.status).toBe(201);
    const unknownButton = await business.write(phone, { press: { message_id: message_token, button: 'Other' } });
    expect(unknownButton.status).toBe(422);
    expect(shop.received).toHaveLength(1);
  });

  test('loads its file from the link when a phone shows it', async () => {
    const business = await openViber();
    const source = await business.box.call('POST', 'files?name=bill.pdf', '%PDF bill', {
      'content-type': 'application/pdf',
    });
    const http = `http://127.0.0.1:${business.box.sandbox.ports.http}`;
    await business.send({
      type: 222,
      file_type: 'pdf',
      message: {
        '#txt': undefined,
        '#tracking_data': undefined,
        '#action': `${http}${source.body.url}`,
        '#fileName': 'bill.pdf',
      },
    });
    const [message] = await thread(business);
    expect(message.content).toMatchObject({ kind: 'document', media: { file_name: 'bill.pdf' } });
    const response = await fetch(http + message.content.media.url);
    expect([response.status, await response.text()]).toEqual([200, '%PDF bill']);
    expect((await fetch(`${http}/viber/media/123/bill.pdf`)).status).toBe(404);
  });

  test('is not stored when it is refused with a status and HTTP 200', async () => {
    const business = await openViber();
    const cases: [body: string, response: string][] = [
      ['{', '{"status":3,"seq":0}'],
      ['', '{"status":3,"seq":0}'],
      [' '.repeat(300_000), '{"status":3,"seq":0}'],
      [JSON.stringify(request({ service_id: 5, seq: 7 })), '{"status":2,"seq":7}'],
      [JSON.stringify(request({ ttl: 5, seq: 8 })), '{"status":20,"seq":8}'],
    ];
    for (const [body, response] of cases)
      expect(await business.post(body)).toMatchObject({ status: 200, text: response });
    expect(await fetchRefusals(business)).toEqual({ 2: 1, 3: 2, 20: 1 });
    expect(await thread(business)).toEqual([]);
    const { lately } = await business.box.get('viber/stats');
    expect(lately[0]).toMatchObject({ status: 20, to: phone, service_id: 30001, words: 'invalid TTL' });
  });

  test("is delivered or refused depending on the phone's state, apps, and blocked services", async () => {
    const business = await openViber();
    await business.box.call('PUT', `phones/${phone}`, { viber: false });
    expect(await business.send()).toMatchObject({ status: 9 });
    await business.box.call('PUT', `phones/${phone}`, { viber: true, viber_blocked: [30001] });
    expect(await business.send()).toMatchObject({ status: 8 });
    await business.box.call('PUT', `phones/${phone}`, { viber_blocked: [] });
    await until(() => business.receiver.received.length === 2);
    expect(business.receiver.received.map(({ json }) => json.event)).toEqual(['unsubscribed', 'subscribed']);
    expect(business.receiver.received[0]!.json).toMatchObject({ phone_number: phone, service_id: 30001 });

    await business.box.call('PUT', `phones/${phone}`, { state: 'reject' });
    expect(await business.send()).toMatchObject({ status: 8 });

    await business.box.call('PUT', `phones/${phone}`, { state: 'full', reads: 'by_hand' });
    const { message_token } = await business.send();
    expect((await thread(business))[0].status).toBe('accepted');
    await business.box.call('PUT', `phones/${phone}`, { state: 'on' });
    await until(() => business.callbackStatuses(message_token).length === 1);
    expect((await business.box.call('POST', `phones/${phone}/read`, { channel: 'VIBER' })).body).toEqual({ read: 1 });
    await until(() => business.callbackStatuses(message_token).length === 2);
    expect(business.callbackStatuses(message_token)).toEqual([0, 1]);

    await business.box.call('PUT', `phones/${phone}`, { state: 'off' });
    const undelivered = await business.send();
    const waiting = [...business.box.sandbox.world.messages.kept.after(0)].at(-1)!;
    expect(waiting.kind === 'chat' && Number(waiting.extra?.expires) - waiting.time).toBeGreaterThan(1_209_000_000);
    expect(business.callbackStatuses(undelivered.message_token)).toEqual([]);
  });
});

describe('a session', () => {
  test('is opened only by the phone, keeps its id and tracking data, and expires', async () => {
    const business = await openViber();
    expect(await business.send(inSession())).toMatchObject({ status: 21 });
    await business.send({ message: { '#txt': 'Any questions?', '#tracking_data': 'talk-7' } });
    expect(await business.send(inSession())).toMatchObject({ status: 21 });
    expect((await business.write(phone, { text: 'Yes!' })).status).toBe(201);
    await until(() => business.messages.length === 1);
    const { body, json } = business.receiver.received.find((request) => request.json.message)!;
    expect(json).toMatchObject({
      phone_number: phone,
      service_id: 30001,
      message: { type: 'text', text: 'Yes!', tracking_data: 'talk-7' },
    });
    const session_id = bareDigits(body, 'session_id');
    expect(await business.send(inSession())).toMatchObject({ status: 0, session_id });
    expect(await business.send(inSession({ type: 307, message: { '#txt': undefined, '#img': image } }))).toMatchObject({
      status: 0,
      session_id,
    });
    expect((await business.box.get(`viber/sessions?phone=${phone}`)).sessions).toMatchObject([
      { service_id: 30001, session_id, open: true, messages: 2, unanswered: 2 },
    ]);
    await business.settings({ session_length_ms: 0 });
    expect(await business.send(inSession())).toMatchObject({ status: 21 });
    await business.settings({ session_length_ms: 3_600_000 });
    expect(await business.send(inSession())).toMatchObject({ status: 0, session_id });
  });

  test('limits unanswered messages and the total number of messages', async () => {
    const business = await openViber();
    await business.settings({ messages_unanswered: 3, messages_per_session: 5 });
    await business.write(phone, { text: 'Hello?' });
    const statuses = async (count: number) => {
      const results = [];
      for (let index = 0; index < count; index += 1) results.push((await business.send(inSession())).status);
      return results;
    };
    expect(await statuses(4)).toEqual([0, 0, 0, 21]);
    expect(await business.send()).toMatchObject({ status: 0 });
    await business.write(phone, { text: 'I am here' });
    expect(await statuses(3)).toEqual([0, 0, 21]);
    await business.write(phone, { text: 'Still here' });
    expect(await statuses(1)).toEqual([21]);
  });

  test('enforces its limit when requests arrive at the same time', async () => {
    const business = await openViber();
    await business.write(phone, { text: 'Hello?' });
    const responses = await Promise.all(Array.from({ length: 25 }, () => business.send(inSession())));
    expect(responses.filter(({ status }) => status === 0)).toHaveLength(10);
    expect(responses.filter(({ status }) => status === 21)).toHaveLength(15);
  });

  test('is refused for a one-way service and for a blocked service', async () => {
    const business = await openViber();
    await business.box.call('PUT', 'viber/services/30001', { two_way: false });
    expect(await business.send(inSession())).toMatchObject({ status: 13 });
    expect((await business.write(phone, { text: 'Hi' })).body.errors[0].code).toBe('one_way');
    await business.box.call('PUT', 'viber/services/30001', { two_way: true });
    await business.box.call('PUT', `phones/${phone}`, { viber_blocked: [30001] });
    expect((await business.write(phone, { text: 'Hi' })).body.errors[0].code).toBe('blocked');
    expect((await business.write(phone, { to: 'Nobody', text: 'Hi' })).body.errors[0].field).toBe('to');
  });
});

test('a phone sends pictures and files that the business can download', async () => {
  const business = await openViber();
  const { box } = business;
  const picture = await box.call('POST', 'files?name=cat.png', 'png bytes', { 'content-type': 'image/png' });
  await business.write(phone, { to: 'parley', media_url: picture.body.url, text: 'My cat' });
  const bill = await box.call('POST', 'files?name=bill.pdf', 'pdf bytes', { 'content-type': 'application/pdf' });
  await business.write(phone, { to: undefined, media_url: bill.body.url });
  await until(() => business.messages.length === 2);
  const [first, second] = business.messages.map(({ message }) => message);
  expect(first).toMatchObject({ type: 'picture', text: 'My cat', media: expect.stringMatching(/\/cat\.png$/) });
  expect(first).not.toHaveProperty('tracking_data');
  expect(second).toMatchObject({ type: 'file', file_name: 'bill.pdf', size: 9 });
  const response = await fetch(second.media);
  expect([response.headers.get('content-type'), await response.text()]).toEqual(['application/pdf', 'pdf bytes']);
});

test('templates can be created, filled, replaced, and removed', async () => {
  const business = await openViber();
  const { box } = business;
  const text = 'Hello {{name}}, your parcel {{ parcel }} is here.';
  const response = await box.call('POST', 'viber/templates', { text });
  expect(response).toMatchObject({ status: 201, body: { language: 'en', text, params: ['name', 'parcel'] } });
  const { template_id } = response.body;
  const values = { name: 'Ann', parcel: 'X1' };
  const filled = { type: 1702, templateId: template_id, templateLang: 'en', templateParams: values };
  const send = async () =>
    JSON.parse((await business.post(JSON.stringify({ ...request(filled), message: undefined }))).text);
  expect(await send()).toMatchObject({ status: 0 });
  const [message] = await thread(business);
  expect(message).toMatchObject({
    text: 'Hello Ann, your parcel X1 is here.',
    content: { kind: 'template', template: { name: template_id, language: 'en', category: 'transactional' } },
  });
  await box.call('POST', 'viber/templates', { template_id, text: 'Hi {{name}}, {{parcel}}', language: 'EN' });
  expect((await box.get('viber/templates')).templates).toEqual([
    { template_id, language: 'en', text: 'Hi {{name}}, {{parcel}}', params: ['name', 'parcel'] },
  ]);
  expect((await box.call('DELETE', `viber/templates/${template_id}`)).status).toBe(204);
  expect((await box.call('DELETE', `viber/templates/${template_id}`)).status).toBe(404);
  expect(await send()).toMatchObject({ status: 38 });
  for (const body of [{}, { text: ' ' }, { text: 'x', template_id: 'a b' }, { text: 'x'.repeat(1001) }]) {
    expect((await box.call('POST', 'viber/templates', body)).status).toBe(422);
  }
});

test('services can be created and changed, each with its own token, callback URL, and rights', async () => {
  const business = await openViber();
  const { box } = business;
  const other = await openReceiver('/other');
  const response = await box.call('POST', 'viber/services', {
    name: 'Acme',
    callback_url: other.url,
    promotional: false,
  });
  expect(response).toMatchObject({ status: 201, body: { service_id: 30002, name: 'Acme', two_way: true } });
  const { service_id, auth_token } = response.body;
  await business.send({ service_id });
  await until(() => other.received.length === 2);
  const { body, headers } = other.received[0]!;
  expect(headers['x-viber-content-signature']).toBe(createHmac('sha256', auth_token).update(body).digest('hex'));
  expect(business.receiver.received).toEqual([]);
  expect(await business.send({ service_id, type: 225 })).toMatchObject({ status: 13 });
  await box.call('PUT', `viber/services/${service_id}`, { blocked: true });
  expect(await business.send({ service_id })).toMatchObject({ status: 43 });
  await box.call('PUT', `viber/services/${service_id}`, { blocked: false, address_allowed: false });
  expect(await business.send({ service_id })).toMatchObject({ status: 401 });
  const { services } = await box.get('viber/services');
  expect(services.map((service: Json) => [service.service_id, service.last_callback?.answer])).toEqual([
    [30001, undefined],
    [30002, 'HTTP 200'],
  ]);
  for (const [path, body] of [
    ['viber/services', {}],
    ['viber/services', { name: 'A', callback_url: 'ftp://x' }],
    ['viber/services', { name: 'A', auth_token: 'x' }],
  ] as const) {
    expect((await box.call('POST', path, body)).status).toBe(422);
  }
  expect((await box.call('PUT', 'viber/services/9', { name: 'A' })).status).toBe(404);
  expect((await box.call('PUT', 'viber/settings', { refused_status: 999 })).status).toBe(422);
});
