/**
 * Three months of history of the demo company: campaigns on all channels, order notices, conversations, links, top-ups,
 * and invoices. It is the same at every start, relative to the present, and passes all of the doctor's checks.
 */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { countPast } from '../../insights/insights.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import {
  insertMessages,
  isCharged,
  type PastMessage,
  type PastSender,
  type PastStatus,
  priceMicros,
} from './past_messages.ts';
import { insertMargins, insertMoney } from './past_money.ts';
import { createDice, type Dice } from './random.ts';
import { CAMPAIGNS, LINKS, ORDER_TEXTS, type PastCampaign, TALKS } from './texts.ts';

const SEED = 20_260_101;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const HISTORY_DAYS = 90;
/** From ranges that regulators reserve for fiction. */
const MEMBERS = [
  ...Array.from({ length: 98 }, (_, index) => `4917139200${String(index + 1).padStart(2, '0')}`),
  ...Array.from({ length: 60 }, (_, index) => `49176040690${30 + index}`).filter(
    (number) => !number.endsWith('77') && !number.endsWith('78'),
  ),
];
const FIRST_NAMES = [
  'Amelia',
  'Noah',
  'Isla',
  'Theo',
  'Maya',
  'Leo',
  'Freya',
  'Oscar',
  'Zara',
  'Finn',
  'Ruby',
  'Elias',
];
const LAST_NAMES = [
  'Hart',
  'Merriman',
  'Okafor',
  'Lindqvist',
  'Haddad',
  'Novak',
  'Thorne',
  'Vasquez',
  'Frayne',
  'Kessler',
];

interface World {
  account_id: string;
  now: number;
  dice: Dice;
  senders: Readonly<Record<ChannelName, PastSender>>;
  audience_id: string;
  owner_id: string;
  agent_id: string;
  key_id: string | null;
}

/** Call this before the first entry of the ledger. */
export async function seedHistory(tx: Tx, account_id: string): Promise<void> {
  const dice = createDice(SEED);
  const now = tx.now.getTime();
  const senders = await findSenders(tx, account_id);
  const people = await tx.rows<{ id: string; is_owner: boolean }>(
    sql`select id, is_owner from users where account_id = ${account_id} and login_id is not null order by id`,
  );
  const key = await tx.maybeOne<{ id: string }>(
    sql`select id from api_keys where account_id = ${account_id} order by id limit 1`,
  );
  const owner = people.find(({ is_owner }) => is_owner)!;
  const world: World = {
    ...{ account_id, now, dice, senders },
    audience_id: dice.id(now - HISTORY_DAYS * DAY_MS),
    owner_id: owner.id,
    agent_id: (people.find(({ is_owner }) => !is_owner) ?? owner).id,
    key_id: key?.id ?? null,
  };
  await tx.run(sql`
    update accounts set create_date = ${new Date(now - (HISTORY_DAYS + 5) * DAY_MS)} where id = ${account_id}`);
  const last_contact_id = await insertMembers(tx, world);
  const campaigns = CAMPAIGNS.map((campaign) => pastCampaign(world, campaign));
  const talks = pastTalks(world);
  const messages = [...campaigns.flatMap((one) => one.messages), ...orderNotices(world), ...talks.flat()];
  await insertMessages(tx, account_id, messages, dice);
  await insertCampaigns(tx, world, campaigns, last_contact_id);
  await insertConversations(tx, world, talks);
  await insertLinks(tx, world);
  await insertMoney(tx, account_id, messages, dice);
  await insertMargins(tx, account_id);
  // Suggestions for limits need the counts, and the job that counts them may run an hour later.
  await countPast(tx, account_id);
}

async function findSenders(tx: Tx, account_id: string): Promise<World['senders']> {
  const rows = await tx.rows<PastSender>(sql`
    select distinct on (s.channel) s.id, s.code, s.channel,
      coalesce(s.connection_id, (select id from connections k where k.channel = s.channel order by id limit 1))
        as connection_id,
      coalesce((select max(r.price_micros) from rates r
        where r.channel = s.channel and r.country = 'DE' and r.account_id is null and r.mccmnc is null), 50000)::int
        as price_micros
    from senders s where s.account_id = ${account_id} and (s.channel <> 'SMS' or s.name = 'Harbour Hamburg')
    order by s.channel, s.id`);
  return Object.fromEntries(rows.map((row) => [row.channel, row])) as World['senders'];
}

