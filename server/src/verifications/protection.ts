/** Changes how an account reacts to signs of fraud in its codes. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { FraudProtection, saveFraudProtection } from '@parley/contract/verifications/stops.ts';
import { verificationStopsChanged } from '@parley/contract/verifications/verifications.ts';
import { sql } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { emit } from '../kernel/live/events.ts';
import { record } from '../kernel/security/audit.ts';
import { liftStops, lockStops } from './stops.ts';

/** Ends the stops of signs that no longer stop codes. */
export async function saveProtection(
  ctx: Ctx,
  { actions, lift_hours }: Parsed<typeof saveFraudProtection>['body'],
): Promise<FraudProtection> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  await lockStops(tx, account_id);
  await tx.run(sql`
    insert into code_protection (account_id, actions, lift_hours, update_date)
    values (${account_id}, ${JSON.stringify(actions)}::jsonb, ${lift_hours}, ${tx.now})
    on conflict (account_id) do update set
      actions = excluded.actions, lift_hours = excluded.lift_hours, update_date = excluded.update_date`);
  const harmless = Object.entries(actions).flatMap(([signal, action]) => (action === 'stop' ? [] : [signal]));
  await liftStops(tx, sql`account_id = ${account_id} and signal = any(${harmless}::text[])`, { reason: 'off' });
  record(tx, ctx, {
    action: 'verifications.protection_changed',
    target: { type: 'account', id: account_id, name: '' },
    detail: { ...actions, lift_hours },
  });
  emit(tx, verificationStopsChanged, account_id, { kind: 'country', place: '', stopped: false });
  return { account_id, actions, lift_hours };
}
