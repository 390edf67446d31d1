/**
 * The IDs of people on channels. An ID is another number of its person: messages and conversations may have it in place
 * of a phone number, and it identifies the person. An ID belongs to one person of the account, and a person has one ID
 * on each channel.
 */
import type { Person } from '@parley/contract/audiences/people.ts';
import type { ChannelIds } from '@parley/contract/audiences/person_facts.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { idChannel, PERSON_IDS } from '@parley/contract/channels/person_ids.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import { parseNumber } from '../phone_numbers/number.ts';
import { copyNumberStops } from '../stop_list/queries.ts';

export interface Address {
  /** A phone number, or an ID if the person has no number. */
  number: string;
  country: string;
  /** The ID that was given in place of a number. */
  channel_ids: ChannelIds;
}

/**
 * Reads a phone number or an ID. The ID of a person is replaced by that person's number. Returns null if the text is
 * neither.
 */
export async function parseAddress(
  db: Queryable,
  account_id: string,
  text: string,
  country: string,
): Promise<Address | null> {
  const channel = idChannel(text);
  if (!channel) {
    const parsed = parseNumber(text, country);
    return parsed && { ...parsed, channel_ids: {} };
  }
  const owner = await findOwner(db, account_id, text);
  const unknown = { number: text, country: PERSON_IDS[channel]!.country(text) };
  return { ...(owner ?? unknown), channel_ids: { [channel]: text } };
}

const findOwner = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<{ number: string; country: string }>(sql`
    select p.number, p.country from person_numbers n
    join people p on p.account_id = n.account_id and p.id = n.person_id
    where n.account_id = ${account_id} and n.number = ${id}`);

/** Throws PERSON_CHANNEL_ID_EXISTS if an ID belongs to another person. `path` is the place in the request. */
export async function writeChannelIds(
  tx: Tx,
  person: Pick<Person, 'account_id' | 'id' | 'number' | 'channel_ids'>,
  ids: ChannelIds,
  path = '',
): Promise<void> {
  for (const [channel, id] of Object.entries(ids) as [ChannelName, string | null][]) {
    const current = person.channel_ids[channel];
    if ((current ?? null) === id) continue;
    const refusal = { field: `${path}channel_ids.${channel}` };
    if (current !== undefined && current === person.number) throw new Problem('PERSON_CHANNEL_ID_NEEDED', refusal);
    const { account_id } = person;
    await tx.run(sql`
      delete from person_numbers
      where account_id = ${account_id} and person_id = ${person.id} and channel = ${channel}`);
    if (id === null) continue;
    if (!(await claimId(tx, person, channel, id))) throw new Problem('PERSON_CHANNEL_ID_EXISTS', refusal);
    // A person who has opted out under the ID gets no messages on the number either.
    if (id !== person.number) await copyNumberStops(tx, account_id, id, person.number);
  }
}

/**
 * Returns whether the ID is now the person's. An ID whose person no longer exists is free. The lock makes the statement
 * see the people of transactions that claimed the ID at the same time.
 */
async function claimId(
  tx: Tx,
  { account_id, id: person_id }: Pick<Person, 'account_id' | 'id'>,
  channel: ChannelName,
  id: string,
): Promise<boolean> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`${account_id} ${id}`}, 0))`);
  const claimed = await tx.run(sql`
    insert into person_numbers as n (account_id, number, person_id, channel)
    select ${account_id}::uuid, ${id}::text, ${person_id}::uuid, ${channel}::text
    where not exists (select from people p
      where p.account_id = ${account_id} and p.number = ${id} and p.id <> ${person_id})
    on conflict (account_id, number) do update set person_id = excluded.person_id, channel = excluded.channel
    where n.person_id = excluded.person_id
      or not exists (select from people p where p.account_id = n.account_id and p.id = n.person_id)`);
  return claimed > 0;
}
