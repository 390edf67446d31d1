/** Records that a person sent a keyword that triggers automations. They start with the next tick of the schedule. */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { idChannel, PERSON_IDS } from '@parley/contract/channels/person_ids.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { writeChannelIds } from '../people/channel_ids.ts';
import { insertPerson, isMerged } from '../people/queries.ts';
import { parseNumber } from '../phone_numbers/number.ts';

interface KeywordEntry {
  account_id: string;
  keyword_id: string;
  message_id: string;
  /** Only automations on the channel of the message start. */
  channel: ChannelName;
  number: string;
}

/** Creates a person for a number without one, so that the campaign has a recipient. */
export async function enterByKeyword(tx: Tx, entry: KeywordEntry): Promise<void> {
  const { account_id, keyword_id, message_id, channel, number } = entry;
  const entered = await tx.run(sql`
    insert into campaign_entries (account_id, campaign_id, number, occurrence, due_date)
    select t.account_id, t.campaign_id, ${number}, ${message_id}, ${tx.now}
    from campaign_triggers t join campaigns c on c.account_id = t.account_id and c.id = t.campaign_id
    where t.account_id = ${account_id} and t.kind = 'keyword' and t.target_id = ${keyword_id}
      and c.channel = ${channel}
    on conflict do nothing`);
  if (entered === 0 || (await isMerged(tx, account_id, number))) return;
  const id = idChannel(number);
  const country = id ? PERSON_IDS[id]!.country(number) : parseNumber(`+${number}`)?.country;
  if (country === undefined) return;
  const texts = { first_name: '', last_name: '', custom1: '', custom2: '' };
  const person = await insertPerson(tx, { account_id, id: newId(), number, country, ...texts });
  if (person && id) await writeChannelIds(tx, person, { [id]: number });
}
