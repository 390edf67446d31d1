/** Past money movements: top-ups with their invoices, and the amounts that messages held, settled, and released. */
import { sql, type Tx } from '../../kernel/db/db.ts';
import { isCharged, type PastMessage, priceMicros } from './past_messages.ts';
import type { Dice } from './random.ts';

const DAY_MS = 86_400_000;
const TOP_UP_MICROS = 400_000_000;
const TOP_UP_DAYS = [90, 60, 30] as const;

interface Entry {
  ms: number;
  debit: string;
  credit: string;
  amount_micros: number;
  kind: string;
  key: string;
  hold_id: string | null;
  campaign_id: string | null;
  message_count: number;
  payment_id: string | null;
  note: string;
}

interface Hold {
  id: string;
  ms: number;
  campaign_id: string | null;
  messages: readonly PastMessage[];
}

function groupByHold(messages: readonly PastMessage[]): Hold[] {
  const holds = new Map<string, PastMessage[]>();
  for (const message of messages)
    if (message.hold_id !== null) holds.set(message.hold_id, [...(holds.get(message.hold_id) ?? []), message]);
  return [...holds].map(([id, group]) => ({
    id,
    ms: Math.min(...group.map(({ ms }) => ms)),
    campaign_id: group[0]!.campaign_id,
    messages: group,
  }));
}

const total = (messages: readonly PastMessage[]): number => messages.reduce((sum, one) => sum + priceMicros(one), 0);

function holdEntries({ id, ms, campaign_id, messages }: Hold): Entry[] {
  const settled = messages.filter(isCharged);
  const released = messages.filter((one) => !isCharged(one));
  const entry = (
    kind: string,
    debit: string,
    credit: string,
    part: readonly PastMessage[],
    after_ms: number,
  ): Entry => ({
    ...{ ms: ms + after_ms, debit, credit, kind, campaign_id, hold_id: id, payment_id: null, note: '' },
    amount_micros: total(part),
    key: `${kind}:${id}`,
    message_count: part.length,
  });
  return [
    entry('hold', 'available', 'held', messages, 0),
    entry('settle', 'held', 'spent', settled, 60_000),
    entry('release', 'held', 'available', released, 120_000),
  ].filter(({ amount_micros }) => amount_micros > 0);
}

/** Returns the balance at the end. */
export async function insertMoney(
  tx: Tx,
  account_id: string,
  messages: readonly PastMessage[],
  dice: Dice,
): Promise<number> {
  const now = tx.now.getTime();
  const holds = groupByHold(messages);
  const payments = TOP_UP_DAYS.map((days, index) => ({
    id: dice.id(now - days * DAY_MS),
    ms: now - days * DAY_MS,
    index,
  }));
  await insertPayments(tx, account_id, payments, dice);
  await tx.run(sql`
    insert into holds (account_id, id, campaign_id, amount_micros, open_micros, message_count, create_date)
    select ${account_id}, id, campaign_id, amount, 0, messages, to_timestamp(ms / 1000.0)
    from jsonb_to_recordset(${JSON.stringify(
      holds.map(({ id, ms, campaign_id, messages: group }) => ({
        ...{ id, ms, campaign_id },
        amount: total(group),
        messages: group.length,
      })),
    )}::jsonb) as h(id uuid, ms bigint, campaign_id uuid, amount bigint, messages int)`);
  const topUps = payments.map(
    ({ id, ms }): Entry => ({
      ...{ ms, debit: 'outside', credit: 'available', amount_micros: TOP_UP_MICROS, kind: 'top_up', key: `past:${id}` },
      ...{ hold_id: null, campaign_id: null, message_count: 0, payment_id: id, note: 'Bank transfer' },
    }),
  );
  return insertEntries(tx, account_id, [...topUps, ...holds.flatMap(holdEntries)], dice);
}

