/**
 * The gate: every way to send goes through `accept`, in the caller's transaction. Whoever is accepted has a message, a row in the queue and money
 * held, or nothing of it exists. Nothing is sent from here, and nothing may enter `messages` with direction MT by another way.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/common.ts';
import { NO_CONTENT, typeOf } from '@parley/contract/messages/content.ts';
import { type Message, messageCreated, VALIDITY_SECONDS } from '@parley/contract/messages/messages.ts';
import { type Code, fieldOf, messageOf, Problem } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { demandSending, onlyNumber } from '../accounts/accounts.ts';
import { parseNumber, stoppedNumbers } from '../audiences/audiences.ts';
import { openHold, priceBook } from '../billing/billing.ts';
import { newId } from '../kernel/clock.ts';
import type { Db, Tx } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';
import { metrics } from '../kernel/metrics.ts';
import { useMedia } from '../media/media.ts';
import { claimReplies, resolveSender } from '../senders/senders.ts';
import { carrierOf } from './carriers.ts';
import { touchConversation } from './conversations.ts';
import { CLOSED, dearest, draftLegs, type Fallback, goOtherWays, insertWays } from './leg_gate.ts';
import { countOrigins, originsOf } from './pool.ts';
import { purposesOf } from './purposes.ts';
import { type Drafted, insertAccepted, writersTo } from './queue.ts';
import { judge, type Person, plainDigits, type Recipient, type Refused, readRecipients } from './recipients.ts';
import { demandOwnPhones } from './try_it_now.ts';
import { wakeDispatch } from './wake.ts';
import type { Written } from './written.ts';

export type { Recipient, Refused } from './recipients.ts';

const acceptedTotal = metrics.counter('msg_accepted_total', 'Messages accepted', ['channel']);

export const MOST_AT_ONCE = 1_000;

export interface AcceptRequest {
  readonly account_id: string;
  readonly channel: ChannelName;
  /** Id, name or code of the sender. */
  readonly from: string;
  readonly recipients: readonly Recipient[];
  /** What all of them get instead of the texts among the recipients, asked for when it is known who sends. */
  readonly write?: (sender: Sender) => Promise<Written>;
  readonly source: 'api' | 'campaign' | 'inbox' | 'reply' | 'test' | 'verification';
  /** throw: all or none, as the API promises. skip: the refused are told and the others go. */
  readonly refusal: 'throw' | 'skip';
  readonly user_id?: string | null;
  readonly key_id?: string | null;
  readonly campaign_id?: string | null;
  readonly schedule?: Date | null;
  readonly validity_seconds?: number | undefined;
  /** Echoed to the caller's webhooks. */
  readonly payload?: string | null | undefined;
  /** What a person on the stop list still gets: that they are on it, and who writes when they ask for HELP. */
  readonly passes_stop_list?: boolean;
  /** Other ways, in their order; never of a campaign. */
  readonly fallbacks?: readonly Fallback[];
}

export interface Accepted {
  /** In the order of the recipients; a number given twice is sent to once. */
  readonly accepted: Message[];
  readonly refused: Refused[];
  readonly hold_id: string | null;
  readonly total_micros: number;
}

/** Lower leaves first: codes and answers of people, single messages, campaigns. */
const PRIORITY = { verification: 1, inbox: 1, reply: 1, test: 5, api: 5, campaign: 9 } as const;

