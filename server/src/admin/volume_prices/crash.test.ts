/**
 * Kills processes with SIGKILL while they accept, fan out, and close messages with volume prices. Each position is
 * given once, and the volume counts exactly the messages that are charged.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { volumeMicros } from '@parley/contract/billing/volume_steps.ts';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { broken, count, crowd, makeStage, readCampaign, startCampaign } from '../../test/campaigns.ts';
import { type Carrier, openCarrier } from '../../test/carrier.ts';
import { endGrace } from '../../test/grace.ts';
import { makeCarrier, makeCompany, testNumber } from '../../test/make.ts';
import { startWorkerProcess, type WorkerProcess } from '../../test/worker.ts';
import { createWorld, freePort, until, type World } from '../../test/world.ts';

const LIST = 40_000;
const STEPS = [
  { above_units: 5, price_micros: 30_000 },
  { above_units: 20, price_micros: 25_000 },
];
/** A number that the sandbox refuses, so that its message is released. */
const REFUSED = testNumber(900_902);

let world: World;
let carrier: Carrier;
let connection_id: string;
const workers: WorkerProcess[] = [];
beforeAll(async () => {
  world = await createWorld({ role: 'api', sandbox: true });
  carrier = openCarrier(world);
  await carrier.set({ receipt_delay_ms: 20, receipt_jitter_ms: 20 });
  ({ connection_id } = await makeCarrier(world.kernel, { port: world.sandbox!.smpp, unknown_policy: 'resend' }));
  const operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  const month = new Date().toISOString().slice(0, 7);
  const prices = { channel: 'SMS', country: 'GB', currency: 'USD', month, steps: STEPS };
  expect((await operator.post('/v1/volume_prices', prices)).status).toBe(201);
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
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

test('a campaign whose worker is killed at each step counts the messages that are charged', async () => {
  const people = [...crowd(40), { number: REFUSED, first_name: 'Nobody' }];
  const stage = await makeStage(world, people);
  const campaign = await startCampaign(stage, { text: 'Your order is ready' });
  for (const FAILPOINT of ['before_fanout_commit', 'before_sent_commit', 'after_sent_commit']) {
    const killed = await startWorkerProcess(world, { FAILPOINT });
    workers.push(killed);
    expect(await killed.ended, FAILPOINT).toEqual({ code: null, signal: 'SIGKILL' });
    await expectExact(stage.account_id);
  }
  workers.push(await startWorkerProcess(world));
  await endGrace(world, carrier, connection_id);
  await until('the campaign is complete', async () => {
    await count(world, campaign);
    return (await readCampaign(stage, campaign.id)).status === 'completed';
  });
  expect(await expectExact(stage.account_id)).toBe(40);
});
