/** Invariants for media files. */
import type { Check } from '../kernel/db/check.ts';
import { sql } from '../kernel/db/db.ts';

export const mediaChecks: readonly Check[] = [
  {
    id: 'F1',
    title: 'A file is marked as idle if and only if nothing uses it',
    sql: sql`
      select m.account_id, m.id, m.idle_since from media m
      where m.status = 'ready' and (m.idle_since is null) <> exists (
        select 1 from media_uses u where u.account_id = m.account_id and u.media_id = m.id)`,
  },
  {
    id: 'F2',
    title: 'Every file in use is ready',
    sql: sql`
      select u.account_id, u.media_id, u.used_by from media_uses u
      join media m on m.account_id = u.account_id and m.id = u.media_id
      where m.status <> 'ready'`,
  },
];
