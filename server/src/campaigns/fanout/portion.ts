/** Accepts a batch of contacts: creates messages with holds for them and counts the refused contacts by reason. */

import type { SkipReason } from '@parley/contract/campaigns/campaigns.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import { Problem } from '@parley/contract/problem.ts';
import { storeMessageConsents } from '../../audiences/audiences.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { accept } from '../../messages/messages.ts';
import { findSender } from '../../senders/senders.ts';
import { loadSteps } from '../draft/fallbacks.ts';
import { loadWriter } from '../draft/writer.ts';
import { lookupScope, splitReachable } from '../model/lookups.ts';
import type { Contact, ReachedContact } from '../model/reach.ts';
import { SKIP_REASONS } from '../model/reasons.ts';
import type { CampaignRow } from '../model/row.ts';
import { recordVariant, type Turn } from '../model/variants.ts';
import { type Skip, storeSkips } from '../progress/skips.ts';
import type { Pace } from '../timing/pace.ts';
import { listZoned, type Planner, readContactZones, type Slot } from '../timing/planner.ts';

export interface PortionResult {
  /** The number of contacts that were decided. The others wait, because a limit of the account is reached. */
  decided: number;
  accepted: number;
  /** The number of decided contacts whose time has come. Each takes one place in a limited rate. */
  placed: number;
  /** The contacts waiting for their time. */
  waiting: { contact_id: string; until: Date }[];
  skipped: Partial<Record<SkipReason, number>>;
}

interface PortionOptions {
  planner: Planner;
  pace: Pace | null;
  turn: Pick<Turn, 'variant'>;
  /** Set for a test-key campaign: its messages are free, and the caller undoes everything but these. */
  onTest?: ((accepted: readonly Message[]) => void) | undefined;
}

/**
 * Throws TRAFFIC_LIMIT_REACHED if a limit of the account has no room for the first contact, and TRAFFIC_STOPPED if
 * messages to it are stopped.
 */
export async function acceptPortion(
  tx: Tx,
  kernel: Kernel,
  row: CampaignRow,
  all: readonly ReachedContact[],
  { planner, pace, turn, onTest }: PortionOptions,
): Promise<PortionResult> {
  const { account_id, id: campaign_id } = row;
  const sender_id = row.sender_id ?? '';
  const sender = row.sender_id ? await findSender(tx, account_id, row.sender_id) : null;
  // A contact that was removed and added again with the same number already has a message.
  const messaged = await listMessagedNumbers(
    tx,
    row,
    all.map((contact) => contact.number),
  );
  const isRemaining = (contact: ReachedContact) =>
    contact.exclusion === null && isTargeted(row, contact) && !messaged.has(contact.number);
  const scope = lookupScope(row, tx.now);
  const known = await splitReachable(tx, kernel, account_id, scope, all.filter(isRemaining));
  const { now: remaining, waiting, excluded } = await planContacts(tx, row, known.reachable, planner);
  const writer = await loadWriter(tx, row, sender);
  const steps = await loadSteps(tx, account_id, row.fallbacks);
  const { accepted, refused, waits_from, waits_for } = await accept(tx, kernel, {
    account_id,
    campaign_id,
    user_id: row.user_id,
    channel: row.channel,
    from: sender_id,
    recipients: remaining.map(({ contact: { number, country } }) => ({ to: number, country, text: '' })),
    slots: toSlots(remaining, pace),
    compose: async () => ({
      ...writer.message,
      personal: remaining.map(({ contact }) => writer.write(contact)),
      in_session: writer.writeInSession ? remaining.map(({ contact }) => writer.writeInSession!(contact)) : undefined,
    }),
    // The links of all steps. Braces in the contacts' data are not links.
    source_text: [
      row.session_text ?? '',
      ...[writer, ...steps.map((step) => step.writer)].map(({ message }) => message.text),
    ].join('\n'),
    source: 'campaign',
    fallbacks: steps.map(({ sender: { id }, writer: { message, write }, ...step }) => ({
      ...step,
      from: id,
      compose: async () => ({ ...message, personal: remaining.map(({ contact }) => write(contact)) }),
    })),
    refusal: 'skip',
    free: onTest !== undefined,
    validity_seconds: row.validity_seconds,
  });
  onTest?.(accepted);
  const decided = waits_from === null ? all.length : all.indexOf(remaining[waits_from]!.contact);
  if (decided === 0) throw new Problem(waits_for ?? 'TRAFFIC_LIMIT_REACHED');
  const contacts = all.slice(0, decided);
  const ids = new Set(contacts.map(({ id }) => id));
  const later = waiting.filter(({ contact_id }) => ids.has(contact_id));
  await storeMessageConsents(tx, account_id, row.channel, accepted);
  await recordVariant(tx, row, turn.variant, accepted);
  if (row.possible_duplicate) await markPossibleDuplicates(tx, row, accepted);
  const placed = waits_from ?? remaining.length;
  const skips = listSkipped({
    refused: refused.map(({ index, code }) => [remaining[index]!.contact, SKIP_REASONS[code] ?? 'invalid'] as const),
    excluded: [...known.unreachable, ...excluded].filter(({ contact }) => ids.has(contact.id)),
    unreached: contacts.filter((contact) => !isRemaining(contact)),
    sent: remaining.slice(0, placed).map(({ contact }) => contact),
    numbers: new Set(accepted.map(({ to }) => to)),
    row,
  });
  await storeSkips(tx, row, skips);
  return { decided, accepted: accepted.length, placed, waiting: later, skipped: countReasons(skips) };
}

