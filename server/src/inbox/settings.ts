/** The settings of the inbox of an account. */
import { type InboxSettings, inboxSettingsChanged } from '@parley/contract/inbox/settings.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';
import { keepLabel } from './label_queries.ts';
import { resetClocks } from './targets/targets.ts';

const DEFAULTS: InboxSettings = {
  auto_close_days: null,
  office_hours: null,
  response_target_minutes: null,
  resolution_target_minutes: null,
  targets_in_office_hours: true,
  overdue_label_id: null,
};
/** The settings on which the clocks of conversations depend. */
const TIMING = [
  'office_hours',
  'response_target_minutes',
  'resolution_target_minutes',
  'targets_in_office_hours',
] as const;

export const getInboxSettings = async (db: Queryable, account_id: string): Promise<InboxSettings> =>
  (await db.maybeOne<InboxSettings>(sql`
    select auto_close_days, office_hours, response_target_minutes, resolution_target_minutes, targets_in_office_hours,
           overdue_label_id
    from inbox_settings where account_id = ${account_id}`)) ?? DEFAULTS;

export async function updateInboxSettings(
  tx: Tx,
  account_id: string,
  change: { [K in keyof InboxSettings]?: InboxSettings[K] | undefined },
): Promise<InboxSettings> {
  const before = await getInboxSettings(tx, account_id);
  const settings = { ...before, ...change };
  const { overdue_label_id } = settings;
  if (change.overdue_label_id && !(await keepLabel(tx, account_id, change.overdue_label_id)))
    throw new Problem('LABEL_NOT_FOUND');
  await tx.run(sql`
    insert into inbox_settings (account_id, auto_close_days, office_hours, response_target_minutes,
                                resolution_target_minutes, targets_in_office_hours, overdue_label_id, update_date)
    values (${account_id}, ${settings.auto_close_days},
            ${settings.office_hours && JSON.stringify(settings.office_hours)}::jsonb,
            ${settings.response_target_minutes}, ${settings.resolution_target_minutes},
            ${settings.targets_in_office_hours}, ${overdue_label_id}, ${tx.now})
    on conflict (account_id) do update
      set auto_close_days = excluded.auto_close_days, office_hours = excluded.office_hours,
          response_target_minutes = excluded.response_target_minutes,
          resolution_target_minutes = excluded.resolution_target_minutes,
          targets_in_office_hours = excluded.targets_in_office_hours, overdue_label_id = excluded.overdue_label_id,
          update_date = excluded.update_date`);
  if (TIMING.some((name) => JSON.stringify(settings[name]) !== JSON.stringify(before[name])))
    await resetClocks(tx, account_id);
  emit(tx, inboxSettingsChanged, account_id, settings);
  return settings;
}
