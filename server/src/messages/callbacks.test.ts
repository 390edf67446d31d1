import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { subscribeAll } from '../connections/callbacks.ts';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { type ChatSender, makeChatSender } from '../test/chat.ts';
import { type HttpCarrier, startHttpCarrier } from '../test/http_carrier.ts';
import { type Company, makeCompany } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';

let world: World;
let carrier: HttpCarrier;
let company: Company;
let sender: ChatSender;
beforeAll(async () => {
  carrier = await startHttpCarrier();
  // Whoever calls back need not know that nothing is delivered from here.
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

const door = (path = sender.connection_id) => `${world.url}/callbacks/${path}`;
const post = (body: string | Buffer, headers: Record<string, string> = {}, path?: string) =>
  fetch(door(path), {
    method: 'POST',
    body: body as never,
    headers: { 'content-type': 'application/json', ...headers },
  });
const signed = (body: string) => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`,
});
const received = async () =>
  (
    await world.kernel.db.rows<{ text: string }>(sql`
    select text from messages where account_id = ${company.account_id} and direction = 'MO' order by id`)
  ).map(({ text }) => text);
const written = (text: string, id = `wamid.${newId()}`) =>
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
  const ask = (token: string, challenge = '81726354') =>
    fetch(`${door()}?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=${challenge}`);

  test('echoes the challenge to whoever knows the token, as plain text', async () => {
    const reply = await ask('spring');
    expect([reply.status, await reply.text()]).toEqual([200, '81726354']);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.each(['autumn', '', 'spring%00'])('refuses the token %j', async (token) => {
    const reply = await ask(token);
    expect(reply.status).toBe(403);
    expect(await reply.text()).not.toContain('81726354');
  });
});

describe('a callback', () => {
  test('is written down before it is answered, once however often it comes at once', async () => {
    const body = written('Good morning');
    const replies = await Promise.all(Array.from({ length: 32 }, () => post(body, signed(body))));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await received()).toEqual(['Good morning']);
  });

  test('is heard while the connection is disabled: what was sent before still has an end', async () => {
    await world.kernel.db.run(sql`update connections set enabled = false where id = ${sender.connection_id}`);
    const body = written('Late');
    expect((await post(body, signed(body))).status).toBe(200);
    expect(await received()).toEqual(['Late']);
  });

  test.each<[string, (body: string) => Record<string, string>]>([
    ['unsigned', () => ({})],
    [
      'signed by another secret',
      (body) => ({ 'x-hub-signature-256': `sha256=${createHmac('sha256', 'other').update(body).digest('hex')}` }),
    ],
    ['signed, but changed by a space', (body) => signed(`${body} `)],
    ['with a signature that is none', () => ({ 'x-hub-signature-256': 'sha256=zz' })],
  ])('that is %s is not believed', async (_, headers) => {
    const body = written('Trust me');
    const { status } = await post(body, headers(body));
    expect([401, 403]).toContain(status);
    expect(await received()).toEqual([]);
  });

  test.each<[string, string]>([
    ['no JSON', 'messages=1'],
    ['an empty body', ''],
    ['another shape', '{"object":[],"entry":{"changes":7}}'],
    [
      'a NUL byte',
      '{"object":"\\u0000","entry":[{"changes":[{"field":"messages","value":{"messages":[{"id":"\\u0000"}]}}]}]}',
    ],
    ['a thousand arrays in one another', `${'['.repeat(1_000)}${']'.repeat(1_000)}`],
  ])('rightly signed with %s is taken and changes nothing', async (_, body) => {
    expect((await post(body, signed(body))).status).toBeLessThan(500);
    expect(await received()).toEqual([]);
  });

  test('of more than three megabytes is refused, of three it is read', async () => {
    const body = (bytes: number) =>
      JSON.stringify({ object: 'whatsapp_business_account', entry: [], padding: 'x'.repeat(bytes) });
    const [large, larger] = [body(3_000_000), body(3_200_000)];
    expect((await post(large, signed(large))).status).toBe(200);
    expect((await post(larger, signed(larger))).status).toBe(413);
  });

  test('to a connection that is not there, or has no callbacks, is not found', async () => {
    for (const path of [newId(), 'nonsense', "' or 1=1", '%00'])
      expect([path, (await post('{}', {}, path)).status]).toEqual([path, 404]);
  });

  test('about a sender of another connection reaches nobody', async () => {
    const other = await makeChatSender(world.kernel, company.account_id, 'WHATSAPP', {
      settings: { app_secret: 'other' },
    });
    const body = written('From afar').replaceAll(sender.address, other.address);
    const key = createHmac('sha256', 'secret').update(body).digest('hex');
    expect((await post(body, { 'x-hub-signature-256': `sha256=${key}` })).status).toBe(200);
    expect(await received()).toEqual([]);
  });
});

describe('carriers are told where to call back', () => {
  const told = () => carrier.requests.filter(({ path }) => path.endsWith('/subscribed_apps'));
  const state = async () =>
    (
      await world.kernel.db.one<{ callback_state: { ok: boolean; url: string; text: string } | null }>(
        sql`select callback_state from connections where id = ${sender.connection_id}`,
      )
    ).callback_state;

  test('once, and again when our address or the connection has changed', async () => {
    await subscribeAll(world.kernel);
    await subscribeAll(world.kernel);
    expect(told()).toHaveLength(1);
    const address = `${world.kernel.config.PUBLIC_URL}/callbacks/${sender.connection_id}`;
    expect(told()[0]!.body).toEqual({ override_callback_uri: address, verify_token: 'spring' });
    expect(await state()).toMatchObject({ ok: true, url: address });
    const moved = { ...world.kernel, config: { ...world.kernel.config, PUBLIC_URL: 'https://messages.example' } };
    await subscribeAll(moved);
    expect(told().at(-1)!.body.override_callback_uri).toBe(
      `https://messages.example/callbacks/${sender.connection_id}`,
    );
    const operators = await makeCompany(world.kernel, { operator: true });
    await world
      .as(operators.token)
      .put(`/v1/connections/${sender.connection_id}`, { name: `Renamed ${newId().slice(-6)}` });
    await subscribeAll(world.kernel);
    expect(told()).toHaveLength(3);
  });

  test('a carrier that is away is said so, and is not asked at every look', async () => {
    await world.kernel.db.run(sql`
      update connections set settings = settings || '{"base_url":"http://127.0.0.1:9"}' where id = ${sender.connection_id}`);
    expect(await subscribeAll(world.kernel)).toBe(1);
    expect(await state()).toMatchObject({ ok: false });
    expect((await state())!.text).not.toBe('');
    expect(await subscribeAll(world.kernel)).toBe(0);
    await world.kernel.db.run(sql`
      update connections set callback_state = callback_state || '{"at":"2020-01-01 00:00:00"}' where id = ${sender.connection_id}`);
    expect(await subscribeAll(world.kernel)).toBe(1);
  });
});
