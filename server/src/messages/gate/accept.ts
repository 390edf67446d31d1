/**
 * The gate: every outbound message enters through `accept`, in the caller's transaction. Acceptance is atomic: the
 * message, its queue row, and its hold are created together or not at all. Nothing is sent from here, and nothing else
 * inserts into `messages` with direction MT.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { type Content, NO_CONTENT } from '@parley/contract/messages/content.ts';
import { type Message, VALIDITY_SECONDS } from '@parley/contract/messages/messages.ts';
import type { TrafficClass } from '@parley/contract/messages/traffic_classes.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { findAllowedRecipient, requireSending } from '../../accounts/accounts.ts';
import { listStoppedNumbers, parseNumber } from '../../audiences/audiences.ts';
import { lockVolumes, openHold, type PriceBook, readPriceBook } from '../../billing/billing.ts';
import { blocksCountry, type Guard, loadGuard } from '../../guard/guard.ts';
import { newId } from '../../kernel/clock.ts';
import { runTogether, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { metrics } from '../../kernel/metrics.ts';
import { countSpending } from '../../keys/keys.ts';
import { createTextLinks, type TextLinks } from '../../links/links.ts';
import { useMedia } from '../../media/media.ts';
import { claimReplies, resolveSender } from '../../senders/senders.ts';
import type { ComposedMessage } from '../model/composed_message.ts';
import { wakeDispatch } from '../model/dispatch_wake.ts';
import type { FallbackStep } from '../model/fallback_steps.ts';
import { type Carrier, resolveCarrier } from '../routing/carrier.ts';
import { findNetworks, type KnownNetworks, NO_NETWORKS, networkDates, onNetworks } from '../routing/known_networks.ts';
import { assignOrigins, countOrigins } from '../routing/number_pool.ts';
import { chooseBySession, fillOwnTexts, type InSession } from '../routing/open_sessions.ts';
import { resolvePurposes } from '../routing/purposes.ts';
import { announceAccepted, batchMicros, toHold, toMessages } from './accepted_messages.ts';
import { requireQuoted } from './compose.ts';
import { checkContent, storeReviews } from './content.ts';
import {
  draftSteps,
  type Fallback,
  insertFallbacks,
  passOnClosed,
  SESSION_CLOSED,
  withHighestPrice,
} from './fallback_gate.ts';
import { takePeople } from './limits.ts';
import { type AcceptedBatch, findKnownAddresses, insertAccepted, type SendSlot } from './queue.ts';
import {
  judge,
  limitToTrial,
  type Passed,
  type Person,
  parseRecipients,
  plainDigits,
  type Recipient,
  type Refused,
  refusalProblem,
  withoutPrice,
} from './recipients.ts';
import { sealCodes } from './sealed_codes.ts';
import { requireOwnPhones } from './try_it_now.ts';

export const acceptedTotal = metrics.counter('msg_accepted_total', 'Messages accepted', ['channel']);

const MAX_RECIPIENTS = 1_000;

export interface AcceptRequest {
  readonly account_id: string;
  readonly channel: ChannelName;
  /** The id, name, or code of the sender. */
  readonly from: string;
  readonly recipients: readonly Recipient[];
  /** A campaign's text, which decides which links the texts of the recipients contain. */
  readonly source_text?: string;
  /** Composes the message, instead of the recipients' own texts, once the sender is known. */
  readonly compose?: (sender: Sender) => Promise<ComposedMessage>;
  readonly source: 'api' | 'smpp' | 'campaign' | 'inbox' | 'reply' | 'test' | 'verification';
  /**
   * `throw` refuses the whole request, as the API promises. `skip` reports the refused recipients and accepts the
   * others.
   */
  readonly refusal: 'throw' | 'skip';
  readonly user_id?: string | null;
  readonly key_id?: string | null;
  /** The IP address of the caller. */
  readonly address?: string | null;
  readonly campaign_id?: string | null;
  readonly schedule?: Date | null;
  readonly validity_seconds?: number | undefined;
  /** Returned to the caller in webhooks. */
  readonly payload?: string | null | undefined;
  /** A code in the texts. It is stored masked, and the real text is sealed until the message is sent. */
  readonly code?: string;
  /** True if the message log shows whether the code was entered. */
  readonly tracks_code?: boolean;
  /** The spend limit of the key; null or absent if it has none. */
  readonly spend_limit_micros?: number | null;
  /** True for test keys: the price must be known, and nothing is held. */
  readonly free?: boolean;
  /** True for STOP confirmations and HELP replies, which may go to people on the stop list. */
  readonly passes_stop_list?: boolean;
  /** When each message may be sent, in the order of the recipients; absent: now. */
  readonly slots?: readonly SendSlot[] | undefined;
  /** The fallback channels in order. */
  readonly fallbacks?: readonly Fallback[];
}

