/**
 * WhatsApp tells templates apart by name and language within a business account, which several companies can share here. So a name that another one has there
 * is refused at once, in words, and not by WhatsApp later. Two at once wait for one another.
 */
import { Problem } from '@parley/contract/problem.ts';
import { listSameAccount } from '../connections/connections.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { StoredFields } from './queries.ts';

/** TEMPLATE_EXISTS_AT_WHATSAPP. The company's own templates are told apart by TEMPLATE_EXISTS. */
export async function demandOwnName(
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
  const taken = await tx.maybeOne(sql`
    select 1 from templates t join senders s on s.account_id = t.account_id and s.id = t.sender_id
    where lower(t.name) = lower(${name}) and t.language = ${language} and t.channel = 'WHATSAPP' and t.delete_date is null
      and t.account_id <> ${account_id} and t.id <> ${id} and s.connection_id = any(${connections}::uuid[]) limit 1`);
  if (taken) throw new Problem('TEMPLATE_EXISTS_AT_WHATSAPP');
}
