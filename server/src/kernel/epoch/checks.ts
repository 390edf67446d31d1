/** Checks that the database was not replaced, and that a failover cannot lose acknowledged data. */
import type { Check } from '../db/check.ts';
import { sql } from '../db/db.ts';

export const epochChecks: readonly Check[] = [
  {
    id: 'E3',
    title: 'The database was not replaced since the workers last used it',
    sql: sql`
      select identity, database_identity() as actual, seen_date as last_seen from database_epoch
      where identity <> database_identity()`,
  },
  {
    id: 'E3',
    title: 'Sending is not on hold after a failover or a restore',
    sql: sql`
      select e.state, e.cause, e.change_date, e.data_date, c.name as connection, h.message_count, h.decision
      from database_epoch e
      left join sending_holds h on true
      left join connections c on c.id = h.connection_id
      where e.state <> 'open'`,
  },
  {
    id: 'E4',
    title: 'Commits are on disk before they are acknowledged',
    sql: sql`
      select name, setting from pg_settings
      where name in ('synchronous_commit', 'fsync', 'full_page_writes') and setting = 'off'
        and coalesce(current_setting('parley.throwaway', true), '') <> 'on'`,
  },
  {
    id: 'E4',
    title: 'Replicas are synchronous, so that a failover loses no commits',
    // Only members of pg_monitor see the states of replicas. Other users see only that replicas exist.
    sql: sql`
      select r.replicas, current_setting('synchronous_standby_names') as synchronous_standby_names,
        current_setting('synchronous_commit') as synchronous_commit
      from (select count(*)::int as replicas from pg_stat_replication) r
      where r.replicas > 0 and (current_setting('synchronous_standby_names') = ''
        or current_setting('synchronous_commit') in ('off', 'local'))`,
  },
];
