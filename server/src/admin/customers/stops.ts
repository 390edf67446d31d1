/** The stops of a customer, which operators see and lift. */
import { TRAFFIC } from '@parley/contract/guard/pumping.ts';
import type { TrafficStop } from '@parley/contract/guard/traffic_stops.ts';
import { Problem } from '@parley/contract/problem.ts';
import { findStop, liftStop, listStops, toWire } from '../../guard/guard.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { removeStop } from '../../verifications/verifications.ts';
import { hasAccount } from './impersonation_queries.ts';

export async function listCustomerStops(db: Queryable, account_id: string, now: Date): Promise<TrafficStop[]> {
  if (!(await hasAccount(db, account_id))) throw new Problem('ACCOUNT_NOT_FOUND');
  return (await listStops(db, account_id, TRAFFIC, now)).map(toWire);
}

/** Stops of codes belong to verifications, which announce that codes are allowed. */
export async function liftCustomerStop(
  ctx: Ctx,
  { id: account_id, stop_id }: { id: string; stop_id: string },
): Promise<void> {
  if (!(await hasAccount(ctx.tx, account_id))) throw new Problem('ACCOUNT_NOT_FOUND');
  const stop = await findStop(ctx.tx, account_id, stop_id);
  if (!stop) throw new Problem('TRAFFIC_STOP_NOT_FOUND');
  if (stop.traffic !== 'codes') return liftStop(ctx, stop_id, account_id);
  await removeStop(ctx, stop_id, account_id).catch((error: unknown) => {
    if (error instanceof Problem && error.name === 'VERIFICATION_STOP_NOT_FOUND')
      throw new Problem('TRAFFIC_STOP_NOT_FOUND');
    throw error;
  });
}
