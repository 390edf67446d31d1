import { describe, expect, test } from 'vitest';
import { call, createDirectory, type Json, openBox, until } from '../test/box.ts';
import { startProgram } from '../test/program.ts';
import { openSubscriber, openWhatsapp, token, waba } from '../test/whatsapp.ts';

const phone = '447700123456';

describe('messages from people', () => {
  const kinds: [name: string, mime: string, kind: string, extra: Json][] = [
    ['a.png', 'image/png', 'image', {}],
    ['a.mp4', 'video/mp4', 'video', {}],
    ['a.ogg', 'audio/ogg', 'audio', { voice: true }],
    ['a.webp', 'image/webp', 'sticker', { animated: false }],
    ['a.pdf', 'application/pdf', 'document', { filename: 'a.pdf' }],
    ['a.zip', 'application/zip', 'document', { filename: 'a.zip' }],
  ];
  test.each(kinds)('can carry the file %s (%s) in a message of type %s', async (name, mime, kind, extra) => {
    const box = await openBox();
    const business = await openWhatsapp(box);
    const upload = await fetch(`${business.origin}/api/files?name=${name}`, {
      method: 'POST',
      headers: { 'content-type': mime },
      body: 'the bytes',
    });
    const { url } = (await upload.json()) as Json;
    const response = await box.call('POST', `phones/${phone}/messages`, {
      channel: 'WHATSAPP',
      to: '+44 7700 900100',
      text: 'See',
      media_url: url,
    });
    expect(response.status).toBe(201);
    await until(() => business.hooks.messages.length === 1);
    const [message] = business.hooks.messages;
    const captioned = kind === 'image' || kind === 'video' || kind === 'document';
    expect(message).toEqual({
      from: phone,
      from_user_id: expect.stringMatching(/^US\./),
      id: response.body.message_ids[0],
      timestamp: expect.stringMatching(/^\d{10}$/),
      type: kind,
      [kind]: {
        id: expect.stringMatching(/^\d{15}$/),
        mime_type: mime,
        sha256: '7ViTQcn9Xalqr/TF76AIImKCpxYYZgjVoDKsdYlanC8=',
        ...(captioned && { caption: 'See' }),
        ...extra,
      },
    });
    const file = await business.callOk('GET', message[kind].id);
    const bytes = await fetch(file.url, { headers: { authorization: `Bearer ${token}` } });
    expect(await bytes.text()).toBe('the bytes');
  });

  test('can be texts, locations, reactions, replies, or unsupported messages', async () => {
    const box = await openBox();
    const business = await openWhatsapp(box);
    const first = await business.openWindow(phone, 'Hello 👋');
    const messageId = await business.sendText(phone);
    const write = async (fields: Json) => {
      const response = await box.call('POST', `phones/${phone}/messages`, { channel: 'WHATSAPP', ...fields });
      expect(response.status, JSON.stringify(response.body)).toBe(201);
    };
    await write({ location: { latitude: 51.5, longitude: -0.12, name: 'Here', address: 'A street' } });
    await write({ reaction: { message_id: messageId, emoji: '👍' } });
    await write({ text: 'About that', reply_to: messageId });
    await write({ unsupported: true });
    await until(() => business.hooks.messages.length === 5);
    const messagesOfType = (type: string) => business.hooks.messages.filter((message) => message.type === type);
    expect(messagesOfType('text')[0]).toMatchObject({ id: first.message_ids[0], text: { body: 'Hello 👋' } });
    expect(messagesOfType('text')[1]).toMatchObject({
      context: { from: '447700900100', id: messageId },
      text: { body: 'About that' },
    });
    expect(messagesOfType('location')[0].location).toEqual({
      latitude: 51.5,
      longitude: -0.12,
      name: 'Here',
      address: 'A street',
    });
    expect(messagesOfType('reaction')[0].reaction).toEqual({ message_id: messageId, emoji: '👍' });
    expect(messagesOfType('unsupported')[0].errors[0].code).toBe(131051);
    const { value } = business.hooks.changes.find((change) => change.value.messages);
    expect(Object.keys(value).sort()).toEqual(['contacts', 'messages', 'messaging_product', 'metadata']);
    expect(value.contacts[0]).toMatchObject({ profile: { name: 'Phone 3456' }, wa_id: phone });
    const { raw } = business.hooks.posts.find((post) => post.raw.includes('Hello'))!;
    expect(raw).toContain('Hello \\ud83d\\udc4b');
    expect(raw).not.toMatch(/[^\x20-\x7e]/);
    expect(business.hooks.posts[0]!.body).toMatchObject({ object: 'whatsapp_business_account', entry: [{ id: waba }] });
  });

  test('are refused with a reason when they cannot be sent', async () => {
    const box = await openBox();
    const business = await openWhatsapp(box);
    const refusal = async (fields: Json) => {
      const { status, body } = await box.call('POST', `phones/${phone}/messages`, { channel: 'WHATSAPP', ...fields });
      return [status, body.errors[0].field ?? body.errors[0].code];
    };
    expect(await refusal({ text: 'Hi' })).toEqual([422, 'to']);
    expect(await refusal({ to: '447700900199', text: 'Hi' })).toEqual([422, 'to']);
    expect(await refusal({ to: business.number })).toEqual([422, 'text']);
    expect(await refusal({ to: business.number, media_url: 'http://127.0.0.1:1/x' })).toEqual([422, 'media_url']);
    expect(await refusal({ to: business.number, reply_to: 'wamid.none', text: 'Hi' })).toEqual([422, 'message_id']);
    expect(await refusal({ to: business.number, text: 'x', location: { latitude: 91, longitude: 0 } })).toEqual([
      422,
      'latitude',
    ]);
    await business.callOk('POST', `${business.number}/deregister`, {});
    expect(await refusal({ to: business.number, text: 'Hi' })).toEqual([409, 'not_on_whatsapp']);
    await box.call('PUT', `phones/${phone}`, { whatsapp: false });
    expect(await refusal({ to: business.number, text: 'Hi' })).toEqual([409, 'phone_cannot_send']);
  });
});

