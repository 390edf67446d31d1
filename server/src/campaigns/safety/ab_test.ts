/**
 * Ends an A/B test: chooses the winner once its wait is over, or asks the author to choose. The choice and the messages
 * to the rest are in different transactions, and both require the campaign's lock.
 */

import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { VARIANT_NAMES, type VariantName } from '@parley/contract/campaigns/variants.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { Problem } from '@parley/contract/problem.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { announce } from '../model/announce.ts';
import { lockCampaign } from '../model/queries.ts';
import { type CampaignRow, countQueued } from '../model/row.ts';
import { countVariants } from '../model/variants.ts';
import { wakeFanout } from '../model/wake.ts';
import { countMessages } from '../progress/progress.ts';
import { findWinner, readVariants } from '../progress/variant_results.ts';
import { mailChoice } from './mails.ts';

const MINUTE_MS = 60_000;
const RECHECK_MS = 1_000;
const DAY_MS = 86_400_000;

/** Returns when the fan-out looks again, or `decided` if the rest can be sent. */
export async function endTest(tx: Tx, kernel: Kernel, row: CampaignRow): Promise<Date | 'decided'> {
  const { account_id, id } = row;
  if (row.test_date === null) {
    // The wait begins when carriers have accepted the messages, because until then there are no results.
    const { counts } = await countMessages(tx, account_id, id);
    if (countQueued({ ...row, counts }) > 0) return new Date(tx.now.getTime() + RECHECK_MS);
    const until = new Date(tx.now.getTime() + row.test!.wait_minutes * MINUTE_MS);
    await tx.run(sql`update campaigns set test_date = ${until} where account_id = ${account_id} and id = ${id}`);
    await announce(tx, account_id, id);
    return until;
  }
  const until = parseTimestamp(row.test_date);
  if (until > tx.now) return until;
  if (!row.test!.automatic) {
    if (!row.test_notified) {
      await tx.run(sql`update campaigns set test_notified = true where account_id = ${account_id} and id = ${id}`);
      await mailChoice(tx, kernel, row);
      await announce(tx, account_id, id);
    }
    return new Date(tx.now.getTime() + DAY_MS);
  }
  await storeWinner(tx, row, findWinner(await readVariants(tx, row, tx.now), row.test!.metric));
  return 'decided';
}

async function storeWinner(tx: Tx, { account_id, id }: CampaignRow, winner: number): Promise<void> {
  await tx.run(sql`
    update campaigns set test_winner = ${winner}, fanout_date = null where account_id = ${account_id} and id = ${id}`);
  await announce(tx, account_id, id);
}

/** A user chooses the winner, at any time during the test. */
export async function chooseWinner(tx: Tx, account_id: string, id: string, variant: VariantName): Promise<Campaign> {
  const row = await lockCampaign(tx, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  const winner = VARIANT_NAMES.indexOf(variant);
  const isTesting = row.test_size !== null && row.test_winner === null;
  if (!isTesting || !['in_progress', 'paused'].includes(row.status) || winner >= countVariants(row))
    throw new Problem('CAMPAIGN_WINNER_NOT_ALLOWED');
  await storeWinner(tx, row, winner);
  tx.afterCommit(wakeFanout);
  return announce(tx, account_id, id);
}
