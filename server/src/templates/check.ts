/** Invariants for templates. */
import { channelsReviewedBy } from '@parley/contract/channels/index.ts';
import type { Check } from '../kernel/db/check.ts';
import { sql } from '../kernel/db/db.ts';

export const templateChecks: readonly Check[] = [
  {
    id: 'T1',
    title: 'A template keeps its file in use, and a deleted template does not',
    sql: sql`
      select coalesce(t.account_id, u.account_id) as account_id, coalesce(t.media_id, u.media_id) as media_id,
        t.id, u.used_by
      from (select * from templates where delete_date is null and media_id is not null) t
      full join (select * from media_uses where used_by like 'template:%') u
        on u.account_id = t.account_id and u.media_id = t.media_id and u.used_by = 'template:' || t.id
      where t.id is null or u.used_by is null`,
  },
  {
    id: 'T2',
    title: 'The carrier has only template revisions that were submitted',
    sql: sql`
      select account_id, id, revision, tried, submitted from templates
      where channel = any(${channelsReviewedBy('carrier')}::text[]) and not (submitted <= tried and tried <= revision)`,
  },
];
