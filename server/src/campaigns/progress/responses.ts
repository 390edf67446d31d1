/**
 * The responses to a campaign: what its recipients wrote to its sender in the days after their message. The queries
 * start from the inbound messages, which are few, and not from the recipients.
 */

import { REPLY_DAYS } from '@parley/contract/campaigns/results.ts';
import { BUCKETS } from '@parley/contract/campaigns/statuses.ts';
import { ID_MARGIN_MS, idAt } from '../../kernel/clock.ts';
import { type Sql, sql } from '../../kernel/db/db.ts';
import type { CampaignRow } from '../model/row.ts';

/** The statuses of messages that a person has, or will have as far as the carrier knows. */
export const REACHED = [...BUCKETS.sent, ...BUCKETS.delivered];
const DAY_MS = 86_400_000;

/**
 * Selects each recipient who responded: `number`, the time of the first reply (null if they only opted out), whether a
 * message of theirs put them on the stop list, and whether they got the campaign's message.
 */
export function responses({ account_id, id, sender_id, start_date, end_date }: CampaignRow, now: Date): Sql {
  const from = start_date ? Date.parse(`${start_date.replace(' ', 'T')}Z`) : now.getTime();
  const sent = end_date ? Date.parse(`${end_date.replace(' ', 'T')}Z`) : now.getTime();
  return sql`
    select i.number, min(i.create_date) filter (where l.id is null) as reply_date,
           bool_or(l.id is not null) as opted_out, bool_or(m.status = any(${REACHED}::text[])) as reached
    from messages i
    join messages m on m.account_id = i.account_id and m.campaign_id = ${id} and m.number = i.number
    left join stop_list l on l.account_id = i.account_id and l.number = i.number and l.message_id = i.id
    where i.account_id = ${account_id} and i.sender_id = ${sender_id} and i.direction = 'MO'
      and i.id >= ${idAt(from - ID_MARGIN_MS)}::uuid and i.id < ${idAt(sent + REPLY_DAYS * DAY_MS + ID_MARGIN_MS)}::uuid
      and i.create_date between m.create_date and m.create_date + make_interval(days => ${REPLY_DAYS})
    group by i.number`;
}

/** Selects the message of each recipient who opened a link: `message_id`, which can occur several times. */
export const clickedMessages = ({ account_id, id }: Pick<CampaignRow, 'account_id' | 'id'>): Sql => sql`
  select k.message_id from links l
  join link_clicks k on k.account_id = l.account_id and k.link_id = l.id and k.kind = 'person'
    and k.message_id is not null
  where l.account_id = ${account_id} and l.campaign_id = ${id}`;
