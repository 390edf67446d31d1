/**
 * A carrier identifies templates by name and language within a business account, which several companies can share. A
 * name that another company uses there is refused immediately rather than later by the carrier. Two simultaneous
 * requests wait for each other.
 */
import { channelsReviewedBy } from '@parley/contract/channels/index.ts';
import { Problem } from '@parley/contract/problem.ts';
import { listSameAccount } from '../connections/connections.ts';
import { raw, sql, type Tx } from '../kernel/db/db.ts';
import type { StoredFields } from './queries.ts';

// Written into the statement's text, so that the statement can use the partial index on names.
const quoted = channelsReviewedBy('carrier').map((channel) => `'${channel}'`);
const reviewed = raw(`t.channel in (${quoted.join(', ')})`);

/**
 * Throws TEMPLATE_EXISTS_AT_WHATSAPP if another company already uses the name. Duplicates within a company are refused
 * with TEMPLATE_EXISTS.
 */
export async function requireUniqueName(
  tx: Tx,
  account_id: string,
  id: string,
  { name, language, sender_id }: Pick<StoredFields, 'name' | 'language' | 'sender_id'>,
): Promise<void> {
  if (!sender_id) return;
  const sender = await tx.maybeOne<{ connection_id: string | null }>(
    sql`select connection_id from senders where account_id = ${account_id} and id = ${sender_id}`,
  );
  if (!sender?.connection_id) return;
  const connections = await listSameAccount(tx, sender.connection_id);
  await tx.run(
    sql`select pg_advisory_xact_lock(hashtextextended(${`template name ${name.toLowerCase()} ${language}`}, 7))`,
  );
  const existing = await tx.maybeOne(sql`
    select 1 from templates t join senders s on s.account_id = t.account_id and s.id = t.sender_id
    where lower(t.name) = lower(${name}) and t.language = ${language} and ${reviewed} and t.delete_date is null
      and t.account_id <> ${account_id} and t.id <> ${id} and s.connection_id = any(${connections}::uuid[]) limit 1`);
  if (existing) throw new Problem('TEMPLATE_EXISTS_AT_WHATSAPP');
}
