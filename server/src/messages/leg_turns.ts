/**
 * Changes of messages with several ways, one message after another: there are few of them, and each looks at what may be sent now, and from which of
 * several numbers behind a sender.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import { NO_CONTENT } from '@parley/contract/messages/content.ts';
import { RANK } from '@parley/contract/messages/messages.ts';
import { messageOf, Problem } from '@parley/contract/problem.ts';
import { stoppedNumbers } from '../audiences/audiences.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { resolveSender } from '../senders/senders.ts';
import type { Change } from './change.ts';
import { leaveConversation, touchConversation } from './conversations.ts';
import type { Standing } from './fold.ts';
import { lockQueued, type OrderRow, type OrderWrite, writeOrder } from './leg_rows.ts';
import { foldOrder, type Leg, type OrderFolded, type Prospect } from './legs.ts';
import { type Origin, originsOf } from './pool.ts';
import { purposesOf } from './purposes.ts';

type Looked = Prospect & { readonly origin?: Origin | null };

/** `origin`: the number behind a sender that it goes on from. */
export type Turned = OrderFolded & { readonly origin: Origin | null };

/** Writes down what is the ways' own; status, timeline and money are written with those of all other messages. */
export async function turnOrder(
  tx: Tx,
  row: OrderRow,
  standing: Standing,
  changes: readonly Change[],
): Promise<Turned> {
  const mayPass = changes.some(({ due, status }) => due || RANK[status] === RANK.failed);
  const mayTakeBack = changes.some(({ due, status }) => due || status === 'delivered' || status === 'read');
  const prospects = mayPass ? await prospectsOf(tx, row) : new Map<number, Looked>();
  const result = foldOrder(row, standing, changes, {
    now: tx.now,
    expires: row.expires,
    prospects,
    recallable: mayTakeBack && (await lockQueued(tx, row)),
  });
  const write: OrderWrite = { row, ...result };
  await writeOrder(tx, write);
  if (result.moved) await follow(tx, row, result);
  const origin = (result.moved && prospects.get(result.order.current)?.origin) || null;
  return { ...result, origin };
}

/** The conversation it goes on in, and the one it was in. */
async function follow(tx: Tx, row: OrderRow, { folded, order }: OrderFolded): Promise<void> {
  const { account_id, message_id: id, number, source, create_date } = row;
  const { channel, sender_id, text, content, status } = order.legs[order.current]!;
  const counted = status === 'enroute' ? content : null;
  await touchConversation(tx, [
    {
      ...{ account_id, id, channel, sender_id, number, direction: 'MT', text, status: folded.status },
      ...{ create_date, source, content: counted },
    },
  ]);
  await leaveConversation(tx, { account_id, sender_id: row.legs[row.current]!.sender_id, number }, id);
}

async function prospectsOf(tx: Tx, row: OrderRow): Promise<Map<number, Looked>> {
  const prospects = new Map<number, Looked>();
  for (const [place, leg] of row.legs.entries())
    if (leg.state === 'waiting') prospects.set(place, await prospectOf(tx, row, leg));
  return prospects;
}

async function prospectOf(tx: Tx, row: OrderRow, leg: Leg): Promise<Looked> {
  try {
    return await prospect(tx, row, leg);
  } catch (error) {
    if (error instanceof Problem) return { refusal: error.message };
    throw error;
  }
}

/** As the gate would judge it now; the price is one of those it was held for. */
async function prospect(tx: Tx, { account_id, number, country }: OrderRow, leg: Leg): Promise<Looked> {
  const { channel, sender_id, text, content, asked } = leg;
  const { closed } = await tx.one<{ closed: boolean }>(
    sql`select close_date is not null as closed from accounts where id = ${account_id}`,
  );
  if (closed) return { refusal: 'The account is closed' };
  const sender = await resolveSender(tx, account_id, channel, sender_id, { allowShared: true });
  if ((await stoppedNumbers(tx, account_id, sender_id, [number])).has(number)) return { refusal: messageOf(1530) };
  let { connection_id, from, sender_address } = leg;
  if (channelRules(channel).carried_by === 'sender') {
    const known = await tx.maybeOne<{ id: string; address: string }>(sql`
      select c.id, coalesce(s.carrier_address, s.code) as address
      from senders s join connections c on c.id = s.connection_id and c.enabled and c.channel = s.channel
      where s.account_id = ${account_id} and s.id = ${sender_id}`);
    if (!known) return { refusal: messageOf(1543) };
    connection_id = known.id;
    sender_address = known.address;
  }
  const written = { text, content: content ?? NO_CONTENT, template_id: leg.template_id, purpose: asked };
  const question = { account_id, sender_id, channel, numbers: [number], leaves: tx.now };
  const judged = (await purposesOf(tx, written, question))?.(number) ?? null;
  if (typeof judged === 'number') return { refusal: messageOf(judged) };
  const price_micros = leg.prices[judged ?? 'any'] ?? leg.price_micros;
  // The person may have written to another of its numbers meanwhile, or the one that was chosen at the gate may have left.
  const member = (await originsOf(tx, sender, [{ number, country }]))?.[0];
  const origin = member ? { account_id, pool_id: sender.id, sender_id: member.sender_id } : null;
  if (channelRules(channel).carried_by === 'routes') from = sender_address = member?.code ?? sender.code;
  return { refusal: null, purpose: judged, price_micros, connection_id, from, sender_address, origin };
}
