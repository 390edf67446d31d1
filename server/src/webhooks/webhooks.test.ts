import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { linkClicked } from '@parley/contract/links/links.ts';
import { messageCreated, messageStatusChanged } from '@parley/contract/messages/messages.ts';
import { PAYLOAD_VERSIONS } from '@parley/contract/webhooks/webhooks.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';
import { type Company, makeCompany, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';
import { compose } from './bodies.ts';
import { claim } from './claim.ts';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
}

let world: World;
let company: Company;
let owner: Caller;
let server: Server;
let url: string;
const received: Received[] = [];
/** The response to each path; 200 by default. */
const statuses = new Map<string, number>();

beforeAll(async () => {
  world = await createWorld();
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      received.push({ path: request.url!, headers: request.headers, text });
      response.writeHead(statuses.get(request.url!) ?? 200).end('seen');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await world.stop();
  server.close();
});

const create = async (path: string, fields: object) =>
  (await owner.post('/v1/webhooks', { url: url + path, ...fields })).body.data;

const message = (id: string, change: object = {}) => ({
  id,
  account_id: company.account_id,
  direction: 'MT' as const,
  channel: 'SMS',
  from: 'Shop',
  to: '447700900123',
  text: 'Hello',
  status: 'delivered' as const,
  sender_id: newId(),
  mccmnc: '23415',
  price: 0.04,
  create_date: '2030-01-01 10:00:00',
  update_date: '2030-01-01 10:00:05',
  ...change,
});
const report = (id: string, status: string) =>
  world.kernel.db.tx(async (tx) => {
    emit(tx, messageStatusChanged, company.account_id, message(id, { status }) as never);
  });
const at = (path: string) => received.filter((one) => one.path === path);
const until = (check: () => unknown) => expect.poll(check, { timeout: 20_000, interval: 50 });

test('a simple webhook gets signed reports and inbound messages in the documented format', async () => {
  const hook = await create('/simple', { event: 'DELIVERY', secret: 'old-secret' });
  expect(hook).toMatchObject({ event: 'delivery', secret: 'old-secret', links: { self: `/v1/webhooks/${hook.id}` } });
  await create('/inbound', { event: 'message', signature_header: 'X-Shop-Signature', signature_encoding: 'hex' });
  const id = newId();
  await report(id, 'sent');
  await report(id, 'delivered');
  await world.kernel.db.tx(async (tx) => {
    const inbound = message(newId(), { direction: 'MO', status: 'received', from: '447700900123', to: 'Shop' });
    emit(tx, messageCreated, company.account_id, inbound as never);
  });
  await until(() => at('/simple').length).toBe(1);
  await until(() => at('/inbound').length).toBe(1);
  const { text, headers } = at('/simple')[0]!;
  expect(JSON.parse(text).data).toEqual({
    account_id: company.account_id,
    message_id: id,
    event: 'delivery',
    status: 'DELIVERED',
    channel: 'SMS',
    to: '447700900123',
    mccmnc: '23415',
    price: 0.04,
    timestamp: '2030-01-01 10:00:05',
  });
  expect(headers['x-signature']).toBe(createHmac('sha256', 'old-secret').update(text).digest('base64'));
  const [inbound] = at('/inbound');
  expect(JSON.parse(inbound!.text).data).toMatchObject({ event: 'message', from: '447700900123', text: 'Hello' });
  expect(inbound!.headers['x-shop-signature']).toMatch(/^[0-9a-f]{64}$/);
});

test('a webhook with events signs by Standard Webhooks, with both secrets after a rotation', async () => {
  const hook = await create('/standard', { events: ['message.sent', 'message.delivered'] });
  const rotated = (await owner.post(`/v1/webhooks/${hook.id}/rotations`, {})).body.data;
  expect(rotated.secret).not.toBe(hook.secret);
  await report(newId(), 'sent');
  await until(() => at('/standard').length).toBe(1);
  const { headers, text } = at('/standard')[0]!;
  expect(JSON.parse(text)).toMatchObject({ type: 'message.sent', data: { status: 'sent' } });
  expect(PAYLOAD_VERSIONS).toContain(hook.payload_version);
  expect(headers['webhook-version']).toBe(hook.payload_version);
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  const sign = ({ secret }: { secret: string }) =>
    `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(signed)
      .digest('base64')}`;
  expect(headers['webhook-signature']).toBe(`${sign(rotated)} ${sign(hook)}`);
  // The library that the standard publishes accepts both secrets, and refuses a changed and a late delivery.
  for (const { secret } of [rotated, hook])
    expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toMatchObject({ type: 'message.sent' });
  const verify = (body: string, change: object = {}) =>
    new Webhook(rotated.secret).verify(body, { ...headers, ...change } as Record<string, string>);
  expect(() => verify(`${text} `)).toThrow();
  expect(() => new Webhook('whsec_AAAA').verify(text, headers as Record<string, string>)).toThrow();
  const late = String(Number(headers['webhook-timestamp']) - 600);
  expect(() => verify(text, { 'webhook-timestamp': late })).toThrow();
});

