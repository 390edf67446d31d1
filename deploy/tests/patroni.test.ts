/** Kills the primary of a cluster with synchronous replication during a campaign. Nothing is lost or duplicated. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../server/src/kernel/db/db.ts';
import { migrate } from '../../server/src/kernel/db/migrate.ts';
import { crowd, startCampaign } from '../../server/src/test/campaigns.ts';
import { openCarrier } from '../../server/src/test/carrier.ts';
import { makeAudience, makeCarrier, makeCompany, makeSender } from '../../server/src/test/make.ts';
import { createWorld, freePort, type World } from '../../server/src/test/world.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { openPrograms, type Programs } from './programs.ts';

const RECIPIENTS = Number(process.env.RECIPIENTS ?? 25_000);
const MINUTE = 60_000;
let programs: Programs;
let cluster: Cluster;
let world: World;

beforeAll(async () => {
  programs = await openPrograms();
  cluster = await startCluster(programs);
  await migrate(cluster.url);
  world = await createWorld({
    sandbox: true,
    connect: async () => ({
      DATABASE_URL: await startPgBouncer(programs, {
        port: await freePort(),
        target: cluster.url,
        settings: { server_login_retry: '1', query_wait_timeout: '10' },
      }),
      DATABASE_DIRECT_URL: cluster.url,
    }),
  });
}, 5 * MINUTE);
afterAll(async () => {
  await world?.stop();
  await cluster?.stop();
  await programs?.stop();
}, 2 * MINUTE);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
async function waitFor(what: string, condition: () => Promise<boolean>, ms = 20 * MINUTE): Promise<void> {
  for (const deadline = Date.now() + ms; Date.now() < deadline; await pause(500))
    if (await condition().catch(() => false)) return;
  throw new Error(`${what} did not happen`);
}

test('a campaign reaches each phone once when the primary is killed', { timeout: 30 * MINUTE }, async () => {
  const carrier = openCarrier(world);
  await makeCarrier(world.kernel, { port: world.sandbox!.smpp, settings: { window: 100 }, grace_seconds: 120 });
  const owner = await makeCompany(world.kernel, { balance_micros: 10_000_000_000 });
  const { sender_id } = await makeSender(world.kernel, owner.account_id);
  const people = crowd(RECIPIENTS);
  const audience_id = await makeAudience(world.kernel, owner.account_id, people);
  await startCampaign({ ...owner, caller: world.as(owner.token), sender_id, audience_id });
  const readStatuses = async () =>
    Object.fromEntries(
      (
        await world.kernel.db.rows<{ status: string; count: number }>(sql`
          select status, count(*) as count from messages where account_id = ${owner.account_id} group by 1`)
      ).map(({ status, count }) => [status, count]),
    );
  await waitFor('a third of the campaign', async () => ((await readStatuses()).delivered ?? 0) > RECIPIENTS / 3);
  const killed = await cluster.killPrimary();
  await waitFor('the failover', async () => ![null, killed].includes(await cluster.primary()));
  await waitFor('the delivery of all messages', async () => (await readStatuses()).delivered === RECIPIENTS).catch(
    async (error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(await readStatuses())}`);
    },
  );
  const reached = (await carrier.accepted()).map(({ to }) => to);
  expect(reached.length).toBe(RECIPIENTS);
  expect(new Set(reached)).toEqual(new Set(people.map(({ number }) => number)));
  await waitFor('the events', async () => (await world.examine()).every(({ ok }) => ok), 2 * MINUTE);
});