/** Problems: 1524 1142 account, 1505 1504 1625 sender, 1522 schedule, 7909 money, those of `write`; by recipient 1523 1529 1530 1508 1546 1543 1547 1544. */
export async function accept(tx: Tx, kernel: { db: Db }, request: AcceptRequest): Promise<Accepted> {
  const { account_id, channel, refusal } = request;
  if (request.recipients.length > MOST_AT_ONCE) throw new Error(`at most ${MOST_AT_ONCE} recipients at once`);
  const account = await demandSending(tx, account_id);
  if (request.schedule && request.schedule <= tx.now) throw new Problem(1522);
  const byHand = request.source === 'test' || request.source === 'inbox' || request.source === 'reply';
  const sender = await resolveSender(tx, account_id, channel, request.from, { allowShared: byHand });
  if (sender.shared && request.source !== 'reply') await demandOwn(tx, sender, request);
  const rules = channelRules(channel);
  const written = request.write ? await request.write(sender) : PLAIN;
  const content = written.content ?? (rules.session ? NO_CONTENT : null);
  const recipients = request.write
    ? request.recipients.map((recipient) => ({ ...recipient, text: written.text }))
    : request.recipients;
  const read = await readAll(tx, account_id, sender.id, recipients);
  // What a person is answered by itself (that they are on the stop list) is no message of the trial.
  const only = request.source === 'reply' ? null : await onlyNumber(tx, account, request.user_id ?? null);
  const { people, unread } = only === null ? read : narrow(read, only, request);
  const numbers = people.map((person) => person.number);
  const stopped = request.passes_stop_list
    ? new Set<string>()
    : await stoppedNumbers(tx, account_id, sender.id, numbers);
  const carrier = await carrierOf(tx, kernel, sender);
  const prices = await priceBook(kernel, tx);
  const leaves = request.schedule ?? tx.now;
  const { fallbacks = [] } = request;
  const judged = await purposesOf(tx, written, { account_id, sender_id: sender.id, channel, numbers, leaves });
  // Not of what leaves later: its next way would leave now.
  const closed = new Set<string>(
    judged && fallbacks.length > 0 && !request.schedule ? numbers.filter((number) => judged(number) === CLOSED) : [],
  );
  const verdict = judge(people, {
    sender,
    stopped,
    route: carrier.route,
    // A test costs nothing; it still has to be known where it goes.
    price: (number, country, purpose) => {
      const price = prices.price(account_id, channel, number, country, account.currency, purpose);
      return request.source === 'test' ? { mccmnc: price?.mccmnc ?? null, price_micros: 0 } : price;
    },
    purpose: judged && ((number) => (closed.has(number) ? 'service' : judged(number))),
    counts: rules.counts,
    carries_file: content !== null && content.media_type !== null,
  });
  const refused = [...unread, ...verdict.refused].sort((a, b) => a.index - b.index);
  if (refused.length > 0 && refusal === 'throw') throw refusalOf(refused);
  if (verdict.passed.length === 0) return { accepted: [], refused, hold_id: null, total_micros: 0 };
  const passed = verdict.passed.map((one) => (closed.has(one.number) ? { ...one, price_micros: 0 } : one));
  const origins = await originsOf(tx, sender, passed);
  const ways =
    fallbacks.length === 0
      ? null
      : await draftLegs(tx, kernel, {
          ...{ account_id, fallbacks, prices, currency: account.currency, people: passed },
          free: request.source === 'test',
          lent: byHand ? (lent) => demandOwn(tx, lent, request) : null,
        });
  const going = ways ? dearest(passed, ways) : passed;
  const hold_id = newId();
  const total_micros = going.reduce((sum, person) => sum + person.price_micros, 0);
  const ids = going.map(() => newId(tx.now.getTime()));
  const drafted: Drafted = {
    ...request,
    sender,
    sender_address: carrier.address,
    origins: origins?.map(({ code }) => code) ?? null,
    content,
    template_id: written.template_id,
    hold_id,
    ids,
    people: going,
    currency: account.currency,
    status: request.schedule ? 'scheduled' : 'enroute',
    priority: PRIORITY[request.source],
    validity_seconds: request.validity_seconds ?? VALIDITY_SECONDS.default,
  };
  await insertAccepted(tx, drafted);
  if (ways) await insertWays(tx, drafted, channel, passed, ways);
  // A campaign's file is the campaign's.
  if (content?.media_id && request.source !== 'campaign')
    for (const id of ids) await useMedia(tx, account_id, content.media_id, `message:${id}`);
  wakeDispatch(tx);
  const asked = messagesOf(tx, drafted, prices.networkName);
  if (request.source !== 'campaign') await tell(tx, asked);
  const accepted = await goOtherWays(tx, asked, closed).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== CLOSED) throw error;
    throw refusalOf(passed.filter(({ number }) => closed.has(number)).map((one) => ({ ...one, code: CLOSED })));
  });
  if (origins)
    await countOrigins(
      tx,
      origins.map(({ sender_id }) => ({ account_id, pool_id: sender.id, sender_id })),
    );
  // Last, because everybody who moves this account's money waits from here to the commit.
  const { campaign_id = null } = request;
  await openHold(tx, {
    id: hold_id,
    account_id,
    amount_micros: total_micros,
    message_count: accepted.length,
    campaign_id,
  });
  tx.afterCommit(() => acceptedTotal.inc({ channel }, accepted.length));
  return { accepted, refused, hold_id, total_micros };
}