interface Accepted {
  /** In the order of the recipients; a number that occurs twice gets one message. */
  readonly accepted: Message[];
  readonly refused: Refused[];
  /**
   * Set if a limit of the account has no room for this recipient, or messages there are stopped. This recipient and
   * those after it are neither accepted nor refused; the caller tries them again later.
   */
  readonly waits_from: number | null;
  readonly waits_for: 'TRAFFIC_LIMIT_REACHED' | 'TRAFFIC_STOPPED' | null;
  readonly hold_id: string | null;
  readonly total_micros: number;
}

/**
 * Throws ACCOUNT_UNVERIFIED or TRIAL_ENDED (account), MESSAGE_SENDER_NOT_FOUND, MESSAGE_SENDER_INVALID, or
 * SENDER_BLOCKED (sender), SCHEDULE_IN_PAST (schedule), BALANCE_NOT_ENOUGH (money), TRAFFIC_LIMIT_REACHED (a limit),
 * TRAFFIC_STOPPED (a stop), or a problem from `compose`. The problems for single recipients are RECIPIENTS_INVALID,
 * TRIAL_RECIPIENT_NOT_ALLOWED, RECIPIENT_BLOCKED, COUNTRY_BLOCKED, MESSAGE_TEXT_REQUIRED,
 * MESSAGE_SEGMENTS_LIMIT_EXCEEDED, ROUTE_NOT_FOUND, CONVERSATION_CLOSED, PRICE_NOT_FOUND, and CONTENT_REFUSED.
 */
export async function accept(tx: Tx, kernel: GateKernel, request: AcceptRequest): Promise<Accepted> {
  const { account_id, channel } = request;
  if (request.recipients.length > MAX_RECIPIENTS) throw new Error(`at most ${MAX_RECIPIENTS} recipients at once`);
  const [account, guard] = await runTogether(requireSending(tx, account_id), loadGuard(tx, account_id));
  if (request.schedule && request.schedule <= tx.now) throw new Problem('SCHEDULE_IN_PAST');
  const sender = await resolveSender(tx, account_id, channel, request.from, { allowShared: isManual(request) });
  if (sender.shared && request.source !== 'reply') await requireOwnRecipients(tx, sender, request);
  const composed = request.compose ? await request.compose(sender) : NO_MESSAGE;
  const { message, in_session } = await chooseBySession(tx, composed, request, sender.id);
  const content = message.content ?? (channelRules(channel).session ? NO_CONTENT : null);
  const links = createTextLinks(tx, kernel.config, { campaign_id: null, source_text: undefined, ...request });
  const { people, invalid } = await findPeople(tx, account, { sender, message, in_session }, request, links);
  await requireQuoted(tx, { account_id, sender_id: sender.id }, message, people);
  const stopped = request.passes_stop_list
    ? new Set<string>()
    : await listStoppedNumbers(tx, account_id, sender.id, toNumbers(people));
  const networks = account.has_lookups ? await findNetworks(tx, account_id, tx.now, toNumbers(people)) : NO_NETWORKS;
  const carrier = await resolveCarrier(tx, kernel, sender, networks);
  const prices = onNetworks(await readPriceBook(kernel, tx), networks);
  const draft: Draft = { request, account, guard, sender, message, in_session, content, carrier, prices, networks };
  const { passed: checkedPeople, closed, ...checked } = await checkPeople(tx, draft, people, stopped);
  const unusable = [...invalid, ...checked.refused].sort((a, b) => a.index - b.index);
  if (unusable.length > 0 && request.refusal === 'throw') throw refusalProblem(unusable);
  const screened = await checkContent(tx, kernel, draft, {
    passed: checkedPeople,
    origins: await assignOrigins(tx, sender, checkedPeople),
    steps: await draftFallbacks(tx, kernel, draft, checkedPeople, links),
  });
  const volumes = await lockVolumes(tx, account_id, screened.passed);
  const counted = await takePeople(tx, draft, { ...screened, passed: volumes.price(screened.passed) });
  const { origins, steps, waits_from, waits_for } = counted;
  const passed = volumes.count(counted.passed);
  await volumes.finish(tx);
  const refused = [...unusable, ...screened.refused, ...counted.refused]
    .filter(({ index }) => waits_from === null || index < waits_from)
    .sort((a, b) => a.index - b.index);
  if (passed.length === 0) return { accepted: [], refused, waits_from, waits_for, hold_id: null, total_micros: 0 };
  const batch = toBatch(tx, draft, steps ? withHighestPrice(passed, steps) : passed, origins);
  const messages = await store(tx, draft, batch, passed, steps);
  const accepted = await passOnClosed(tx, messages, closed).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.name !== SESSION_CLOSED) throw error;
    throw refusalProblem(
      passed.filter(({ number }) => closed.has(number)).map((person) => ({ ...person, code: SESSION_CLOSED })),
    );
  });
  if (origins)
    await countOrigins(
      tx,
      origins.map(({ sender_id }) => ({ account_id, pool_id: sender.id, sender_id })),
    );
  await links.store(
    tx,
    batch.people.map(({ number }, n) => ({ id: batch.ids[n]!, number })),
  );
  await storeReviews(tx, batch);
  const { key_id, spend_limit_micros } = request;
  if (key_id && spend_limit_micros != null)
    await countSpending(tx, { account_id, key_id, limit_micros: spend_limit_micros }, batchMicros(batch));
  // The hold comes last, because from here on every other change to the account's balance waits for this transaction.
  const total_micros = batchMicros(batch);
  await openHold(tx, toHold(batch));
  tx.afterCommit(() => acceptedTotal.inc({ channel }, accepted.length));
  return { accepted, refused, waits_from, waits_for, hold_id: batch.hold_id, total_micros };
}

