/** The circuit breaker of each webhook, and dead servers beside healthy ones. Counts deliveries, never times. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageStatusChanged } from '@parley/contract/messages/messages.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';
import { type Company, makeCompany } from '../test/make.ts';
import { createWorld, until, type World } from '../test/world.ts';
import { type Choice, claim, type Target } from './claim.ts';

let world: World;
let server: Server;
let url: string;
/** How the server responds to each path. Without an entry, it responds with 200. */
const answers = new Map<string, (response: ServerResponse) => void>();
const counts = new Map<string, number>();
const count = (path: string) => counts.get(path) ?? 0;

beforeAll(async () => {
  world = await createWorld();
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      counts.set(request.url!, count(request.url!) + 1);
      const [, group = ''] = request.url!.split('/');
      const answer = answers.get(`/${group}`) ?? ((to: ServerResponse) => to.end());
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await world.stop();
  server.close();
});

const create = async (company: Company, path: string, event = 'message.delivered'): Promise<string> =>
  (await world.as(company.token).post('/v1/webhooks', { url: url + path, events: [event] })).body.data.id;

/** Reports as many messages as delivered, or with another status. */
const report = ({ account_id }: Company, messages: number, status = 'delivered') =>
  world.kernel.db.tx(async (tx) => {
    for (let made = 0; made < messages; made++)
      emit(tx, messageStatusChanged, account_id, {
        ...{ id: newId(), account_id, direction: 'MT', channel: 'SMS', from: 'Shop', to: '447700900123', status },
        ...{ text: 'Hello', sender_id: newId(), mccmnc: null, price: 0 },
        ...{ create_date: '2030-01-01 10:00:00', update_date: '2030-01-01 10:00:05' },
      } as never);
  });

const circuit = (id: string) =>
  world.kernel.db.one<{ failures: number; is_open: boolean; pause: number; pending: number }>(sql`
    select w.failures, w.open_until is not null as is_open,
      coalesce(extract(epoch from w.open_until - now()), 0)::float8 as pause,
      (select count(*)::int from webhook_deliveries d
       where d.account_id = w.account_id and d.webhook_id = w.id and d.status = 'pending') as pending
    from webhooks w where w.id = ${id}`);

/** Ends the pause of an open circuit, and makes all deliveries due. */
async function endPause(id: string): Promise<void> {
  await world.kernel.db.run(sql`update webhook_deliveries set due_date = now() where webhook_id = ${id}
    and status = 'pending'`);
  await world.kernel.db.run(sql`update webhooks set next_date = now(), open_until = now() where id = ${id}`);
}

test('a circuit opens after ten failures, lets one probe through, and closes when it succeeds', async () => {
  const company = await makeCompany(world.kernel);
  answers.set('/dead', (response) => response.writeHead(500).end());
  const dead = await create(company, '/dead');
  await create(company, '/alive');
  await report(company, 40);
  await until('the circuit is open', async () => (await circuit(dead)).is_open);
  await until('the healthy webhook has everything', () => count('/alive') === 40);
  const opened = await circuit(dead);
  expect(opened.failures).toBe(count('/dead'));
  expect(count('/dead')).toBe(10);

  // Half open: one probe, and a longer pause.
  await endPause(dead);
  await until('the probe has failed', async () => (await circuit(dead)).failures === 11);
  await report(company, 5);
  await until('the healthy webhook has everything', () => count('/alive') === 45);
  await until('the dead one has its deliveries', async () => (await circuit(dead)).pending === 45);
  expect(count('/dead')).toBe(11);
  const reopened = await circuit(dead);
  expect(reopened.is_open).toBe(true);

  answers.delete('/dead');
  await endPause(dead);
  await until('all deliveries have arrived', async () => (await circuit(dead)).pending === 0);
  expect(count('/dead')).toBe(11 + 45);
  expect(await circuit(dead)).toMatchObject({ failures: 0, is_open: false });
});

test('webhooks that cannot start now do not take the places of others in a claim', async () => {
  // Without a worker, which would also claim.
  const quiet = await createWorld({ role: 'api' });
  onTestFinished(() => quiet.stop());
  const [dead, healthy] = [await makeCompany(quiet.kernel), await makeCompany(quiet.kernel)];
  const insert = (account_id: string, count: number, failures: number, age: string) =>
    quiet.kernel.db.run(sql`
      with made as (
        insert into webhooks (account_id, id, url, secret, events, signature_header, signature_encoding, sees_spend,
          failures, next_date)
        select ${account_id}, gen_random_uuid(), 'http://127.0.0.1:1/', '', '{message.sent}', 'X-Signature', 'hex',
          true, ${failures}, now() - ${age}::interval
        from generate_series(1, ${count}::int)
        returning account_id, id
      )
      insert into webhook_deliveries (account_id, id, webhook_id, event, body)
      select account_id, gen_random_uuid(), id, 'message.sent', '{}' from made`);
  // More webhooks than one claim reads, all due before the healthy webhook.
  await insert(dead.account_id, 150, 1, '1 hour');
  await insert(healthy.account_id, 1, 0, '1 minute');
  const listWebhooks = async (company: Company) =>
    (
      await quiet.kernel.db.rows<{ id: string }>(sql`
        select id from webhooks where account_id = ${company.account_id}`)
    ).map(({ id }) => id);
  const slow = await listWebhooks(healthy);
  const all: Choice = { lane: 'slow', slow, full_webhooks: [], full_accounts: [], only: null };
  const roomFor = ({ failures }: Target) => (failures > 0 ? 0 : 10);
  const claimed = async (choice: Choice) => (await claim(quiet.kernel.db, roomFor, choice)).deliveries;
  expect(await claimed(all)).toEqual([]);
  for (const choice of [
    { ...all, lane: 'fresh' as const, slow: [] },
    { ...all, full_accounts: [dead.account_id] },
    { ...all, full_webhooks: await listWebhooks(dead) },
    { ...all, only: slow },
  ]) {
    expect(await claimed(choice)).toMatchObject([{ account_id: healthy.account_id }]);
    await quiet.kernel.db.run(sql`
      update webhook_deliveries set due_date = now() where account_id = ${healthy.account_id}`);
    await quiet.kernel.db.run(sql`
      update webhooks set next_date = now() - interval '1 minute' where account_id = ${healthy.account_id}`);
  }
});
