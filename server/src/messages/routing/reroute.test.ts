import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { makeChatSender } from '../../test/chat.ts';
import { makeCarrier, makeCompany, makeSender } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';
import { accept, applyStatuses, requeueFailed } from '../messages.ts';
import { Rerouter } from './reroute.ts';
import { forgetRoutes, getRouteBook } from './route_book.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld({ role: 'none' });
});
afterAll(() => world?.stop());

const setBound = (connection_id: string) =>
  world.kernel.db.tx(async (tx) => {
    const worker_id = newId();
    await tx.run(
      sql`insert into workers (id, process, lease_until) values (${worker_id}, '[]', now() + interval '1 minute')`,
    );
    await tx.run(sql`
      insert into binds (connection_id, slot, worker_id, session, state, lease_until)
      values (${connection_id}, 0, ${worker_id}, ${randomUUID()}, 'bound', now() + interval '1 minute')`);
    tx.afterCommit(() => forgetRoutes(tx.db));
  });

test('queued messages move to a route with a bind when their connection has none', async () => {
  const { kernel } = world;
  const [first, second] = [await makeCarrier(kernel), await makeCarrier(kernel)];
  await kernel.db.run(sql`update routes set priority = 20 where connection_id = ${second.connection_id}`);
  const { account_id } = await makeCompany(kernel);
  const { sender_id } = await makeSender(kernel, account_id);
  await kernel.db.tx((tx) =>
    accept(tx, kernel, {
      account_id,
      channel: 'SMS',
      from: sender_id,
      source: 'api',
      refusal: 'throw',
      recipients: ['447400000401', '447400000402', '447400000403'].map((to) => ({ to, text: 'Hello' })),
    }),
  );
  const rows = () =>
    kernel.db.rows<{ number: string; connection_id: string }>(
      sql`select number, connection_id from dispatch order by number`,
    );
  const countByConnection = (...connections: string[]) =>
    ['447400000401', '447400000402', '447400000403'].map((number, n) => ({ number, connection_id: connections[n] }));
  const [a, b] = [first.connection_id, second.connection_id];
  expect(await rows()).toEqual(countByConnection(a, a, a));

  // No bind is up on any connection, so nothing moves.
  await new Rerouter(kernel.db, 0).run();
  expect(await rows()).toEqual(countByConnection(a, a, a));

  // The carrier may have the second message and has part of the third, so both stay.
  await kernel.db.run(sql`update dispatch set stage = 'submitting' where number = '447400000402'`);
  await kernel.db.run(sql`update dispatch set sent_parts = '{1}' where number = '447400000403'`);
  await setBound(b);
  await new Rerouter(kernel.db).run();
  expect(await rows()).toEqual(countByConnection(a, a, a));
  await new Rerouter(kernel.db, 0).run();
  expect(await rows()).toEqual(countByConnection(b, a, a));

  // The connection is back up, so new messages use it again.
  await setBound(a);
  await kernel.db.run(sql`update dispatch set stage = 'queued' where number = '447400000402'`);
  await new Rerouter(kernel.db, 0).run();
  expect(await rows()).toEqual(countByConnection(b, a, a));
});

test('a connection over HTTP is avoided after an error until a message succeeds, for at most a minute', async () => {
  const { kernel } = world;
  const [shaky, other] = [await makeCarrier(kernel), await makeCarrier(kernel)];
  const ids = [shaky.connection_id, other.connection_id];
  await kernel.db.run(sql`update routes set prefix = '4474000006' where connection_id = any(${ids}::uuid[])`);
  await kernel.db.run(sql`update routes set priority = 20 where connection_id = ${other.connection_id}`);
  await setBound(shaky.connection_id);
  await setBound(other.connection_id);
  const set = async (detail: string, age: string, settings: object) => {
    await kernel.db.run(sql`update connections set settings = settings || ${JSON.stringify(settings)}::jsonb
      where id = ${shaky.connection_id}`);
    await kernel.db.run(sql`update binds set detail = ${detail}, bound_date = now() - ${age}::interval
      where connection_id = ${shaky.connection_id}`);
    forgetRoutes(kernel.db);
    return (await getRouteBook(kernel)).route('SMS', '447400000601', 'GB')!;
  };
  const http = { base_url: 'https://provider.example' };
  // A bind over SMPP has a session, so its detail is no sign of an error.
  expect((await set('ECONNREFUSED', '10 seconds', {})).connection_id).toBe(shaky.connection_id);
  const avoided = await set('ECONNREFUSED', '10 seconds', http);
  expect(avoided.connection_id).toBe(other.connection_id);
  expect(avoided.why).toContain('in poor health (no message accepted since an error)');
  expect((await set('ECONNREFUSED', '2 minutes', http)).connection_id).toBe(shaky.connection_id);
  expect((await set('', '10 seconds', http)).connection_id).toBe(shaky.connection_id);
});

