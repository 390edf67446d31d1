/**
 * Kills processes with SIGKILL while they accept messages with volume prices or fan out a campaign. Each position is
 * given once, and the volume counts exactly the messages that are charged.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { volumeMicros } from '@parley/contract/billing/volume_steps.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { applyCarrierStatus, broken, crowd, fanOutAll, makeStage, startCampaign } from '../../test/campaigns.ts';
import { makeCarrier, makeCompany, testNumber } from '../../test/make.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { createWorld, freePort, until, type World } from '../../test/world.ts';

const LIST = 40_000;
const STEPS = [
  { above_units: 5, price_micros: 30_000 },
  { above_units: 20, price_micros: 25_000 },
];

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  await makeCarrier(world.kernel);
  const operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  const month = new Date().toISOString().slice(0, 7);
  const prices = { channel: 'SMS', country: 'GB', currency: 'USD', month, steps: STEPS };
  expect((await operator.post('/v1/volume_prices', prices)).status).toBe(201);
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

/** Everything is counted by its own month, so that the tests also pass at the turn of a month. */
async function expectExact(account_id: string): Promise<number> {
  const volumes = await world.kernel.db.rows<{ id: string; units: number; step_units: number }>(sql`
    select v.id, v.units, (select sum(units)::int from price_volume_steps s
                           where s.account_id = v.account_id and s.volume_id = v.id) as step_units
    from price_volumes v where account_id = ${account_id}`);
  for (const { id, units, step_units } of volumes) {
    const rows = await world.kernel.db.rows<{ start: number; price_micros: number; charge: string }>(sql`
      select volume_start as start, price_micros, charge from messages
      where account_id = ${account_id} and volume_id = ${id} order by volume_start`);
    const charged = rows.filter(({ charge }) => charge !== 'released');
    expect([units, step_units]).toEqual([charged.length, charged.length]);
    expect(new Set(charged.map(({ start }) => start)).size).toBe(charged.length);
    expect(rows.map(({ price_micros }) => price_micros)).toEqual(
      rows.map(({ start }) => volumeMicros(LIST, STEPS, { start, units: 1 })),
    );
  }
  return volumes.reduce((sum, { units }) => sum + units, 0);
}

test.each(['before_group_commit', 'after_group_commit'])(
  'calls that are repeated after a server dies at %s count once',
  async (FAILPOINT) => {
    const stage = await makeStage(world, []);
    const PORT = String(await freePort());
    const child = spawn(process.execPath, [inject('programs').server], {
      env: { ...process.env, ...world.settings, PORT, ROLE: 'api', FAILPOINT: `${FAILPOINT}:2` },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const url = `http://127.0.0.1:${PORT}`;
    await until('the server is ready', async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false);
    const exited = once(child, 'exit');
    const calls = Array.from({ length: 12 }, (_, n) => ({
      headers: { 'idempotency-key': `call-${n}` },
      body: { channel: 'SMS', from: stage.sender_id, to: [testNumber(n)], text: 'Your order is ready' },
    }));
    await Promise.all(
      calls.map(({ headers, body }, n) =>
        // The second group forms while the first one is stored.
        new Promise((resolve) => setTimeout(resolve, n < 6 ? 0 : 150)).then(() =>
          fetch(`${url}/v1/messages`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: `Bearer ${stage.token}`, ...headers },
            body: JSON.stringify({ data: body }),
          }).catch(() => null),
        ),
      ),
    );
    expect((await exited)[1]).toBe('SIGKILL');
    await expectExact(stage.account_id);
    const replies = await Promise.all(
      calls.map(({ headers, body }) => stage.caller.post('/v1/messages', body, headers)),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await expectExact(stage.account_id)).toBe(12);
  },
);

test('a campaign whose worker is killed before it stores its messages counts them once', async () => {
  const stage = await makeStage(world, crowd(41));
  const campaign = await startCampaign(stage, { text: 'Your order is ready' });
  const killed = await startWorkerProcess(world, { FAILPOINT: 'before_fanout_commit' });
  expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL' });
  expect(await expectExact(stage.account_id)).toBe(0);
  // Here instead of in a worker, which would wait for the heartbeat of the dead one. PostgreSQL notices its death a
  // moment later, and until then its transaction locks the campaign.
  await until('everyone has a message', async () => {
    await fanOutAll(world, campaign, 15);
    return (await expectExact(stage.account_id)) === 41;
  });
  await applyCarrierStatus(world, campaign, 'failed', { limit: 3 });
  expect(await expectExact(stage.account_id)).toBe(38);
});
