import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { subscribeAll } from '../../connections/callbacks.ts';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { type ChatSender, makeChatSender } from '../../test/chat.ts';
import { type HttpCarrier, startHttpCarrier } from '../../test/http_carrier.ts';
import { type Company, makeCompany } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
let carrier: HttpCarrier;
let company: Company;
let sender: ChatSender;
beforeAll(async () => {
  carrier = await startHttpCarrier();
  // Carriers may call back even when no delivery worker is running.
  world = await createWorld({ role: 'api' });
});
afterAll(async () => {
  await world?.stop();
  await carrier?.stop();
});
beforeEach(async () => {
  await world.kernel.db.run(sql`update connections set enabled = false`);
  company = await makeCompany(world.kernel);
  sender = await makeChatSender(world.kernel, company.account_id, 'WHATSAPP', {
    settings: { base_url: carrier.url, verify_token: 'spring' },
  });
  carrier.requests.length = 0;
});

const callbackUrl = (path = sender.connection_id) => `${world.url}/callbacks/${path}`;
const post = (body: string | Buffer, headers: Record<string, string> = {}, path?: string) =>
  fetch(callbackUrl(path), {
    method: 'POST',
    body: body as never,
    headers: { 'content-type': 'application/json', ...headers },
  });
const signed = (body: string) => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`,
});
const listReceived = async () =>
  (
    await world.kernel.db.rows<{ text: string }>(sql`
    select text from messages where account_id = ${company.account_id} and direction = 'MO' order by id`)
  ).map(({ text }) => text);
const callbackBody = (text: string, id = `wamid.${newId()}`) =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '2000000001',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: sender.code, phone_number_id: sender.address },
              contacts: [{ profile: { name: 'Anna' }, wa_id: '447400000001' }],
              messages: [
                {
                  id,
                  from: '447400000001',
                  timestamp: String(Math.floor(Date.now() / 1_000)),
                  type: 'text',
                  text: { body: text },
                },
              ],
            },
          },
        ],
      },
    ],
  });

describe('the handshake', () => {
  const handshake = (token: string, challenge = '81726354') =>
    fetch(`${callbackUrl()}?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=${challenge}`);

  test('echoes the challenge as plain text when the token matches', async () => {
    const reply = await handshake('spring');
    expect([reply.status, await reply.text()]).toEqual([200, '81726354']);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.each(['autumn', '', 'spring%00'])('is refused when the token is %j', async (token) => {
    const reply = await handshake(token);
    expect(reply.status).toBe(403);
    expect(await reply.text()).not.toContain('81726354');
  });
});

describe('a callback', () => {
  test('is stored once before it is acknowledged, even when it arrives many times concurrently', async () => {
    const body = callbackBody('Good morning');
    const replies = await Promise.all(Array.from({ length: 32 }, () => post(body, signed(body))));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await listReceived()).toEqual(['Good morning']);
  });

  test('is accepted while its connection is disabled, because sent messages still need receipts', async () => {
    await world.kernel.db.run(sql`update connections set enabled = false where id = ${sender.connection_id}`);
    const body = callbackBody('Late');
    expect((await post(body, signed(body))).status).toBe(200);
    expect(await listReceived()).toEqual(['Late']);
  });

  test.each<[string, (body: string) => Record<string, string>]>([
    ['is unsigned', () => ({})],
    [
      'is signed with a different secret',
      (body) => ({ 'x-hub-signature-256': `sha256=${createHmac('sha256', 'other').update(body).digest('hex')}` }),
    ],
    ['differs from the signed body by a space', (body) => signed(`${body} `)],
    ['has a malformed signature', () => ({ 'x-hub-signature-256': 'sha256=zz' })],
  ])('is refused when it %s', async (_, headers) => {
    const body = callbackBody('Trust me');
    const { status } = await post(body, headers(body));
    expect([401, 403]).toContain(status);
    expect(await listReceived()).toEqual([]);
  });

  test.each<[string, string]>([
    ['invalid JSON', 'messages=1'],
    ['an empty body', ''],
    ['an unexpected shape', '{"object":[],"entry":{"changes":7}}'],
    [
      'a NUL byte',
      '{"object":"\\u0000","entry":[{"changes":[{"field":"messages","value":{"messages":[{"id":"\\u0000"}]}}]}]}',
    ],
    ['a thousand nested arrays', `${'['.repeat(1_000)}${']'.repeat(1_000)}`],
  ])('has no effect when it is signed but has %s', async (_, body) => {
    expect((await post(body, signed(body))).status).toBeLessThan(500);
    expect(await listReceived()).toEqual([]);
  });

  test('is refused when it is larger than three megabytes', async () => {
    const body = (bytes: number) =>
      JSON.stringify({ object: 'whatsapp_business_account', entry: [], padding: 'x'.repeat(bytes) });
    const [large, larger] = [body(3_000_000), body(3_200_000)];
    expect((await post(large, signed(large))).status).toBe(200);
    expect((await post(larger, signed(larger))).status).toBe(413);
  });

  test('returns not found when its connection does not exist', async () => {
    for (const path of [newId(), 'nonsense', "' or 1=1", '%00'])
      expect([path, (await post('{}', {}, path)).status]).toEqual([path, 404]);
  });

  test('changes nothing when its sender belongs to a different connection', async () => {
    const other = await makeChatSender(world.kernel, company.account_id, 'WHATSAPP', {
      settings: { app_secret: 'other' },
    });
    const body = callbackBody('From afar').replaceAll(sender.address, other.address);
    const key = createHmac('sha256', 'secret').update(body).digest('hex');
    expect((await post(body, { 'x-hub-signature-256': `sha256=${key}` })).status).toBe(200);
    expect(await listReceived()).toEqual([]);
  });
});

describe('callback registration', () => {
  const registrations = () => carrier.requests.filter(({ path }) => path.endsWith('/subscribed_apps'));
  const state = async () =>
    (
      await world.kernel.db.one<{ callback_state: { ok: boolean; url: string; text: string } | null }>(
        sql`select callback_state from connections where id = ${sender.connection_id}`,
      )
    ).callback_state;

  test('runs once, and again when the public URL or the connection changes', async () => {
    await subscribeAll(world.kernel);
    await subscribeAll(world.kernel);
    expect(registrations()).toHaveLength(1);
    const address = `${world.kernel.config.PUBLIC_URL}/callbacks/${sender.connection_id}`;
    expect(registrations()[0]!.body).toEqual({ override_callback_uri: address, verify_token: 'spring' });
    expect(await state()).toMatchObject({ ok: true, url: address });
    const moved = { ...world.kernel, config: { ...world.kernel.config, PUBLIC_URL: 'https://messages.example' } };
    await subscribeAll(moved);
    expect(registrations().at(-1)!.body.override_callback_uri).toBe(
      `https://messages.example/callbacks/${sender.connection_id}`,
    );
    const operators = await makeCompany(world.kernel, { operator: true });
    await world
      .as(operators.token)
      .put(`/v1/connections/${sender.connection_id}`, { name: `Renamed ${newId().slice(-6)}` });
    await subscribeAll(world.kernel);
    expect(registrations()).toHaveLength(3);
  });

  test('reports an unreachable carrier and does not retry on every check', async () => {
    await world.kernel.db.run(sql`
      update connections set settings = settings || '{"base_url":"http://127.0.0.1:9"}'
      where id = ${sender.connection_id}`);
    expect(await subscribeAll(world.kernel)).toBe(1);
    expect(await state()).toMatchObject({ ok: false });
    expect((await state())!.text).not.toBe('');
    expect(await subscribeAll(world.kernel)).toBe(0);
    await world.kernel.db.run(sql`
      update connections set callback_state = callback_state || '{"at":"2020-01-01 00:00:00"}'
      where id = ${sender.connection_id}`);
    expect(await subscribeAll(world.kernel)).toBe(1);
  });
});
