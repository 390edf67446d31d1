/**
 * Sends and receives a message on a channel that only the registries name. Shared code must not depend on any channel.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller, World } from './world.ts';

let world: World;
let carrier: Server;
let connection_id: string;
let sender: { sender_id: string; code: string };
let api: Caller;
const pages: { from: string; to: string; text: string }[] = [];

beforeAll(async () => {
  const { allowPager } = await import('./pager/register.ts');
  const { createWorld } = await import('./world.ts');
  const { makeCompany, makeRoute, makeSender } = await import('./make.ts');
  carrier = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    pages.push(JSON.parse(Buffer.concat(pieces).toString()));
    response.end(JSON.stringify({ id: `page-${pages.length}` }));
  });
  await new Promise<void>((resolve) => carrier.listen(0, '127.0.0.1', resolve));
  const base_url = `http://127.0.0.1:${(carrier.address() as AddressInfo).port}`;
  world = await createWorld();
  await allowPager(world.kernel.db);
  const operator = await makeCompany(world.kernel, { operator: true });
  const body = { adapter: 'pager', name: 'Pager', settings: { base_url } };
  const created = await world.as(operator.token).post('/v1/connections', body);
  expect(created.body.data).toMatchObject({ adapter: 'pager', channel: 'PAGER', settings: { base_url }, secrets: [] });
  connection_id = created.body.data.id;
  await makeRoute(world.kernel, 'PAGER', connection_id, ['GB']);
  const company = await makeCompany(world.kernel);
  sender = await makeSender(world.kernel, company.account_id, { channel: 'PAGER' });
  api = world.as(company.token);
});
afterAll(async () => {
  await world?.stop();
  carrier?.close();
});

test('a fourth channel sends a message through its carrier', async () => {
  const { until } = await import('./world.ts');
  const to = '447400123456';
  const reply = await api.post('/v1/messages', { channel: 'pager', from: sender.code, to, text: 'Call the desk' });
  expect(reply.body).toMatchObject({ data: [{ channel: 'PAGER', to, status: 'enroute', segments_count: 1 }] });
  const { id } = reply.body.data[0];
  await until('the message is sent', async () => {
    const { body } = await api.get(`/v1/messages/${id}`);
    return body.data.status === 'sent' && body.data.charge === 'settled';
  });
  expect(pages).toEqual([{ from: sender.code, to, text: 'Call the desk' }]);
  const long = { channel: 'pager', from: sender.code, to, text: 'x'.repeat(101) };
  expect((await api.post('/v1/messages', long)).status).toBe(400);
});

test('a fourth channel receives a message', async () => {
  const { until } = await import('./world.ts');
  const body = JSON.stringify({ from: '447400123456', to: sender.code, text: 'On my way', id: 'in-1' });
  const reply = await fetch(`${world.url}/callbacks/${connection_id}`, { method: 'POST', body });
  expect(reply.status).toBe(200);
  await until('the message is in the log', async () => {
    const { body: log } = await api.get('/v1/messages?filter[direction]=MO');
    return log.data.some(
      ({ text, channel }: { text: string; channel: string }) => text === 'On my way' && channel === 'PAGER',
    );
  });
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});
