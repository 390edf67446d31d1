/**
 * Undoes an import in one transaction. Values that changed again after the import are kept. Consents are only ever
 * added, so a consent of the import is withdrawn if no other entry followed it.
 */
import { audienceUpdated } from '@parley/contract/audiences/audiences.ts';
import { type AudienceImport, importProgressed } from '@parley/contract/audiences/imports.ts';
import { UNDO_DAYS } from '@parley/contract/audiences/limits.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import * as queries from '../list/queries.ts';
import * as imports from './queries.ts';
import { restoreFields, restoreIds } from './row_facts.ts';

const DAY_MS = 86_400_000;

export async function undoImport(tx: Tx, actor: Actor, id: string): Promise<AudienceImport> {
  const { account_id } = actor;
  const row = await imports.lockImport(tx, account_id, id);
  if (!row) throw new Problem('IMPORT_NOT_FOUND');
  if (row.status !== 'completed' || row.undo_date !== null) throw new Problem('IMPORT_STATE_INVALID');
  if (tx.now.getTime() - parseTimestamp(row.update_date).getTime() > UNDO_DAYS * DAY_MS)
    throw new Problem('IMPORT_UNDO_EXPIRED');
  await withdrawConsents(tx, actor, id);
  await removeTags(tx, account_id, id);
  await restoreFields(tx, account_id, id);
  await restoreIds(tx, account_id, id);
  const audience_id = row.audience_id ?? '';
  if (row.audience_id && (await queries.lockAudience(tx, account_id, audience_id))) {
    await restoreTexts(tx, row, audience_id);
    const removed = await tx.run(sql`
      delete from contacts where account_id = ${account_id} and audience_id = ${audience_id} and import_id = ${id}`);
    emit(tx, audienceUpdated, account_id, await queries.addToCount(tx, account_id, audience_id, -removed));
  }
  await tx.run(sql`delete from import_changes where account_id = ${account_id} and import_id = ${id}`);
  const undone = await imports.setUndone(tx, account_id, id);
  emit(tx, importProgressed, account_id, importProgressed.payload.parse(undone));
  return undone;
}

/** Contacts that changed after the import have another date. */
const restoreTexts = (tx: Tx, { account_id, id }: Pick<AudienceImport, 'account_id' | 'id'>, audience_id: string) =>
  tx.run(sql`
    update contacts k set first_name = c.detail->>'first_name', last_name = c.detail->>'last_name',
      custom1 = c.detail->>'custom1', custom2 = c.detail->>'custom2', update_date = ${tx.now}
    from import_changes c
    where c.account_id = ${account_id} and c.import_id = ${id} and c.kind = 'contact'
      and k.account_id = ${account_id} and k.audience_id = ${audience_id} and k.id = c.id
      and k.update_date = c.create_date`);

const removeTags = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`
    update people p set update_date = ${tx.now}, tags = array(
      select t from unnest(p.tags) with ordinality as own(t, place)
      where not c.detail->'tags' ? t order by place)
    from import_changes c
    where c.account_id = ${account_id} and c.import_id = ${id} and c.kind = 'person' and c.detail ? 'tags'
      and p.account_id = ${account_id} and p.id = c.id`);

const withdrawConsents = (tx: Tx, { account_id, user_id }: Actor, id: string) =>
  tx.run(sql`
    insert into consents (account_id, id, number, channel, purpose, change, method, text, source, user_id, create_date)
    select n.account_id, (${newId().slice(0, 14)}::text || substr(gen_random_uuid()::text, 15))::uuid, n.number,
           n.channel, n.purpose, 'withdrawn', 'import', 'The import was undone', n.source, ${user_id}::uuid, ${tx.now}
    from import_changes c
    join consents n on n.account_id = c.account_id and n.id = c.id
    where c.account_id = ${account_id} and c.import_id = ${id} and c.kind = 'consent'
      and not exists (
        select from consents later
        where later.account_id = n.account_id and later.number = n.number
          and (later.channel is null or later.channel = n.channel)
          and (later.purpose is null or later.purpose = n.purpose)
          and (later.create_date, later.id) > (n.create_date, n.id))`);
