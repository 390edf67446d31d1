/**
 * Controls the grace period in tests that kill workers. The period is longer than any test, so that nothing is resent
 * while evidence may still arrive. A test ends the period once Parley has recorded everything that the carrier accepted
 * and only messages that may never have been sent are still open. This way, no phone gets a message twice, no matter
 * how slow the machine is.
 */
import { sql } from '../kernel/db/db.ts';
import type { Carrier } from './carrier.ts';
import { until, type World } from './world.ts';

export const LONG = 3_600;

export const setGrace = (world: World, connection_id: string, seconds: number) =>
  world.kernel.db.run(sql`update connections set unknown_grace_seconds = ${seconds} where id = ${connection_id}`);

export async function endGrace(world: World, carrier: Carrier, connection_id: string): Promise<void> {
  await until(
    'only messages that may never have been sent are open',
    async () =>
      (await countInProgress(world, connection_id)) === 0 && (await countUnproven(world, carrier, connection_id)) === 0,
  );
  await setGrace(world, connection_id, 1);
}

/** Counts queued messages and messages for which a worker is waiting for a response. */
const countInProgress = async ({ kernel }: World, connection_id: string): Promise<number> =>
  (
    await kernel.db.one<{ n: number }>(sql`
      select count(*)::int as n from dispatch
      where connection_id = ${connection_id} and (stage = 'queued' or stage = 'submitting' and worker_id is not null)`)
  ).n;

/** Counts the parts that the carrier accepted but Parley has not recorded. */
async function countUnproven({ kernel }: World, carrier: Carrier, connection_id: string): Promise<number> {
  const open = await kernel.db.rows<{ number: string; known: number }>(sql`
    select d.number, (select count(*)::int from submissions s
                      where s.account_id = d.account_id and s.message_id = d.message_id
                        and s.connection_id = d.connection_id) as known
    from dispatch d where d.connection_id = ${connection_id} and d.stage = 'submitting'`);
  if (open.length === 0) return 0;
  const submissions = Map.groupBy(await carrier.accepted(), ({ to }) => to);
  return open.reduce((sum, { number, known }) => sum + Math.max(0, (submissions.get(number)?.length ?? 0) - known), 0);
}