test('reports on a message wait for a failed one before them, and the log shows each attempt', async () => {
  statuses.set('/order', 500);
  const hook = await create('/order', { events: ['message.sent', 'message.delivered'] });
  const id = newId();
  await report(id, 'sent');
  await report(id, 'delivered');
  await until(() => at('/order').length).toBe(1);
  const list = `/v1/webhooks/${hook.id}/deliveries`;
  await until(async () => (await owner.get(list)).body.data.map((row: { error: string }) => row.error)).toEqual([
    null,
    'The server responded 500',
  ]);
  statuses.delete('/order');
  const [later, first] = (await owner.get(`${list}?filter[message_id]=${id}`)).body.data;
  expect((await owner.post(`${list}/${first.id}/resend`)).status).toBe(202);
  await until(() => at('/order').map(({ text }) => JSON.parse(text).type)).toEqual([
    'message.sent',
    'message.sent',
    'message.delivered',
  ]);
  await until(async () => (await owner.get(`${list}/${first.id}`)).body.data).toMatchObject({
    status: 'delivered',
    attempts: [{ response_status: 500, response_body: 'seen' }, { response_status: 200 }],
  });
  expect((await owner.get(`${list}/${later.id}`)).body.data.request_body).toContain('message.delivered');
});

test('a webhook gets clicks on links if it subscribes to them', () => {
  const webhook = { account_id: 'a', id: 'w', event: null, events: ['link.clicked'], channels: [], sender_ids: [] };
  const payload = { link_id: 'l', url: 'https://example.com', number: '447400000000', is_unique: true };
  const event = { account_id: 'a', seq: 1, type: linkClicked.id, payload, published_at: '2026-11-21 09:00:00.000' };
  const composed = compose({ ...webhook, sees_spend: true }, event, null);
  expect(JSON.parse(composed!.body)).toMatchObject({ type: 'link.clicked', data: payload });
});

test('a paused webhook keeps its deliveries, and failed ones are recovered', async () => {
  const hook = await create('/paused', { events: ['message.failed'] });
  await owner.put(`/v1/webhooks/${hook.id}`, { status: 'paused' });
  await report(newId(), 'failed');
  await until(async () => (await owner.get(`/v1/webhooks/${hook.id}`)).body.data.pending_count).toBe(1);
  expect((await owner.post(`/v1/webhooks/${hook.id}/examples`, {})).body.errors[0].code).toBe(2135);
  expect(at('/paused')).toEqual([]);
  await owner.put(`/v1/webhooks/${hook.id}`, { status: 'active' });
  await until(() => at('/paused').length).toBe(1);
  await until(async () => (await owner.get(`/v1/webhooks/${hook.id}`)).body.data.pending_count).toBe(0);
  await world.kernel.db.run(sql`update webhook_deliveries set status = 'failed' where webhook_id = ${hook.id}`);
  const recovery = await owner.post(`/v1/webhooks/${hook.id}/recoveries`, { since: '2020-01-01 00:00:00' });
  expect(recovery.body.data).toEqual({ count: 1 });
  await until(() => at('/paused').length).toBe(2);
  expect((await owner.post(`/v1/webhooks/${hook.id}/examples`, {})).status).toBe(202);
  await until(() => at('/paused').length).toBe(3);
});

test('a recovery also sends deliveries waiting for their next attempt, but none that is being sent', async () => {
  const hook = await create('/waiting', { events: ['message.failed'] });
  await report(newId(), 'failed');
  await until(() => at('/waiting').length).toBe(1);
  await until(async () => (await owner.get(`/v1/webhooks/${hook.id}`)).body.data.pending_count).toBe(0);
  const wait = (interval: string) =>
    world.kernel.db.run(sql`
      update webhook_deliveries set status = 'pending', tries = 7, due_date = now() + ${interval}::interval
      where webhook_id = ${hook.id}`);
  const recover = async (since: string) =>
    (await owner.post(`/v1/webhooks/${hook.id}/recoveries`, { since })).body.data;
  await wait('50 seconds');
  expect(await recover('2020-01-01 00:00:00')).toEqual({ count: 0 });
  await wait('4 hours');
  expect(await recover('2099-01-01 00:00:00')).toEqual({ count: 0 });
  expect(await recover('2020-01-01 00:00:00')).toEqual({ count: 1 });
  await until(() => at('/waiting').length).toBe(2);
});

