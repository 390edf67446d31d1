/** The action of an account when its messages show a sign of fraud. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import {
  DEFAULT_STOP_HOURS,
  DEFAULT_TRAFFIC_ACTION,
  MESSAGE_TRAFFIC,
  type saveTrafficProtection,
  type TrafficProtection,
  trafficProtectionChanged,
} from '@parley/contract/guard/traffic_stops.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { emit } from '../../kernel/live/events.ts';
import { record } from '../../kernel/security/audit.ts';
import { liftTraffic, lockTraffic } from './stops.ts';

export async function readTrafficProtection(db: Queryable, account_id: string): Promise<TrafficProtection> {
  const row = await db.maybeOne<TrafficProtection>(sql`
    select account_id, messages, campaigns, lift_hours from traffic_protection where account_id = ${account_id}`);
  const defaults = { messages: DEFAULT_TRAFFIC_ACTION, campaigns: DEFAULT_TRAFFIC_ACTION };
  return row ?? { account_id, ...defaults, lift_hours: DEFAULT_STOP_HOURS };
}

/** Ends the stops of traffic that is no longer stopped. */
export async function saveTraffic(
  ctx: Ctx,
  { messages, campaigns, lift_hours }: Parsed<typeof saveTrafficProtection>['body'],
): Promise<TrafficProtection> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  const protection = { account_id, messages, campaigns, lift_hours };
  // Waits for a count that is under way.
  await lockTraffic(tx, account_id);
  await tx.run(sql`
    insert into traffic_protection (account_id, messages, campaigns, lift_hours, update_date)
    values (${account_id}, ${messages}, ${campaigns}, ${lift_hours}, ${tx.now})
    on conflict (account_id) do update set messages = excluded.messages, campaigns = excluded.campaigns,
      lift_hours = excluded.lift_hours, update_date = excluded.update_date`);
  const passing = MESSAGE_TRAFFIC.filter((traffic) => protection[traffic] !== 'block');
  await liftTraffic(tx, account_id, sql`traffic = any(${passing}::text[])`, { reason: 'off' });
  record(tx, ctx, {
    action: 'traffic.protection_changed',
    target: { type: 'account', id: account_id, name: '' },
    detail: { messages, campaigns, lift_hours },
  });
  emit(tx, trafficProtectionChanged, account_id, protection);
  return protection;
}
