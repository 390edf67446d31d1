/** Stops of messages when a worker is killed before it commits the count and the stop, and with parallel senders. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { broken, makeStage, readBalance, type Stage } from '../../test/campaigns.ts';
import { makeKey } from '../../test/make.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { createWorld, freePort, until, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const readTraces = ({ account_id }: Stage) => {
  const own = sql`where account_id = ${account_id}`;
  return world.kernel.db.one<Record<string, number>>(sql`
    select (select count(*)::int from messages ${own}) as messages,
           (select count(*)::int from traffic_batches ${own}) as batches,
           (select coalesce(sum(sent), 0)::int from traffic_counts
            ${own} and kind = 'account') as counted,
           (select count(*)::int from account_code_stops ${own}) as stops,
           (select count(*)::int from events ${own} and type = 'traffic_stop.started') as events`);
};

test('a killed worker leaves no count and no stop, the next one leaves them once, and nothing passes', async () => {
  const stage = await makeStage(world, []);
  const key = await makeKey(world.kernel, stage.account_id);
  await stage.caller.put('/v1/traffic_protection', { messages: 'block', campaigns: 'notify', lift_hours: 24 });
  const ports = [String(await freePort()), String(await freePort())] as const;
  const servers = await Promise.all(ports.map((PORT) => startWorkerProcess(world, { ROLE: 'api', PORT })));
  const send = async (port: string, n: number): Promise<number> => {
    const to = [String(447_733_000_100 + n)];
    const response = await fetch(`http://127.0.0.1:${port}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ data: { channel: 'SMS', from: stage.sender_id, to, text: 'Hello' } }),
    });
    const body = (await response.json()) as { errors?: [{ code: number }] };
    return body.errors?.[0].code ?? response.status;
  };
  const sent = await Promise.all(Array.from({ length: 32 }, (_, n) => send(ports[n % 2]!, n)));
  expect(new Set(sent)).toEqual(new Set([200]));
  const { batches } = await readTraces(stage);
  const killed = await startWorkerProcess(world, { FAILPOINT: 'before_traffic_stop_commit' });
  expect((await killed.ended).signal).toBe('SIGKILL');
  expect(await readTraces(stage)).toEqual({ messages: 32, batches, counted: 0, stops: 0, events: 0 });

  const workers = await Promise.all([startWorkerProcess(world), startWorkerProcess(world)]);
  await until('the messages are counted', async () => (await readTraces(stage)).batches === 0);
  const stopped = { messages: 32, batches: 0, counted: 32, stops: 1, events: 1 };
  expect(await readTraces(stage)).toEqual(stopped);
  const held = await readBalance(world, stage);
  const refused = await Promise.all(Array.from({ length: 32 }, (_, n) => send(ports[n % 2]!, 100 + n)));
  expect(new Set(refused)).toEqual(new Set([2615]));
  expect(await readTraces(stage)).toEqual(stopped);
  expect(await readBalance(world, stage)).toEqual(held);
  for (const process of [...workers, ...servers]) await process.stop();
});