describe('webhooks', () => {
  test('are retried until the response is HTTP 200', async () => {
    const box = await openBox();
    const business = await openWhatsapp(box);
    const responses = [500, 302, 404];
    const carries = ({ body }: Json) => body.entry[0].changes.some(({ value }: Json) => value.messages);
    business.hooks.respond = (post) => (carries(post) ? (responses.shift() ?? 200) : 200);
    const incomingId = await business.openWindow(phone);
    await until(() => business.hooks.messages.length === 4);
    expect(new Set(business.hooks.messages.map(({ id }) => id))).toEqual(new Set(incomingId.message_ids));
    await until(async () => (await box.get('stats')).chats.WHATSAPP.pending === 0);
    expect((await box.thread(phone))[0].status).toBe('delivered');
    const { webhooks } = await box.get('whatsapp/webhooks');
    expect(webhooks.find((webhook: Json) => webhook.attempts === 4)).toMatchObject({
      status: 200,
      fields: ['messages'],
    });
  });

  test('can be duplicated, delayed, signed incorrectly, reordered, batched, or lost', async () => {
    const box = await openBox();
    const business = await openWhatsapp(box);
    const { hooks } = business;
    await until(() => hooks.events('phone_number_name_update').length === 1);
    await business.settings({ webhooks_twice_percent: 100 });
    await business.openWindow(phone);
    await until(() => hooks.messages.length === 2);
    await box.call('PUT', `phones/${phone}`, { reads: 'never' });
    await business.settings({ webhooks_twice_percent: 0, webhooks_bad_signature_percent: 100 });
    const before = hooks.posts.length;
    hooks.respond = ({ signed }) => (signed ? 200 : 401);
    const forged = await business.sendText(phone);
    await until(() => hooks.posts.length > before + 1);
    expect(hooks.statusesFor(forged)).toEqual([]);
    await business.settings({ webhooks_bad_signature_percent: 0 });
    await until(() => hooks.statusesFor(forged).length >= 2);
    hooks.posts = [];
    await business.settings({ webhook_gather_ms: 1000, webhook_batch: 1000 });
    const ids = await Promise.all(Array.from({ length: 20 }, (_, at) => business.sendText(phone, `Message ${at}`)));
    await until(() => ids.every((id) => hooks.statusesFor(id).length === 2));
    expect(hooks.posts.length).toBeLessThan(20);
    expect(Math.max(...hooks.posts.map(({ body }) => body.entry[0].changes[0].value.statuses.length))).toBeGreaterThan(
      4,
    );
    await business.settings({ webhook_gather_ms: 0, webhooks_out_of_order: true });
    const unordered = await business.sendText(phone);
    await until(() => hooks.statusesFor(unordered).length === 2);
    expect(hooks.statusesFor(unordered)).toEqual(['delivered', 'sent']);
    await business.settings({ webhooks_out_of_order: false, webhooks_late_ms: 120 });
    const from = Date.now();
    const delayed = await business.sendText(phone);
    await until(() => hooks.statusesFor(delayed).length === 2);
    expect(Date.now() - from).toBeGreaterThanOrEqual(119);
    await business.settings({ webhooks_late_ms: 0, webhooks_lost_percent: 100 });
    const unreported = await business.sendText(phone);
    await until(async () => (await box.get('stats')).chats.WHATSAPP.pending === 0);
    await business.settings({ webhooks_lost_percent: 0 });
    const reported = await business.sendText(phone);
    await until(() => hooks.statusesFor(reported).length === 2);
    expect(hooks.statusesFor(unreported)).toEqual([]);
  });

  test('report the statuses of every accepted message after the process is killed', async () => {
    const data_dir = createDirectory();
    const first = await startProgram({ SANDBOX_DATA_DIR: data_dir });
    const hooks = await openSubscriber();
    hooks.respond = () => 503;
    const graph = async (port: number, path: string, body: Json): Promise<Json> => {
      const response = await fetch(`http://127.0.0.1:${port}/graph/v25.0/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return response.json();
    };
    const { http } = first.ports;
    await call(http, 'PUT', 'whatsapp', {
      sent_delay_ms: 0,
      delivered_delay_ms: 0,
      throughput_per_second: 0,
      review_delay_ms: 0,
    });
    await call(http, 'PUT', `phones/${phone}`, { reads: 'by_hand' });
    const newNumber = { cc: '44', phone_number: '7700900100', verified_name: 'Acme Shoes' };
    const { id } = await graph(http, `${waba}/phone_numbers`, newNumber);
    await graph(http, `${id}/register`, { messaging_product: 'whatsapp', pin: '123456' });
    await graph(http, `${waba}/subscribed_apps`, { override_callback_uri: hooks.url, verify_token: 'verify-me' });
    await graph(http, `${waba}/message_templates`, {
      name: 'lasting',
      language: 'en',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Here to stay' }],
    });
    await call(http, 'POST', `phones/${phone}/messages`, { channel: 'WHATSAPP', to: id, text: 'Hi' });
    const acceptedIds: string[] = [];
    let isSending = true;
    const sender = async () => {
      while (isSending) {
        const body = { messaging_product: 'whatsapp', to: phone, text: { body: `Message ${acceptedIds.length}` } };
        const response = await graph(http, `${id}/messages`, body).catch(() => undefined);
        if (response?.messages) acceptedIds.push(response.messages[0].id);
        else isSending = false;
      }
    };
    const senders = Array.from({ length: 10 }, sender);
    await until(() => acceptedIds.length > 100);
    first.process.kill('SIGKILL');
    await first.exited;
    isSending = false;
    await Promise.all(senders);
    hooks.respond = () => 200;
    hooks.posts = [];
    const second = await startProgram({ SANDBOX_DATA_DIR: data_dir });
    await until(() => acceptedIds.every((messageId) => new Set(hooks.statusesFor(messageId)).size === 2), 20_000);
    await until(() => hooks.messages.length > 0);
    const { chats } = (await call(second.ports.http, 'GET', 'chats?limit=10000')).body;
    expect(chats.length - 1 - acceptedIds.length).toBeLessThanOrEqual(10);
    expect(new Set(chats.map((chat: Json) => chat.message_ids[0])).size).toBe(chats.length);
    await until(async () => (await call(second.ports.http, 'GET', 'stats')).body.chats.WHATSAPP.pending === 0);
    const { templates } = (await call(second.ports.http, 'GET', 'whatsapp/templates')).body;
    expect(templates).toMatchObject([{ name: 'lasting', language: 'en' }]);
    expect(
      (
        await graph(second.ports.http, `${id}/messages`, {
          messaging_product: 'whatsapp',
          to: phone,
          text: { body: 'x' },
        })
      ).messages,
    ).toHaveLength(1);
    const reset = await call(second.ports.http, 'POST', 'reset');
    expect([reset.status, (await call(second.ports.http, 'GET', 'chats')).body.chats]).toEqual([204, []]);
    // Like binds to the carrier, the account survives a reset, because the business expects it to exist.
    expect((await call(second.ports.http, 'GET', 'whatsapp/account')).body.callback).toBe(hooks.url);
    expect((await call(second.ports.http, 'GET', 'whatsapp/numbers')).body.numbers).toHaveLength(1);
    expect((await call(second.ports.http, 'GET', 'whatsapp/templates')).body.templates).toHaveLength(1);
    expect((await call(second.ports.http, 'GET', 'whatsapp')).body.throughput_per_second).toBe(80);
  }, 60_000);
});
