/** Kills the process that releases a message. The message is then either still waiting or sent exactly once. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { broken, makeStage } from '../../test/campaigns.ts';
import { type Carrier, openCarrier } from '../../test/carrier.ts';
import { makeCarrier, makeCompany, testNumber } from '../../test/make.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { createWorld, freePort, until, type World } from '../../test/world.ts';

let world: World;
let carrier: Carrier;
beforeAll(async () => {
  world = await createWorld({ role: 'api', sandbox: true });
  carrier = openCarrier(world);
  await makeCarrier(world.kernel, { port: world.sandbox!.smpp });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

async function startServer(failpoint: string): Promise<{ url: string; child: ChildProcess }> {
  const PORT = String(await freePort());
  const child = spawn(process.execPath, [inject('programs').server], {
    env: { ...process.env, ...world.settings, PORT, ROLE: 'api', FAILPOINT: failpoint },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${PORT}`;
  await until('the server is ready', async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false);
  return { url, child };
}

test('a message is sent exactly once when its release is interrupted before or after the commit', async () => {
  const { token } = await makeCompany(world.kernel, { operator: true });
  const operator = world.as(token);
  const rule = { name: 'Gambling', kind: 'words', words: ['casino'], action: 'hold' };
  expect((await operator.post('/v1/content_rules', rule)).status).toBe(201);
  const stage = await makeStage(world, []);
  const release = (ids: string[]) => ({ decision: 'release', ids, reason: 'Known customer' });
  const sent: { id: string; number: string; state: string }[] = [];
  for (const [failpoint, state] of [
    ['before_review_commit', 'waiting'],
    ['after_review_commit', 'released'],
  ] as const) {
    const number = testNumber(sent.length);
    const body = { channel: 'SMS', from: stage.sender_id, to: [number], text: 'Visit our casino' };
    const { id } = (await stage.caller.post('/v1/messages', body)).body.data[0];
    const { url, child } = await startServer(failpoint);
    const exited = once(child, 'exit');
    await fetch(`${url}/v1/message_reviews/decisions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ data: release([id]) }),
    }).catch(() => null);
    await exited;
    expect((await operator.get(`/v1/message_reviews/${id}`)).body.data.state).toBe(state);
    sent.push({ id, number, state });
  }
  const worker = await startWorkerProcess(world, {});
  const replies = await Promise.all(
    sent.map(({ id }) => operator.post('/v1/message_reviews/decisions', release([id]))),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 409]);
  await until('both are delivered', async () => {
    const { count } = await world.kernel.db.one<{ count: number }>(sql`
      select count(*) as count from messages where account_id = ${stage.account_id} and status = 'delivered'`);
    return count === 2;
  });
  await worker.stop();
  const accepted = (await carrier.accepted()).map(({ to }) => to);
  for (const { number } of sent) expect(accepted.filter((to) => to === number)).toHaveLength(1);
});