async function insertMembers(tx: Tx, { account_id, audience_id, now, dice }: World): Promise<string> {
  const ms = now - HISTORY_DAYS * DAY_MS;
  const contacts = MEMBERS.map((number, index) => ({
    id: dice.id(ms + index),
    number,
    first_name: FIRST_NAMES[index % FIRST_NAMES.length],
    last_name: LAST_NAMES[index % LAST_NAMES.length],
    custom1: `Member since 20${18 + (index % 8)}`,
  }));
  await tx.run(sql`
    insert into audiences (account_id, id, name, channel, contacts_count, create_date, update_date)
    values (${account_id}, ${audience_id}, 'Members', 'SMS', ${contacts.length}, ${new Date(ms)}, ${new Date(ms)})`);
  await tx.run(sql`
    insert into contacts (account_id, audience_id, id, number, country, first_name, last_name, custom1)
    select ${account_id}, ${audience_id}, id, number, 'DE', first_name, last_name, custom1
    from jsonb_to_recordset(${JSON.stringify(contacts)}::jsonb)
      as c(id uuid, number text, first_name text, last_name text, custom1 text)`);
  return contacts.at(-1)!.id;
}

interface Campaign extends PastCampaign {
  id: string;
  ms: number;
  messages: PastMessage[];
}

/** Campaigns start at 10:00, a little later each. People read chat apps more often than they fail to receive. */
function pastCampaign({ now, dice, senders, owner_id }: World, campaign: PastCampaign): Campaign {
  const day = Math.floor((now - campaign.days_ago * DAY_MS) / DAY_MS) * DAY_MS;
  const ms = day + 9 * HOUR_MS + dice.whole(0, 90) * 60_000;
  const [id, hold_id] = [dice.id(ms), dice.id(ms)];
  const isChat = campaign.purpose !== null;
  const status = (): PastStatus => {
    if (dice.chance(isChat ? 0.09 : 0.035)) return 'failed';
    return isChat && dice.chance(0.68) ? 'read' : 'delivered';
  };
  const messages = MEMBERS.map((number, index): PastMessage => {
    const sent = ms + index * 40;
    return {
      ...{ id: dice.id(sent), ms: sent, sender: senders[campaign.channel], number, direction: 'MT', status: status() },
      ...{ source: 'campaign', text: campaign.text, purpose: campaign.purpose, campaign_id: id, user_id: owner_id },
      ...{ key_id: null, hold_id },
    };
  });
  return { ...campaign, id, ms, messages };
}

/** Notices from the shop system: more on weekends, and a little more every month. */
function orderNotices({ now, dice, senders, key_id }: World): PastMessage[] {
  const messages: PastMessage[] = [];
  for (let days = HISTORY_DAYS; days > 0; days--) {
    const day = Math.floor((now - days * DAY_MS) / DAY_MS) * DAY_MS;
    const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
    const count = dice.whole(5, 9) + (isWeekend ? 5 : 0) + Math.floor((HISTORY_DAYS - days) / 20);
    for (let index = 0; index < count; index++) {
      const ms = day + dice.whole(7 * 60, 19 * 60) * 60_000 + dice.whole(0, 59_999);
      messages.push({
        ...{ id: dice.id(ms), ms, sender: senders.SMS, number: dice.pick(MEMBERS), direction: 'MT', source: 'api' },
        ...{ status: dice.chance(0.025) ? 'failed' : 'delivered', text: dice.pick(ORDER_TEXTS), purpose: null },
        ...{ campaign_id: null, user_id: null, key_id, hold_id: dice.id(ms) },
      });
    }
  }
  return messages.filter(({ ms }) => ms < now - HOUR_MS);
}

/** The latest conversations wait for a reply. Those before them are answered, and not closed yet. */
const OPEN_TALKS = 7;
const ANSWERED_TALKS = 6;