interface Decided {
  refused: readonly (readonly [Contact, SkipReason])[];
  excluded: readonly { contact: Contact; reason: SkipReason }[];
  /** The contacts that were not passed to the gate. */
  unreached: readonly ReachedContact[];
  /** The contacts that were passed to the gate. */
  sent: readonly Contact[];
  /** The numbers that got a message. */
  numbers: Set<string>;
  row: CampaignRow;
}

/** Returns the contacts that get no message, each with its reason. */
function listSkipped({ refused, excluded, unreached, sent, numbers, row }: Decided): Skip[] {
  const skips = new Map<string, Skip>();
  const skip = (contact: Contact, reason: SkipReason) => skips.set(contact.id, { contact, reason });
  for (const contact of unreached)
    skip(contact, contact.exclusion ?? (isTargeted(row, contact) ? 'duplicate' : 'country'));
  for (const { contact, reason } of excluded) skip(contact, reason);
  for (const [contact, reason] of refused) skip(contact, reason);
  // Numbers that occur more than once in the batch. The gate sends to each number once.
  for (const contact of sent) if (!skips.has(contact.id) && !numbers.delete(contact.number)) skip(contact, 'duplicate');
  return [...skips.values()];
}

function countReasons(skips: readonly Skip[]): PortionResult['skipped'] {
  const counts: PortionResult['skipped'] = {};
  for (const { reason } of skips) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

interface Planned {
  contact: ReachedContact;
  slot: Slot;
}

/** Divides the contacts into those whose time has come, those who are waiting, and those who cannot get the message. */
async function planContacts(
  tx: Tx,
  { account_id }: CampaignRow,
  contacts: readonly ReachedContact[],
  planner: Planner,
) {
  const zones = await readContactZones(tx, account_id, listZoned(planner, contacts));
  const now: Planned[] = [];
  const waiting: PortionResult['waiting'] = [];
  const excluded: { contact: ReachedContact; reason: 'no_window' | 'missed' }[] = [];
  for (const contact of contacts) {
    const { number, country } = contact;
    const plan = planner.plan({ number, country, timezone: zones.get(number) }, tx.now);
    if (typeof plan === 'string') excluded.push({ contact, reason: plan });
    else if (plan.at > tx.now.getTime()) waiting.push({ contact_id: contact.id, until: new Date(plan.at) });
    else now.push({ contact, slot: plan });
  }
  return { now, waiting, excluded };
}

/** Returns undefined if all messages may be sent at any time. */
function toSlots(planned: readonly Planned[], pace: Pace | null) {
  if (!pace && planned.every(({ slot }) => slot.windows === null)) return undefined;
  return planned.map(({ slot: { at, windows } }, index) => ({
    not_before: pace ? pace.at(index) : new Date(at),
    windows,
  }));
}

const isTargeted = ({ countries }: CampaignRow, { country }: Contact): boolean =>
  countries === null || countries.includes(country);

const markPossibleDuplicates = (tx: Tx, row: CampaignRow, messages: readonly { id: string }[]) =>
  tx.run(sql`
    update messages set possible_duplicate = true
    where account_id = ${row.account_id} and id = any(${messages.map(({ id }) => id)}::uuid[])`);

/**
 * Takes one index lookup per number. With `number = any(...)`, PostgreSQL 15 reads all messages of the campaign
 * instead. The account and the campaign are rows, because PostgreSQL estimates that an account that is new to its
 * statistics has no messages. For constants, it would then read all messages of the account for every number.
 */
async function listMessagedNumbers(db: Queryable, row: CampaignRow, numbers: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ number: string }>(sql`
    select n.number from unnest(${[row.account_id]}::uuid[], ${[row.id]}::uuid[]) as c(account_id, id)
    cross join unnest(${numbers}::text[]) as n(number)
    cross join lateral (
      select from messages m
      where m.account_id = c.account_id and m.campaign_id = c.id and m.number = n.number limit 1
    ) existing`);
  return new Set(rows.map(({ number }) => number));
}
