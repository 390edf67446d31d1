/** Tests Parley behind PgBouncer in transaction mode: requests, delivery, live events, and jobs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../server/src/kernel/db/db.ts';
import { checkDatabases } from '../../server/src/start/database.ts';
import { openCarrier } from '../../server/src/test/carrier.ts';
import { makeCarrier, makeCompany, makeSender, testNumber } from '../../server/src/test/make.ts';
import { createWorld, freePort, until, type World } from '../../server/src/test/world.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { openPrograms, type Programs } from './programs.ts';

const MESSAGES = 300;
let programs: Programs;
let world: World;

beforeAll(async () => {
  programs = await openPrograms();
  world = await createWorld({
    sandbox: true,
    settings: { REQUESTS_IN_PROGRESS: '1000' },
    connect: async (url) => ({
      DATABASE_URL: await startPgBouncer(programs, { port: await freePort(), target: url }),
      DATABASE_DIRECT_URL: url,
    }),
  });
});
afterAll(async () => {
  await world?.stop();
  await programs?.stop();
});

test('Parley delivers messages and streams events when it runs behind PgBouncer', async () => {
  const carrier = openCarrier(world);
  await makeCarrier(world.kernel, { port: world.sandbox!.smpp, settings: { window: 50 } });
  const { account_id, token } = await makeCompany(world.kernel);
  const { sender_id } = await makeSender(world.kernel, account_id);
  const caller = world.as(token);
  const stream = await fetch(`${world.url}/v1/events`, { headers: { authorization: `Bearer ${token}` } });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  const numbers = Array.from({ length: MESSAGES }, (_, index) => testNumber(index));
  const replies = await Promise.all(
    numbers.map((to) => caller.post('/v1/messages', { from: sender_id, to, text: 'Hello', channel: 'SMS' })),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  await until('all are delivered', async () => {
    const { count } = await world.kernel.db.one<{ count: number }>(sql`
      select count(*)::int as count from messages where account_id = ${account_id} and status = 'delivered'`);
    return count === MESSAGES;
  });
  const received = (await carrier.accepted()).map(({ to }) => to).sort();
  expect(received).toEqual([...numbers].sort());
  let streamed = '';
  while (!streamed.includes('delivered')) streamed += (await reader.read()).value ?? '';
  await reader.cancel();
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});

test('a transaction uses UTC and inherits no settings when its connection is pooled', async () => {
  const { db } = world.kernel;
  await db.tx((tx) => tx.rows(sql`select 1`), 'by index');
  const zones = await Promise.all(
    Array.from({ length: 20 }, () =>
      db.one(sql`select current_setting('TimeZone') as zone, current_setting('enable_seqscan') as seqscan`),
    ),
  );
  expect(zones).toEqual(Array(20).fill({ zone: 'UTC', seqscan: 'on' }));
});

test.each<Record<string, string>>([{}, { ignore_startup_parameters: 'options' }])(
  'the startup check rejects PgBouncer with one line when its settings are %o and no direct URL is set',
  async (settings) => {
    const url = await startPgBouncer(programs, { port: await freePort(), target: world.database_url, settings });
    const refusal =
      'DATABASE_URL points to a pooler such as PgBouncer. Set DATABASE_DIRECT_URL to the direct URL of PostgreSQL';
    await expect(checkDatabases(url, null)).rejects.toThrow(refusal);
    await expect(checkDatabases(url, url)).rejects.toThrow('DATABASE_DIRECT_URL points to a pooler');
    expect(await checkDatabases(url, world.database_url)).toBe(world.database_url);
  },
);