/** What is lent for trying writes to the account's own phones, whoever asks; what those answer is the account's. */
async function demandOwn(tx: Tx, sender: Sender, { account_id, user_id, recipients }: AcceptRequest): Promise<void> {
  const numbers = recipients.map(({ to }) => to);
  await demandOwnPhones(tx, account_id, user_id ?? null, numbers);
  await claimReplies(
    tx,
    account_id,
    sender.id,
    numbers.map((number) => parseNumber(number)?.number ?? plainDigits(number)),
  );
}

const PLAIN: Written = { text: '', content: null, template_id: null, purpose: null };

async function readAll(tx: Tx, account_id: string, sender_id: string, recipients: readonly Recipient[]) {
  const read = readRecipients(recipients);
  if (read.unread.length === 0) return read;
  const numbers = read.unread.map(({ number }) => plainDigits(number));
  return readRecipients(recipients, await writersTo(tx, account_id, sender_id, numbers));
}

/** A trial that may reach one number. A campaign stands still rather than leaving everybody out: its author has to choose other people. */
function narrow(
  { people, unread }: { people: Person[]; unread: Refused[] },
  only: string,
  { source, recipients }: AcceptRequest,
): { people: Person[]; unread: Refused[] } {
  const outside = people.filter(({ number }) => number !== only);
  if (outside.length > 0 && source === 'campaign') throw new Problem(1529);
  const refused = outside.map(({ index }) => ({ index, number: recipients[index]!.to, code: 1529 as const }));
  return { people: people.filter(({ number }) => number === only), unread: [...unread, ...refused] };
}

/** Single messages move their conversation and are heard at once; those of a campaign are told by its progress. */
async function tell(tx: Tx, accepted: Message[]): Promise<void> {
  const conversations = await touchConversation(
    tx,
    accepted.map((message) => ({ ...message, number: message.to })),
  );
  for (const message of accepted) {
    message.conversation_id = conversations.get(message.id) ?? null;
    emit(tx, messageCreated, message.account_id, message);
  }
}

function refusalOf([first, ...rest]: readonly Refused[]): Problem {
  const detail = ({ code, number }: { code: Code; number: string }) => {
    const field = fieldOf(code);
    // The words of the trial are complete as they are.
    const message = code === 1529 ? messageOf(code) : `${messageOf(code)}: ${number}`;
    return { code, message, ...(field ? { field } : {}) };
  };
  return new Problem(first!.code, { ...detail(first!), others: rest.map(detail) });
}

function messagesOf(tx: Tx, drafted: Drafted, networkName: (mccmnc: string | null) => string | null): Message[] {
  const now = wireTime(tx.now);
  const { content } = drafted;
  const shared = {
    account_id: drafted.account_id,
    channel: drafted.channel,
    type: typeOf(content),
    template_id: drafted.template_id,
    status: drafted.status,
    direction: 'MT' as const,
    source: drafted.source,
    create_date: now,
    update_date: now,
    schedule: drafted.schedule ? wireTime(drafted.schedule) : null,
    currency: drafted.currency,
    charge: 'held' as const,
    sender_id: drafted.sender.id,
    campaign_id: drafted.campaign_id ?? null,
    user_id: drafted.user_id ?? null,
    failure: null,
    carrier_code: null,
    status_details: null,
  };
  return drafted.people.map((person, index) => ({
    ...shared,
    id: drafted.ids[index]!,
    from: drafted.origins?.[index] ?? drafted.sender.code,
    to: person.number,
    text: person.text,
    content: content && { ...content, purpose: person.purpose },
    segments_count: person.segments_count,
    encoding: person.encoding,
    country: person.country,
    mccmnc: person.mccmnc,
    network: networkName(person.mccmnc),
    price: person.price_micros / 1_000_000,
    price_micros: person.price_micros,
  }));
}

const wireTime = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ');
