/** The public columns of a message, shared by lists, details, threads, and event payloads. */
import { type Sql, sql } from '../../kernel/db/db.ts';

/** Selects from `messages m`. Times are formatted as text, so that a row matches its JSON. */
export const messageColumns: Sql = sql`
  m.id, m.account_id, m.text, m."from", m."to", m.channel, m.type, m.content, m.template_id, m.status, m.direction,
  m.source, to_char(m.create_date, 'YYYY-MM-DD HH24:MI:SS') as create_date,
  to_char(m.update_date, 'YYYY-MM-DD HH24:MI:SS') as update_date,
  to_char(m.schedule, 'YYYY-MM-DD HH24:MI:SS') as schedule, m.segments_count, m.encoding, m.country, m.mccmnc,
  (select n.name from networks n where n.mccmnc = m.mccmnc) as network, (m.price_micros / 1000000.0)::float8 as price,
  m.price_micros, m.currency, m.charge, m.sender_id, m.campaign_id, m.user_id, m.failure, m.carrier_code,
  m.status_details, m.marks`;

/** The conversation that `m` belongs to. */
export const conversationId: Sql = sql`(
  select c.id from conversations c
  where c.account_id = m.account_id and c.sender_id = m.sender_id and c.number = m.number and c.delete_date is null
) as conversation_id`;

/** The public fields of `m` as JSON, for event payloads. */
export const messageJson: Sql = sql`(
  select row_to_json(message) from (select ${messageColumns}, ${conversationId}) message
)`;