/** Conversations, oldest first. The latest ones wait for a reply. */
function pastTalks({ now, dice, senders, agent_id }: World): PastMessage[][] {
  const channels: readonly ChannelName[] = ['SMS', 'SMS', 'WHATSAPP', 'VIBER', 'SMS', 'WHATSAPP'];
  return MEMBERS.filter((_, index) => index % 3 === 0).map((number, index, all) => {
    const channel = channels[index % channels.length]!;
    const isOpen = index >= all.length - OPEN_TALKS;
    const closed = all.length - OPEN_TALKS;
    const age = isOpen ? (all.length - index) * 1.4 * HOUR_MS : ((closed - index) / closed) * 80 * DAY_MS;
    const start = Math.round(now - age - HOUR_MS / 2);
    const [question, answer, thanks] = TALKS[index % TALKS.length]!;
    const purpose = channel === 'VIBER' ? 'session' : channel === 'WHATSAPP' ? 'service' : null;
    const line = (direction: 'MT' | 'MO', text: string, minutes: number): PastMessage => {
      const ms = start + minutes * 60_000;
      const isOut = direction === 'MT';
      return {
        ...{ id: dice.id(ms), ms, sender: senders[channel], number, direction, text, purpose: isOut ? purpose : null },
        status: isOut ? 'delivered' : 'received',
        source: isOut ? 'inbox' : 'phone',
        ...{ campaign_id: null, user_id: isOut ? agent_id : null, key_id: null, hold_id: isOut ? dice.id(ms) : null },
      };
    };
    return [
      line('MO', question, 0),
      ...(answer !== null && !isOpen ? [line('MT', answer, dice.whole(2, 12))] : []),
      ...(answer !== null && thanks !== null && !isOpen ? [line('MO', thanks, dice.whole(13, 20))] : []),
    ];
  });
}

async function insertCampaigns(
  tx: Tx,
  { account_id, audience_id, senders, owner_id }: World,
  campaigns: readonly Campaign[],
  last_contact_id: string,
): Promise<void> {
  for (const { id, ms, name, channel, text, messages } of campaigns) {
    const counts: Record<string, number> = {};
    for (const { status } of messages) counts[status] = (counts[status] ?? 0) + 1;
    const cost = messages.filter(isCharged).reduce((sum, one) => sum + priceMicros(one), 0);
    const [start, end] = [new Date(ms), new Date(ms + 4 * 60_000)];
    await tx.run(sql`
      insert into campaigns (account_id, id, name, channel, sender_id, audience_id, text, status, user_id, total,
        last_contact_id, cursor_contact_id, fanned_out, counts, cost_micros, start_date, end_date, create_date,
        update_date)
      values (${account_id}, ${id}, ${name}, ${channel}, ${senders[channel].id}, ${audience_id}, ${text}, 'completed',
        ${owner_id}, ${messages.length}, ${last_contact_id}, ${last_contact_id}, ${messages.length},
        ${JSON.stringify(counts)}::jsonb, ${cost}, ${start}, ${end}, ${start}, ${end})`);
  }
}