type GateKernel = Pick<Kernel, 'db' | 'config'>;

/** The information about a request that the gate gathers before it checks each recipient. */
export interface Draft {
  readonly request: AcceptRequest;
  readonly account: Awaited<ReturnType<typeof requireSending>>;
  readonly guard: Guard;
  readonly sender: Sender;
  readonly message: ComposedMessage;
  readonly in_session?: InSession;
  readonly content: Content | null;
  readonly carrier: Carrier;
  readonly prices: PriceBook;
  readonly networks: KnownNetworks;
}

/** Users and automatic replies may use shared test senders; API keys and campaigns may not. */
const isManual = ({ source }: AcceptRequest): boolean => source === 'test' || source === 'inbox' || source === 'reply';

const toNumbers = (people: readonly { number: string }[]): string[] => people.map(({ number }) => number);

async function findPeople(
  tx: Tx,
  account: Draft['account'],
  { sender, message, in_session }: Pick<Draft, 'sender' | 'message' | 'in_session'>,
  request: AcceptRequest,
  links: TextLinks,
): Promise<{ people: Person[]; invalid: Refused[] }> {
  const recipients = request.compose
    ? request.recipients.map((recipient, index) => ({ ...recipient, text: message.text, ...message.personal?.[index] }))
    : request.recipients;
  const parsed = await parseAll(tx, request.account_id, sender.id, recipients);
  // Automatic replies, such as STOP confirmations, do not count as trial messages.
  const only = request.source === 'reply' ? null : await findAllowedRecipient(tx, account, request.user_id ?? null);
  const { people, invalid } = only === null ? parsed : limitToTrial(parsed, only, request);
  const filled = await fillOwnTexts(message, in_session, people, (own) => links.fill(own, sender));
  // The content rules check the destinations of short links.
  const rewritten = filled.map((person, n) => {
    const { text: written } = people[n]!;
    return person.text === written ? person : { ...person, written };
  });
  return { people: rewritten, invalid };
}

/** `closed` contains the numbers that have no open session but whose message has a fallback. */
export async function checkPeople(
  tx: Tx,
  { request, account, guard, sender, message, in_session, content, carrier, prices }: Draft,
  people: readonly Person[],
  stopped: ReadonlySet<string>,
): Promise<{ passed: Passed[]; refused: Refused[]; closed: Set<string> }> {
  const { account_id, channel, schedule, fallbacks = [] } = request;
  const numbers = toNumbers(people);
  const send_date = schedule ?? tx.now;
  const purposes = await resolvePurposes(tx, message, {
    account_id,
    sender_id: sender.id,
    channel,
    numbers,
    send_date,
    in_session,
  });
  // Scheduled messages are excluded, because their next step would be sent immediately.
  const closed = new Set<string>(
    purposes && fallbacks.length > 0 && !schedule
      ? numbers.filter((number) => purposes(number) === SESSION_CLOSED)
      : [],
  );
  const { passed, refused } = judge(people, {
    channel,
    sender,
    stopped,
    blocks_country: (country) => blocksCountry(guard, country),
    route: carrier.route,
    profile: carrier.profile,
    // Test messages are free, but their network must still be known.
    price: (number, country, purpose) => {
      const price = prices.price(account_id, channel, number, country, account.currency, purpose);
      if (request.free) return price && { mccmnc: price.mccmnc, price_micros: 0 };
      return request.source === 'test' ? { mccmnc: price?.mccmnc ?? null, price_micros: 0 } : price;
    },
    purpose: purposes && ((number) => (closed.has(number) ? 'service' : purposes(number))),
    counts: channelRules(channel).counts,
    carries_file: content !== null && content.media_type !== null,
  });
  const priced = passed.map((person) => (closed.has(person.number) ? withoutPrice(person) : person));
  return { passed: priced, refused, closed };
}

