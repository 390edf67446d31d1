/**
 * People by any of their addresses. A channel may have a name of its own for somebody, which is all it tells of them one day and stands beside their number
 * the next: whichever came first names the conversation for good, and either finds it.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { sql, type Tx } from '../kernel/db/db.ts';

/** A country, a point, and what the channel likes. */
export const isAlias = (address: string): boolean => /^[A-Z]{2}\.[\w.-]{1,150}$/.test(address);

interface Writer {
  account_id: string;
  sender_id: string;
  channel: string;
  from: string;
  told: { alias?: string };
}

/** With the number by which the conversation is known. */
export async function nameWriters<W extends Writer>(
  tx: Tx,
  writers: readonly W[],
): Promise<(W & { number: string })[]> {
  const strange = writers.filter(({ channel }) => channelRules(channel as ChannelName).other_addresses);
  if (strange.length === 0) return writers.map((one) => ({ ...one, number: one.from }));
  const aliases = strange.map(aliasOf);
  // Two first messages of one person at once, one with the number and one without, must not open two conversations.
  const keys = [...new Set(strange.map((one, n) => `${one.sender_id} ${aliases[n] ?? one.from}`))].sort();
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${keys}::text[]) as t(key)`);
  const rows = await tx.rows<{ number: string | null }>(sql`
    select coalesce(
      (select c.number from conversations c where c.account_id = t.account_id and c.sender_id = t.sender_id and c.number = t."from"),
      (select c.number from conversations c where c.account_id = t.account_id and c.sender_id = t.sender_id and c.alias = t.alias)) as number
    from unnest(${strange.map((one) => one.account_id)}::uuid[], ${strange.map((one) => one.sender_id)}::uuid[],
                ${strange.map(({ from }) => from)}::text[], ${aliases}::text[]) with ordinality as t(account_id, sender_id, "from", alias, n)
    order by n`);
  const numbers = new Map<Writer, string>();
  const together = new Map<string, string>();
  strange.forEach((one, n) => {
    const key = `${one.sender_id} ${aliases[n]}`;
    const number = rows[n]!.number ?? (aliases[n] ? together.get(key) : undefined) ?? one.from;
    numbers.set(one, number);
    if (aliases[n] && !together.has(key)) together.set(key, number);
  });
  return writers.map((one) => ({ ...one, number: numbers.get(one) ?? one.from }));
}

const aliasOf = ({ from, told }: Writer): string | null => told.alias ?? (isAlias(from) ? from : null);
