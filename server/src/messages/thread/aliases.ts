/**
 * Finds people by any of their addresses. A channel may report only an alias on one day, and an alias with a number on
 * the next. The address that was reported first identifies the conversation, and both addresses find it. An alias that
 * the account stored about a person leads to the number of that person.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { idChannel } from '@parley/contract/channels/person_ids.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';

/** True for the ID of a person on a channel that reports such IDs in place of numbers. */
export const isAlias = (address: string): boolean => {
  const channel = idChannel(address);
  return channel !== null && channelRules(channel).other_addresses;
};

interface Person {
  account_id: string;
  sender_id: string;
  channel: string;
  from: string;
  details: { alias?: string };
}

/** Adds to each person the number that identifies the conversation. */
export async function resolveNumbers<W extends Person>(
  tx: Tx,
  people: readonly W[],
): Promise<(W & { number: string })[]> {
  const aliased = people.filter(({ channel }) => channelRules(channel as ChannelName).other_addresses);
  if (aliased.length === 0) return people.map((person) => ({ ...person, number: person.from }));
  const aliases = aliased.map(findAlias);
  // If a person's first two messages arrive at once, one with the number and one without, they must not open two
  // conversations.
  const keys = [...new Set(aliased.map((person, n) => `${person.sender_id} ${aliases[n] ?? person.from}`))].sort();
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${keys}::text[]) as t(key)`);
  const rows = await tx.rows<{ number: string | null }>(sql`
    select coalesce(
      (select c.number from conversations c where c.account_id = t.account_id and c.sender_id = t.sender_id
        and c.number = t."from"),
      (select c.number from conversations c where c.account_id = t.account_id and c.sender_id = t.sender_id
        and c.alias = t.alias),
      -- A person of the account with this ID, whose number then identifies the conversation.
      (select p.number from person_numbers n join people p on p.account_id = n.account_id and p.id = n.person_id
       where n.account_id = t.account_id and n.number = t."from" and n.channel = t.channel)) as number
    from unnest(${aliased.map((person) => person.account_id)}::uuid[],
                ${aliased.map((person) => person.sender_id)}::uuid[], ${aliased.map(({ from }) => from)}::text[],
                ${aliases}::text[], ${aliased.map(({ channel }) => channel)}::text[]) with ordinality
                  as t(account_id, sender_id, "from", alias, channel, n)
    order by n`);
  const numbers = new Map<Person, string>();
  const numberByAlias = new Map<string, string>();
  aliased.forEach((person, n) => {
    const key = `${person.sender_id} ${aliases[n]}`;
    const number = rows[n]!.number ?? (aliases[n] ? numberByAlias.get(key) : undefined) ?? person.from;
    numbers.set(person, number);
    if (aliases[n] && !numberByAlias.has(key)) numberByAlias.set(key, number);
  });
  return people.map((person) => ({ ...person, number: numbers.get(person) ?? person.from }));
}

const findAlias = ({ from, details }: Person): string | null => details.alias ?? (isAlias(from) ? from : null);