async function insertEntries(tx: Tx, account_id: string, entries: Entry[], dice: Dice): Promise<number> {
  let available = 0;
  let held = 0;
  const rows = entries
    .sort((a, b) => a.ms - b.ms)
    .map((entry) => {
      const { amount_micros: amount, debit, credit } = entry;
      available += (credit === 'available' ? amount : 0) - (debit === 'available' ? amount : 0);
      held += (credit === 'held' ? amount : 0) - (debit === 'held' ? amount : 0);
      return { ...entry, id: dice.id(entry.ms), available, held };
    });
  await tx.run(sql`
    insert into ledger (account_id, id, debit, credit, amount_micros, kind, key, hold_id, campaign_id, message_count,
      available_after_micros, held_after_micros, note, create_date, payment_id)
    select ${account_id}, id, debit, credit, amount_micros, kind, key, hold_id, campaign_id, message_count, available,
      held, note, to_timestamp(ms / 1000.0), payment_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(id uuid, debit text, credit text,
      amount_micros bigint, kind text, key text, hold_id uuid, campaign_id uuid, message_count int, available bigint,
      held bigint, note text, ms bigint, payment_id uuid)`);
  await tx.run(sql`update balances set available_micros = ${available} where account_id = ${account_id}`);
  return available;
}

async function insertPayments(
  tx: Tx,
  account_id: string,
  payments: readonly { id: string; ms: number; index: number }[],
  dice: Dice,
): Promise<void> {
  for (const { id, ms, index } of payments) {
    const date = new Date(ms);
    await tx.run(sql`
      insert into payments (account_id, id, type, status, currency, amount_micros, reference, create_date, update_date,
                            paid_date)
      values (${account_id}, ${id}, 'Bank Transfer', 'PAID', 'USD', ${TOP_UP_MICROS}, ${`HC-${1001 + index}`}, ${date},
              ${date}, ${date})`);
    const { number } = await tx.one<{ number: string }>(sql`
      update invoice_entities set next_number = next_number + 1 where id = 1
      returning number_prefix || lpad((next_number - 1)::text, 6, '0') as number`);
    await tx.run(sql`
      insert into invoices (account_id, id, entity, number, type, payment_id, period, currency, net_micros, tax_micros,
                            tax_rate, content, create_date)
      select ${account_id}, ${dice.id(ms)}, 1, ${number}, 'Invoice', ${id}, ${date}::timestamptz::date, 'USD',
        ${TOP_UP_MICROS}, 0, 0,
        jsonb_build_object(
          'seller', jsonb_build_object('name', e.name, 'address', e.address, 'country_code', e.country_code,
                                       'vat_number', e.vat_number, 'bank_details', e.bank_details),
          'buyer', jsonb_build_object('name', a.company_name, 'address', a.company_address, 'country_code',
                                      a.country_code, 'vat_number', a.vat_number),
          'description', 'Messaging credit', 'reverse_charge', false),
        ${date}
      from accounts a, invoice_entities e where a.id = ${account_id} and e.id = 1`);
  }
}

/** The margins of the messages, with the ledger entries that settled them. */
export const insertMargins = (tx: Tx, account_id: string) =>
  tx.run(sql`
    insert into margins (account_id, day, connection_id, channel, country, currency, messages, segments, income_micros,
                         cost_micros, uncosted_segments)
    select m.account_id, (l.create_date at time zone 'UTC')::date,
           coalesce(m.connection_id, '00000000-0000-0000-0000-000000000000'), m.channel, m.country, m.currency,
           count(*), sum(m.segments_count), sum(m.price_micros),
           coalesce(sum(m.segments_count * r.cost_micros), 0),
           coalesce(sum(m.segments_count) filter (where r.cost_micros is null), 0)
    from ledger l join messages m on m.account_id = l.account_id and m.hold_id = l.hold_id and m.charge = 'settled'
    left join lateral (
      select cost_micros from routes
      where connection_id = m.connection_id and channel = m.channel and cost_currency = m.currency limit 1) r on true
    where l.account_id = ${account_id} and l.kind = 'settle' group by 1, 2, 3, 4, 5, 6`);