async function draftFallbacks(
  tx: Tx,
  kernel: GateKernel,
  { request, account, prices, networks }: Draft,
  people: readonly Passed[],
  links: TextLinks,
): Promise<FallbackStep[][] | null> {
  const { account_id, fallbacks = [] } = request;
  if (fallbacks.length === 0) return null;
  return draftSteps(tx, kernel, {
    account_id,
    fallbacks,
    prices,
    networks,
    links,
    currency: account.currency,
    people,
    skips: request.refusal === 'skip',
    free: request.source === 'test' || request.free === true,
    lent: isManual(request) ? (sender) => requireOwnRecipients(tx, sender, request) : null,
  });
}

/**
 * The class follows from the message's purpose, not from its sender or its credential. A code has the same class
 * with an API key as in a session, and all messages of a campaign have the class of campaigns.
 */
function requestClass({ source, code }: AcceptRequest, content: Content | null): TrafficClass {
  if (source === 'campaign') return 'campaign';
  if (code !== undefined || content?.purpose === 'authentication') return 'code';
  return source === 'reply' ? 'conversation' : 'single';
}

export const toBatch = (
  tx: Tx,
  { request, account, sender, message, in_session, content, carrier, networks }: Draft,
  people: readonly Passed[],
  origins: readonly { code: string }[] | null,
  sealed = sealCodes(tx, people, content, request.code),
): AcceptedBatch => ({
  ...request,
  ...sealed,
  sender,
  sender_address: carrier.address,
  origins: origins?.map(({ code }) => code) ?? null,
  slots: request.slots ? people.map(({ index }) => request.slots![index]!) : null,
  contents: message.personal ? people.map(({ index }) => message.personal![index]!.content) : null,
  template_id: message.template_id,
  in_session: in_session ? people.map(({ number }) => in_session.has(number)) : null,
  hold_id: newId(tx.now.getTime()),
  decision: {
    account_status: account.status,
    trial: account.trial,
    sender: { name: sender.name, code: sender.code, status: sender.status },
    countries: sender.countries,
    stop_list: !request.passes_stop_list,
    traffic_class: requestClass(request, content),
    messages: people.length,
    routes: carrier.choices,
    ...networkDates(sealed.ids, toNumbers(people), networks),
  },
  currency: account.currency,
  status: request.schedule ? 'scheduled' : 'enroute',
  traffic_class: requestClass(request, content),
  validity_seconds: request.validity_seconds ?? VALIDITY_SECONDS.default,
});

/** Inserts the messages with their queue rows, fallbacks, and files, and announces single messages. */
async function store(
  tx: Tx,
  { request, content, prices }: Draft,
  batch: AcceptedBatch,
  people: readonly Passed[],
  steps: FallbackStep[][] | null,
): Promise<Message[]> {
  await insertAccepted(tx, batch);
  if (steps) await insertFallbacks(tx, batch, request.channel, people, steps);
  // A campaign registers the use of its file itself.
  if (content?.media_id && request.source !== 'campaign')
    for (const id of batch.ids) await useMedia(tx, request.account_id, content.media_id, `message:${id}`);
  wakeDispatch(tx, batch.traffic_class !== 'campaign');
  const messages = toMessages(tx, batch, prices.networkName);
  if (request.source !== 'campaign') await announceAccepted(tx, messages);
  return messages;
}

/**
 * Allows a shared test sender only for the account's own phones, and routes the replies of those phones to the account.
 */
async function requireOwnRecipients(
  tx: Tx,
  sender: Sender,
  { account_id, user_id, recipients }: AcceptRequest,
): Promise<void> {
  const numbers = recipients.map(({ to }) => to);
  await requireOwnPhones(tx, account_id, user_id ?? null, numbers);
  await claimReplies(
    tx,
    account_id,
    sender.id,
    numbers.map((number) => parseNumber(number)?.number ?? plainDigits(number)),
  );
}

const NO_MESSAGE: ComposedMessage = { text: '', content: null, template_id: null, purpose: null };

async function parseAll(tx: Tx, account_id: string, sender_id: string, recipients: readonly Recipient[]) {
  const parsed = parseRecipients(recipients);
  if (parsed.invalid.length === 0) return parsed;
  const numbers = parsed.invalid.map(({ number }) => plainDigits(number));
  return parseRecipients(recipients, await findKnownAddresses(tx, account_id, sender_id, numbers));
}
