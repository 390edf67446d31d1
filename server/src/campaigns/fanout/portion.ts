/** Accepts a batch of contacts: creates messages with holds for them and counts the refused contacts by reason. */

import type { SkipReason } from '@parley/contract/campaigns/campaigns.ts';
import { Problem } from '@parley/contract/problem.ts';
import { storeMessageConsents } from '../../audiences/audiences.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { accept } from '../../messages/messages.ts';
import { senderById } from '../../senders/senders.ts';
import { loadSteps } from '../draft/fallbacks.ts';
import { loadWriter } from '../draft/writer.ts';
import type { Contact, ReachedContact } from '../model/queries.ts';
import { SKIP_REASONS } from '../model/reasons.ts';
import type { CampaignRow } from '../model/row.ts';

export interface PortionResult {
  /** The number of contacts that were decided. The others wait, because a limit of the account is reached. */
  decided: number;
  accepted: number;
  skipped: Partial<Record<SkipReason, number>>;
}

/** Throws TRAFFIC_LIMIT_REACHED if a limit of the account has no room for the first contact. */
export async function acceptPortion(
  tx: Tx,
  kernel: Kernel,
  row: CampaignRow,
  all: readonly ReachedContact[],
): Promise<PortionResult> {
  const { account_id, id: campaign_id } = row;
  const sender_id = row.sender_id ?? '';
  const sender = row.sender_id ? await senderById(tx, account_id, row.sender_id) : null;
  // A contact that was removed and added again with the same number already has a message.
  const messaged = await listMessagedNumbers(
    tx,
    row,
    all.map((contact) => contact.number),
  );
  const isRemaining = (contact: ReachedContact) =>
    contact.exclusion === null && isTargeted(row, contact) && !messaged.has(contact.number);
  const remaining = all.filter(isRemaining);
  const skipped: PortionResult['skipped'] = {};
  const skip = (reason: SkipReason, count = 1) => {
    if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count;
  };
  const writer = await loadWriter(tx, row, sender);
  const steps = await loadSteps(tx, account_id, row.fallbacks);
  const { accepted, refused, waits_from } = await accept(tx, kernel, {
    account_id,
    campaign_id,
    user_id: row.user_id,
    channel: row.channel,
    from: sender_id,
    recipients: remaining.map(({ number, country }) => ({ to: number, country, text: '' })),
    compose: async () => ({ ...writer.message, personal: remaining.map((contact) => writer.write(contact)) }),
    // The links of all steps. Braces in the contacts' data are not links.
    source_text: [writer, ...steps.map((step) => step.writer)].map(({ message }) => message.text).join('\n'),
    source: 'campaign',
    fallbacks: steps.map(({ sender: { id }, writer: { message, write }, ...step }) => ({
      ...step,
      from: id,
      compose: async () => ({ ...message, personal: remaining.map((contact) => write(contact)) }),
    })),
    refusal: 'skip',
    validity_seconds: row.validity_seconds,
  });
  const decided = waits_from === null ? all.length : all.indexOf(remaining[waits_from]!);
  if (decided === 0) throw new Problem('TRAFFIC_LIMIT_REACHED');
  const contacts = all.slice(0, decided);
  const reached = contacts.filter(({ exclusion }) => exclusion === null);
  const targeted = reached.filter((contact) => isTargeted(row, contact));
  await storeMessageConsents(tx, account_id, row.channel, accepted);
  if (row.possible_duplicate) await markPossibleDuplicates(tx, row, accepted);
  for (const { code } of refused) skip(SKIP_REASONS[code] ?? 'invalid');
  // Includes numbers that occur more than once in the batch. The gate sends to each number once.
  skip('duplicate', targeted.length - accepted.length - refused.length);
  skip('country', reached.length - targeted.length);
  for (const { exclusion } of contacts) if (exclusion) skip(exclusion);
  return { decided, accepted: accepted.length, skipped };
}

const isTargeted = ({ countries }: CampaignRow, { country }: Contact): boolean =>
  countries === null || countries.includes(country);

const markPossibleDuplicates = (tx: Tx, row: CampaignRow, messages: readonly { id: string }[]) =>
  tx.run(sql`
    update messages set possible_duplicate = true
    where account_id = ${row.account_id} and id = any(${messages.map(({ id }) => id)}::uuid[])`);

/**
 * Takes one index lookup per number. With `number = any(...)`, PostgreSQL 15 reads all messages of the campaign
 * instead.
 */
async function listMessagedNumbers(db: Queryable, row: CampaignRow, numbers: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ number: string }>(sql`
    select n.number from unnest(${numbers}::text[]) as n(number)
    cross join lateral (
      select from messages m
      where m.account_id = ${row.account_id} and m.campaign_id = ${row.id} and m.number = n.number limit 1
    ) existing`);
  return new Set(rows.map(({ number }) => number));
}