test('the messages of a connection that failed are divided among the others by percentage', async () => {
  const { kernel } = world;
  const shares = [50, 30, 20];
  const ids: string[] = [];
  for (const percentage of shares) {
    const { connection_id } = await makeCarrier(kernel);
    await kernel.db.run(sql`
      update routes set prefix = '4474000005', percentage = ${percentage} where connection_id = ${connection_id}`);
    ids.push(connection_id);
  }
  forgetRoutes(kernel.db);
  const { account_id } = await makeCompany(kernel);
  const { sender_id } = await makeSender(kernel, account_id);
  await kernel.db.tx((tx) =>
    accept(tx, kernel, {
      ...{ account_id, channel: 'SMS', from: sender_id, source: 'api', refusal: 'throw' },
      recipients: Array.from({ length: 100 }, (_, n) => ({
        to: `4474000005${String(n).padStart(2, '0')}`,
        text: 'Hello',
      })),
    }),
  );
  const read = async () => {
    const rows = await kernel.db.rows<{ number: string; connection_id: string }>(sql`
      select number, connection_id from dispatch where account_id = ${account_id}`);
    return new Map(rows.map((row) => [row.number, row.connection_id]));
  };
  const before = await read();
  const [failed, second, third] = ids as [string, string, string];
  await setBound(second);
  await setBound(third);
  await new Rerouter(kernel.db, 0).run();
  const after = await read();
  const moved = [...before].filter(([, connection_id]) => connection_id === failed).map(([number]) => number);
  expect(moved.length).toBeGreaterThan(35);
  for (const [number, connection_id] of before)
    if (connection_id !== failed) expect(after.get(number)).toBe(connection_id);
  const countOn = (id: string) => moved.filter((number) => after.get(number) === id).length;
  expect(countOn(second) + countOn(third)).toBe(moved.length);
  expect(Math.abs(countOn(second) - moved.length * 0.6)).toBeLessThan(moved.length * 0.2);
});

test('a message waits for the only carrier that knows its sender, even after it is requeued', async () => {
  const { kernel } = world;
  const { account_id } = await makeCompany(kernel);
  const sender = await makeChatSender(kernel, account_id, 'VIBER');
  const other = await makeChatSender(kernel, account_id, 'VIBER');
  await kernel.db.run(
    sql`insert into routes (id, channel, connection_id) values (${newId()}, 'VIBER', ${other.connection_id})`,
  );
  const campaign_id = newId();
  const { accepted } = await kernel.db.tx((tx) =>
    accept(tx, kernel, {
      account_id,
      channel: 'VIBER',
      from: sender.sender_id,
      source: 'campaign',
      campaign_id,
      refusal: 'throw',
      recipients: [{ to: '447400000411', text: 'Hello' }],
    }),
  );
  const message_id = accepted[0]!.id;
  const queued = () =>
    kernel.db.rows(sql`
      select connection_id, sender_address, channel from dispatch where account_id = ${account_id}
        and message_id = ${message_id}`);
  const expected = [{ connection_id: sender.connection_id, sender_address: sender.address, channel: 'VIBER' }];
  await setBound(other.connection_id);
  await new Rerouter(kernel.db, 0).run();
  expect(await queued()).toEqual(expected);

  const expired = { account_id, message_id, status: 'expired', source: 'worker', failure: 'expired' } as const;
  await kernel.db.tx((tx) => applyStatuses(tx, [expired]));
  expect(await queued()).toEqual([]);
  const request = { account_id, campaign_id, message_ids: [message_id], validity_seconds: 3_600 };
  expect(await kernel.db.tx((tx) => requeueFailed(tx, kernel, request))).toBe(1);
  expect(await queued()).toEqual(expected);
});
