import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { makeChatSender } from '../../test/chat.ts';
import { makeCarrier, makeCompany, makeSender } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';
import { accept, applyStatuses, requeueFailed } from '../messages.ts';
import { Rerouter } from './reroute.ts';
import { forgetRoutes } from './route_book.ts';

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
