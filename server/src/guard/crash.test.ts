import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { broken, listEvents, makeStage } from '../test/campaigns.ts';
import { makeKey, testNumber } from '../test/make.ts';
import { createWorld, freePort, until, type World } from '../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

interface Server {
  readonly url: string;
  readonly child: ChildProcess;
}

async function startServer(failpoint = ''): Promise<Server> {
  const PORT = String(await freePort());
  const child = spawn(process.execPath, [inject('programs').server], {
    env: { ...process.env, ...world.settings, PORT, ROLE: 'api', FAILPOINT: failpoint },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${PORT}`;
  await until('the server is ready', async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false);
  return { url, child };
}

test('a limit of 100 lets 100 messages through and warns once, when one of two processes is killed', async () => {
  const stage = await makeStage(world, []);
  const key = await makeKey(world.kernel, stage.account_id);
  await world.kernel.db.run(sql`
    insert into limits (account_id, id, type, channels, "limit", "interval", warn_at, update_date, count_date)
    values (${stage.account_id}, ${newId()}, 'messages', '{SMS}', 100, 'month', '{50,80}',
            now() - interval '1 hour', now() - interval '1 hour')`);
  // This process kills itself before its fifth commit of a group of calls.
  const killed = await startServer('before_group_commit:5');
  const other = await startServer();
  const exited = once(killed.child, 'exit');
  let next = 0;
  const send = async ({ url }: Server): Promise<boolean> => {
    const data = { channel: 'SMS', from: stage.sender_id, to: [testNumber(next++)], text: 'Hello' };
    const reply = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ data }),
    }).catch(() => null);
    return reply?.ok ?? false;
  };
  await Promise.all(
    Array.from({ length: 32 }, async (_, n) => {
      for (let turn = 0; turn < 6; turn++) await send(n % 2 ? killed : other);
    }),
  );
  killed.child.kill('SIGKILL');
  await exited;
  while (await send(other));
  other.child.kill('SIGTERM');
  const { messages, used } = await world.kernel.db.one<{ messages: number; used: number }>(sql`
    select (select count(*)::int from messages where account_id = ${stage.account_id}) as messages,
           (select used from limit_counters where account_id = ${stage.account_id}) as used`);
  expect({ messages, used }).toEqual({ messages: 100, used: 100 });
  const warnings = await listEvents(world, stage, 'limit.warning');
  expect(warnings.map((warning) => (warning as unknown as { percent: number }).percent)).toEqual([50, 80]);
});

test('a shared limit of 100 passes exactly 100 messages of a group when one of two processes is killed', async () => {
  const stages = [await makeStage(world, []), await makeStage(world, [])] as const;
  const [parent, sub] = stages;
  await world.kernel.db.run(sql`
    update accounts set parent_id = ${parent.account_id}, account_type = 'SUB_ACCOUNT'
    where id = ${sub.account_id}`);
  await world.kernel.db.run(sql`
    insert into limits (account_id, id, type, channels, "limit", "interval", sub_accounts, update_date, count_date)
    values (${parent.account_id}, ${newId()}, 'messages', '{SMS}', 100, 'month', 'together',
            now() - interval '1 hour', now() - interval '1 hour')`);
  const keys = await Promise.all(stages.map(({ account_id }) => makeKey(world.kernel, account_id)));
  const killed = await startServer('before_group_commit:5');
  const other = await startServer();
  const exited = once(killed.child, 'exit');
  let next = 0;
  const send = async ({ url }: Server, who: number): Promise<boolean> => {
    const data = { channel: 'SMS', from: stages[who]!.sender_id, to: [testNumber(next++)], text: 'Hello' };
    const reply = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': keys[who]! },
      body: JSON.stringify({ data }),
    }).catch(() => null);
    return reply?.ok ?? false;
  };
  await Promise.all(
    Array.from({ length: 32 }, async (_, n) => {
      for (let turn = 0; turn < 6; turn++) await send(n % 2 ? killed : other, (n >> 1) % 2);
    }),
  );
  killed.child.kill('SIGKILL');
  await exited;
  while (await send(other, 0));
  expect(await send(other, 1)).toBe(false);
  other.child.kill('SIGTERM');
  const { messages, used } = await world.kernel.db.one<{ messages: number; used: number }>(sql`
    select (select count(*)::int from messages where account_id in (${parent.account_id}, ${sub.account_id}))
             as messages,
           (select used from limit_counters where account_id = ${parent.account_id}) as used`);
  expect({ messages, used }).toEqual({ messages: 100, used: 100 });
});
