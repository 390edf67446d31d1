/** The settings of the inbox of an account. */
import { type InboxSettings, inboxSettingsChanged } from '@parley/contract/inbox/settings.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';

const DEFAULTS: InboxSettings = { auto_close_days: null, office_hours: null };

export const getInboxSettings = async (db: Queryable, account_id: string): Promise<InboxSettings> =>
  (await db.maybeOne<InboxSettings>(sql`
    select auto_close_days, office_hours from inbox_settings where account_id = ${account_id}`)) ?? DEFAULTS;

export async function updateInboxSettings(
  tx: Tx,
  account_id: string,
  change: { [K in keyof InboxSettings]?: InboxSettings[K] | undefined },
): Promise<InboxSettings> {
  const settings = { ...(await getInboxSettings(tx, account_id)), ...change };
  await tx.run(sql`
    insert into inbox_settings (account_id, auto_close_days, office_hours, update_date)
    values (${account_id}, ${settings.auto_close_days},
            ${settings.office_hours && JSON.stringify(settings.office_hours)}::jsonb, ${tx.now})
    on conflict (account_id) do update
      set auto_close_days = excluded.auto_close_days, office_hours = excluded.office_hours,
          update_date = excluded.update_date`);
  emit(tx, inboxSettingsChanged, account_id, settings);
  return settings;
}
