/** Accepts a batch of contacts: creates messages with holds for them and counts the refused contacts by reason. */

import type { SkipReason } from '@parley/contract/campaigns/campaigns.ts';
import { render } from '@parley/contract/channels/sms/text.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { accept } from '../../messages/messages.ts';
import { OPT_OUT_TAG, variableValues } from '../draft/values.ts';
import type { Contact } from '../model/queries.ts';
import { SKIP_REASONS } from '../model/reasons.ts';
import type { CampaignRow } from '../model/row.ts';

export interface PortionResult {
  accepted: number;
  skipped: Partial<Record<SkipReason, number>>;
}

export async function acceptPortion(
  tx: Tx,
  kernel: Kernel,
  row: CampaignRow,
  contacts: readonly Contact[],
): Promise<PortionResult> {
  const { account_id, id: campaign_id } = row;
  const sender_id = row.sender_id ?? '';
  // A contact that was removed and added again with the same number already has a message.
  const messaged = await listMessagedNumbers(
    tx,
    row,
    contacts.map((contact) => contact.number),
  );
  const remaining = messaged.size === 0 ? contacts : contacts.filter((contact) => !messaged.has(contact.number));
  const skipped: PortionResult['skipped'] = {};
  const skip = (reason: SkipReason, count = 1) => {
    if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count;
  };
  const { accepted, refused } = await accept(tx, kernel, {
    account_id,
    campaign_id,
    user_id: row.user_id,
    channel: row.channel,
    from: sender_id,
    recipients: remaining.map((contact) => ({
      to: contact.number,
      country: contact.country,
      text: render(row.text, variableValues(contact, OPT_OUT_TAG)),
    })),
    source_text: row.text,
    source: 'campaign',
    refusal: 'skip',
    validity_seconds: row.validity_seconds,
  });
  if (row.possible_duplicate) await markPossibleDuplicates(tx, row, accepted);
  for (const { code } of refused) skip(SKIP_REASONS[code] ?? 'invalid');
  // Includes numbers that occur more than once in the batch. The gate sends to each number once.
  skip('duplicate', contacts.length - accepted.length - refused.length);
  return { accepted: accepted.length, skipped };
}

const markPossibleDuplicates = (tx: Tx, row: CampaignRow, messages: readonly { id: string }[]) =>
  tx.run(sql`
    update messages set possible_duplicate = true
    where account_id = ${row.account_id} and id = any(${messages.map(({ id }) => id)}::uuid[])`);

async function listMessagedNumbers(db: Queryable, row: CampaignRow, numbers: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ number: string }>(sql`
    select number from messages
    where account_id = ${row.account_id} and campaign_id = ${row.id} and number = any(${numbers}::text[])`);
  return new Set(rows.map(({ number }) => number));
}