test('a delivery that a dead worker claimed is sent when the lease ends', async () => {
  const hook = await create('/lease', { events: ['message.expired'] });
  await world.kernel.db.run(sql`update webhooks set status = 'paused' where id = ${hook.id}`);
  await report(newId(), 'expired');
  await until(async () => (await owner.get(`/v1/webhooks/${hook.id}`)).body.data.pending_count).toBe(1);
  await world.kernel.db.run(sql`
    update webhook_deliveries set due_date = now() + interval '1 hour' where webhook_id = ${hook.id}`);
  await owner.put(`/v1/webhooks/${hook.id}`, { status: 'active' });
  // The claim of a worker that never reports: the due date is the end of its lease.
  const fresh = { lane: 'fresh', slow: [], full_webhooks: [], full_accounts: [], only: null } as const;
  expect((await claim(world.kernel.db, () => 0, fresh)).deliveries).toEqual([]);
  expect(at('/lease')).toEqual([]);
  await world.kernel.db.run(sql`
    update webhook_deliveries set due_date = now() - interval '1 second' where webhook_id = ${hook.id}`);
  await world.kernel.db.run(sql`update webhooks set next_date = now() where id = ${hook.id}`);
  await until(() => at('/lease').length).toBe(1);
});

test('a webhook that has failed for days is disabled, and its people get an email', async () => {
  statuses.set('/dead', 500);
  const hook = await create('/dead', { events: ['message.rejected'] });
  await world.kernel.db.run(sql`
    update webhooks set failing_since = now() - interval '6 days', failures = 50 where id = ${hook.id}`);
  await report(newId(), 'rejected');
  await until(async () => (await owner.get(`/v1/webhooks/${hook.id}`)).body.data.status).toBe('disabled');
  const mails = await world.kernel.db.rows(sql`select 1 from mails where account_id = ${company.account_id}`);
  expect(mails.length).toBe(1);
  const [row] = (await owner.get(`/v1/webhooks/${hook.id}/deliveries?filter[status]=failed`)).body.data;
  expect(row.error).toBe('The webhook was disabled');
});

test.each([
  [{}, 1203],
  [{ event: 'message' }, 1204],
  [{ url: '', event: 'message' }, 1204],
  [{ url: 'https://example.com/', secret: '', event: 'message' }, 1205],
  [{ url: 'https://example.com/' }, 1206],
  [{ url: 'https://example.com/', event: 'sms' }, 1207],
  [{ url: `https://example.com/${'a'.repeat(1_000)}`, event: 'message' }, 1208],
  [{ url: 'http://192.168.0.1/', events: ['message.sent'] }, 1209],
  [{ url: 'ftp://example.com/', events: ['message.sent'] }, 1209],
  [{ url: 'http://127.0.0.1:9/', event: 'delivery' }, 1210],
  [{ url: 'http://127.0.0.1:9/', events: ['message.eaten'] }, 2130],
  [{ url: 'http://127.0.0.1:9/', events: ['message.sent'], signature_header: 'Host' }, 2132],
])('a webhook that breaks a rule is refused (%#)', async (body, code) => {
  const reply = await owner.post('/v1/webhooks', body);
  expect(reply.body.errors[0].code, reply.text).toBe(code);
});

test('webhooks are invisible to other companies, and their secrets to users who cannot edit them', async () => {
  const hook = await create('/secret', { events: ['balance.changed'] });
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect((await stranger.get(`/v1/webhooks/${hook.id}`)).body.errors[0].code).toBe(1201);
  expect((await stranger.delete(`/v1/webhooks/${hook.id}`)).body.errors[0].code).toBe(1201);
  const viewer = world.as((await makeUser(world.kernel, company.account_id, { permissions: { WEBHOOKS: 3 } })).token);
  expect((await viewer.get(`/v1/webhooks/${hook.id}`)).body.data.secret).toBe(`…${hook.secret.slice(-4)}`);
  const refusal = await viewer.post('/v1/webhooks', { url: `${url}/x`, events: ['message.sent'] });
  expect(refusal.body.errors[0].code).toBe(1136);
  expect((await owner.delete(`/v1/webhooks/${hook.id}`)).status).toBe(204);
  expect((await owner.get(`/v1/webhooks/${hook.id}`)).body.errors[0].code).toBe(1201);
});

test('a delivery is shown only to users who can view its event and its amounts', async () => {
  const hook = await create('/bodies', { events: ['message.delivered'] });
  await report(newId(), 'delivered');
  await until(() => at('/bodies').length).toBe(1);
  const [delivery] = (await owner.get(`/v1/webhooks/${hook.id}/deliveries`)).body.data;
  const path = `/v1/webhooks/${hook.id}/deliveries/${delivery.id}`;
  const read = async (permissions: object) => {
    const { token } = await makeUser(world.kernel, company.account_id, {
      permissions: { WEBHOOKS: 15, ...permissions },
    });
    const { status, body } = await world.as(token).get(path);
    return status === 200 ? body.data.request_body : body.errors[0].code;
  };
  expect(await read({})).toBe(1136);
  expect(await read({ MESSAGES: 1 })).toBe(1136);
  expect(await read({ MESSAGES: 1, PAYMENTS: 1 })).toContain('"price":0.04');
});
