/** Past messages with their holds and ledger entries, as the gate and the carriers leave them. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { segment } from '@parley/contract/channels/sms/text.ts';
import { NO_CONTENT, type Purpose } from '@parley/contract/messages/content.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Dice } from './random.ts';

export interface PastSender {
  id: string;
  code: string;
  channel: ChannelName;
  connection_id: string;
  price_micros: number;
}

export type PastStatus = 'delivered' | 'read' | 'failed' | 'received';

export interface PastMessage {
  id: string;
  ms: number;
  sender: PastSender;
  number: string;
  direction: 'MT' | 'MO';
  status: PastStatus;
  source: 'campaign' | 'api' | 'inbox' | 'phone';
  text: string;
  purpose: Purpose | null;
  campaign_id: string | null;
  user_id: string | null;
  key_id: string | null;
  /** The messages of a campaign share one hold. */
  hold_id: string | null;
}

const BATCH = 1_000;
const NETWORKS: readonly (readonly [prefix: string, mccmnc: string])[] = [
  ['49171', '26201'],
  ['49176', '26203'],
];

const stamp = (ms: number): string => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');

/** Chat apps charge on delivery, so a failed message is free there. */
export const isCharged = ({ sender, status }: PastMessage): boolean =>
  status !== 'failed' || channelRules(sender.channel).charged_at !== 'delivered';

export const priceMicros = ({ sender, direction, text }: PastMessage): number =>
  direction === 'MO' ? 0 : sender.price_micros * countSegments(sender.channel, text);

const countSegments = (channel: ChannelName, text: string): number =>
  channelRules(channel).counts === 'segments' ? segment(text).segments.length : 1;

function toRow(message: PastMessage, dice: Dice) {
  const { sender, number, direction, status, ms, text, purpose } = message;
  const isOut = direction === 'MT';
  const [sent, done] = [ms + dice.whole(300, 1_500), ms + dice.whole(2_000, 40_000)];
  const read = done + dice.whole(30_000, 5_400_000);
  const outbound = [
    { at: stamp(ms), status: 'enroute', source: 'gate' },
    { at: stamp(sent), status: 'sent', source: 'worker' },
    ...(status === 'failed'
      ? [{ at: stamp(done), status, source: 'carrier', code: '27', text: 'The phone was not reachable' }]
      : [{ at: stamp(done), status: 'delivered', source: 'carrier' }]),
    ...(status === 'read' ? [{ at: stamp(read), status, source: 'carrier' }] : []),
  ];
  const timeline = isOut ? outbound : [{ at: stamp(ms), status: 'received', source: 'carrier' }];
  const chat = channelRules(sender.channel).session !== null;
  return {
    ...{ id: message.id, direction, status, number, text, source: message.source, timeline },
    channel: sender.channel,
    sender_id: sender.id,
    from: isOut ? sender.code : number,
    to: isOut ? number : sender.code,
    country: 'DE',
    mccmnc: NETWORKS.find(([prefix]) => number.startsWith(prefix))?.[1] ?? null,
    segments_count: countSegments(sender.channel, text),
    encoding: 'GSM-7',
    price_micros: priceMicros(message),
    charge: isOut ? (isCharged(message) ? 'settled' : 'released') : 'none',
    hold_id: message.hold_id,
    campaign_id: message.campaign_id,
    user_id: message.user_id,
    key_id: message.key_id,
    connection_id: sender.connection_id,
    attempts: isOut ? 1 : 0,
    failure: status === 'failed' ? 'rejected' : null,
    carrier_code: status === 'failed' ? '27' : null,
    status_details: status === 'failed' ? 'The phone was not reachable' : null,
    content: chat ? { ...NO_CONTENT, purpose } : null,
    create_date: stamp(ms),
    update_date: timeline.at(-1)!.at,
  };
}

export async function insertMessages(
  tx: Tx,
  account_id: string,
  messages: readonly PastMessage[],
  dice: Dice,
): Promise<void> {
  for (let start = 0; start < messages.length; start += BATCH) {
    const rows = messages.slice(start, start + BATCH).map((message) => toRow(message, dice));
    await tx.run(sql`
      insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country,
        mccmnc, text, segments_count, encoding, price_micros, currency, charge, hold_id, source, campaign_id, user_id,
        key_id, connection_id, failure, carrier_code, status_details, attempts, timeline, content, create_date,
        update_date)
      select ${account_id}, id, direction, channel, status, sender_id, "from", "to", number, country, mccmnc, text,
        segments_count, encoding, price_micros, 'USD', charge, hold_id, source, campaign_id, user_id, key_id,
        connection_id, failure, carrier_code, status_details, attempts, timeline, content,
        create_date at time zone 'UTC', update_date at time zone 'UTC'
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, direction text, channel text, status text,
        sender_id uuid, "from" text, "to" text, number text, country text, mccmnc text, text text,
        segments_count smallint, encoding text, price_micros bigint, charge text, hold_id uuid, source text,
        campaign_id uuid, user_id uuid, key_id uuid, connection_id uuid, failure text, carrier_code text,
        status_details text, attempts smallint, timeline jsonb, content jsonb, create_date timestamp,
        update_date timestamp)`);
  }
  await insertSubmissions(tx, account_id);
}

/** The carrier's IDs of messages that users can quote. The others are too old for receipts. */
const insertSubmissions = (tx: Tx, account_id: string) =>
  tx.run(sql`
    insert into submissions (connection_id, external_id, account_id, message_id, part, parts, create_date)
    select connection_id, 'wamid.' || md5(account_id::text || id::text), account_id, id, 1, 1, create_date
    from messages
    where account_id = ${account_id} and channel = 'WHATSAPP' and connection_id is not null
      and create_date > ${tx.now}::timestamptz - interval '30 days'
      and status in ('received', 'sent', 'delivered', 'read')`);
