/**
 * Workers are killed in tests with a grace longer than any of them takes: nothing is sent once more while evidence may still come. It ends here, when
 * all the carrier has is known and only what may never have left is open. So no phone has a message twice, however slow this machine is.
 */
import { sql } from '../kernel/db/db.ts';
import type { Carrier } from './carrier.ts';
import { until, type World } from './world.ts';

export const LONG = 3_600;

export const setGrace = (world: World, connection_id: string, seconds: number) =>
  world.kernel.db.run(sql`update connections set unknown_grace_seconds = ${seconds} where id = ${connection_id}`);

export async function endGrace(world: World, carrier: Carrier, connection_id: string): Promise<void> {
  await until(
    'only what may never have left is open',
    async () => (await onTheWay(world, connection_id)) === 0 && (await unproven(world, carrier, connection_id)) === 0,
  );
  await setGrace(world, connection_id, 1);
}

/** Waiting, or somebody waits for their answer. */
const onTheWay = async ({ kernel }: World, connection_id: string): Promise<number> =>
  (
    await kernel.db.one<{ n: number }>(sql`
      select count(*)::int as n from dispatch
      where connection_id = ${connection_id} and (stage = 'queued' or stage = 'submitting' and worker_id is not null)`)
  ).n;

/** Parts the carrier has that we do not know of. */
async function unproven({ kernel }: World, carrier: Carrier, connection_id: string): Promise<number> {
  const open = await kernel.db.rows<{ number: string; known: number }>(sql`
    select d.number, (select count(*)::int from submissions s where s.account_id = d.account_id and s.message_id = d.message_id
                      and s.connection_id = d.connection_id) as known
    from dispatch d where d.connection_id = ${connection_id} and d.stage = 'submitting'`);
  if (open.length === 0) return 0;
  const there = Map.groupBy(await carrier.accepted(), ({ to }) => to);
  return open.reduce((sum, { number, known }) => sum + Math.max(0, (there.get(number)?.length ?? 0) - known), 0);
}