async function insertConversations(
  tx: Tx,
  { account_id, dice, agent_id, now }: World,
  talks: readonly PastMessage[][],
): Promise<void> {
  const rows = talks.map((messages, index) => {
    const last = messages.at(-1)!;
    const isOpen = index >= talks.length - OPEN_TALKS;
    const isClosed = index < talks.length - OPEN_TALKS - ANSWERED_TALKS;
    const inbound = messages.filter(({ direction }) => direction === 'MO').at(-1)!;
    const hasSession = last.sender.channel !== 'SMS';
    const answer = messages.find(({ direction }) => direction === 'MT');
    return {
      id: dice.id(messages[0]!.ms),
      ...{ channel: last.sender.channel, sender_id: last.sender.id, number: last.number, last_id: last.id },
      assignee_id: isClosed || (!isOpen && index % 2 === 0) ? agent_id : null,
      unread: isOpen ? 1 : 0,
      wait_ms: isOpen ? inbound.ms : null,
      ...{ first_ms: messages[0]!.ms, last_ms: last.ms, read_ms: isOpen ? null : Math.min(last.ms + 60_000, now) },
      session_ms: hasSession ? inbound.ms + DAY_MS : null,
      ...{ answer_id: answer?.id ?? null, answer_ms: answer?.ms ?? null },
      close_ms: isClosed ? last.ms + dice.whole(3, 90) * 60_000 : null,
    };
  });
  await tx.run(sql`
    insert into conversations (account_id, id, channel, sender_id, number, assignee_id, unread_count, timestamp,
      last_message_id, last_read_timestamp, create_date, session_until, waiting_since)
    select ${account_id}, id, channel, sender_id, number, assignee_id, unread, to_timestamp(last_ms / 1000.0), last_id,
      to_timestamp(read_ms / 1000.0), to_timestamp(first_ms / 1000.0), to_timestamp(session_ms / 1000.0),
      to_timestamp(wait_ms / 1000.0)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(id uuid, channel text, sender_id uuid, number text,
      assignee_id uuid, unread int, last_id uuid, first_ms bigint, last_ms bigint, read_ms bigint, session_ms bigint,
      wait_ms bigint)`);
  await tx.run(sql`
    update conversations set status = 'closed'
    where account_id = ${account_id} and id = any(${rows.filter((row) => row.close_ms).map(({ id }) => id)}::uuid[])`);
  // The first replies and the closings for the reports of the inbox.
  await tx.run(sql`
    update conversation_episodes e
    set waiting_date = to_timestamp(c.first_ms / 1000.0), reply_date = to_timestamp(c.answer_ms / 1000.0),
      reply_message_id = c.answer_id, reply_user_id = case when c.answer_id is not null then ${agent_id}::uuid end,
      close_date = to_timestamp(c.close_ms / 1000.0)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(id uuid, first_ms bigint, answer_id uuid,
      answer_ms bigint, close_ms bigint)
    where e.account_id = ${account_id} and e.conversation_id = c.id
      and (c.answer_id is not null or c.close_ms is not null)`);
}

const DEVICES = ['phone', 'phone', 'phone', 'desktop', 'tablet'] as const;

async function insertLinks(tx: Tx, { account_id, now, dice }: World): Promise<void> {
  for (const [index, { name, url }] of LINKS.entries()) {
    const created = now - (80 - index * 20) * DAY_MS;
    const id = dice.id(created);
    const code = dice.id(created).replaceAll('-', '').slice(-9);
    const clicks = Array.from({ length: dice.whole(60, 180) }, () => {
      const ms = created + dice.whole(1, Math.floor((now - created) / 1_000) - 1) * 1_000;
      return {
        id: dice.id(ms),
        ms,
        device: dice.pick(DEVICES),
        is_unique: dice.chance(0.8),
        is_bot: dice.chance(0.05),
      };
    }).sort((a, b) => a.ms - b.ms);
    const people = clicks.filter(({ is_bot }) => !is_bot);
    const unique = people.filter(({ is_unique }) => is_unique).length;
    await tx.run(sql`
      insert into links (account_id, id, url, name, source, code, clicks, unique_clicks, bot_clicks, first_click_date,
                         last_click_date, create_date, update_date)
      values (${account_id}, ${id}, ${url}, ${name}, 'manual', ${code}, ${people.length}, ${unique},
              ${clicks.length - people.length}, ${new Date(people[0]!.ms)}, ${new Date(people.at(-1)!.ms)},
              ${new Date(created)}, ${new Date(created)})`);
    await tx.run(sql`
      insert into link_codes (code, account_id, kind, link_id) values (${code}, ${account_id}, 'link', ${id})`);
    await tx.run(sql`
      insert into link_clicks (account_id, id, link_id, kind, is_unique, device, click_date)
      select ${account_id}, c.id, ${id}, case when is_bot then 'bot' else 'person' end, is_unique and not is_bot,
        device, to_timestamp(ms / 1000.0)
      from jsonb_to_recordset(${JSON.stringify(clicks)}::jsonb)
        as c(id uuid, ms bigint, device text, is_unique boolean, is_bot boolean)`);
  }
}
