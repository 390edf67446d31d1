/**
 * Pauses a campaign whose results exceed its limits, and ends its canary. The campaign is checked about once a second
 * while it runs. Only one worker pauses it, under the campaign's lock.
 */
import type { CampaignReason } from '@parley/contract/campaigns/campaigns.ts';
import { MIN_RESULTS, NO_SAFETY, type SafetyFigures } from '@parley/contract/campaigns/safety.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { CampaignRef } from '../lifecycle/cancel.ts';
import { halt } from '../lifecycle/lifecycle.ts';
import { announce } from '../model/announce.ts';
import { type Loop, startLoop } from '../model/loop.ts';
import { tryLockCampaign } from '../model/queries.ts';
import { type CampaignRow, countQueued } from '../model/row.ts';
import { countMessages } from '../progress/progress.ts';
import { measureSafety, since } from '../progress/safety_figures.ts';
import { mailTripped } from './mails.ts';

const INTERVAL_MS = 1_000;
const MINUTE_MS = 60_000;
/** While the messages of the canary are still queued, the fan-out looks again after this time. */
const RECHECK_MS = 1_000;

export const startBreaker = (kernel: Kernel): Loop =>
  startLoop(kernel, 'campaign limits', async () => {
    await checkLimits(kernel);
    return INTERVAL_MS;
  });

/** Checks all running campaigns with limits, using their latest counts. */
export async function checkLimits(kernel: Kernel): Promise<void> {
  const running = await kernel.db.rows<CampaignRef>(sql`
    select account_id, id from campaigns
    where status = 'in_progress' and jsonb_path_exists(safety, '$.limits.* ? (@ != null)')`);
  for (const { account_id, id } of running) {
    try {
      await kernel.db.tx(async (tx) => {
        const row = await tryLockCampaign(tx, account_id, id);
        if (row?.status === 'in_progress') await breakCampaign(tx, kernel, row, row.counts, MIN_RESULTS);
      });
    } catch (error) {
      kernel.log.error({ err: error, account_id, campaign_id: id }, 'campaign limits');
    }
  }
}

interface Excess {
  reason: CampaignReason;
  count: number;
  limit: number;
}

/** Returns the first limit that the figures exceed. */
export function findExcess(
  limits: (typeof NO_SAFETY)['limits'],
  { results, failed, opt_outs, complaints }: SafetyFigures,
  min_results: number,
): Excess | null {
  if (results === 0 || results < min_results) return null;
  const rules: [CampaignReason, number, number | null][] = [
    ['failures', failed, limits.failed_percent],
    ['opt_outs', opt_outs, limits.opt_out_percent],
    ['complaints', complaints, limits.complaint_percent],
  ];
  for (const [reason, count, limit] of rules)
    if (limit !== null && count > 0 && (count * 100) / results > limit) return { reason, count, limit };
  return null;
}

/** Pauses the campaign if its results exceed a limit. Returns whether it did. */
async function breakCampaign(
  tx: Tx,
  kernel: Kernel,
  row: CampaignRow,
  counts: CampaignRow['counts'],
  min_results: number,
): Promise<boolean> {
  const { limits } = { ...NO_SAFETY, ...row.safety };
  if (Object.values(limits).every((limit) => limit === null)) return false;
  const figures = since(await measureSafety(tx, row, counts), row.safety_offset);
  const excess = findExcess(limits, figures, min_results);
  if (!excess) return false;
  await halt(tx, row, 'paused', excess.reason);
  await tx.run(sql`
    update campaigns set safety_tripped = ${JSON.stringify(figures)}::jsonb
    where account_id = ${row.account_id} and id = ${row.id}`);
  await mailTripped(tx, kernel, row, { ...excess, results: figures.results });
  await announce(tx, row.account_id, row.id);
  kernel.log.warn({ account_id: row.account_id, campaign_id: row.id, ...excess }, 'campaign paused by a limit');
  return true;
}

/** Returns how many messages the canary may still create, or null if the campaign has no canary or it has passed. */
export const canaryRoom = ({ canary_size, canary_passed, fanned_out }: CampaignRow): number | null =>
  canary_size === null || canary_passed ? null : Math.max(0, canary_size - fanned_out);

/**
 * Ends the canary once all of its messages are created. Returns when the fan-out looks again, or whether the campaign
 * has paused or continues.
 */
export async function endCanary(tx: Tx, kernel: Kernel, row: CampaignRow): Promise<Date | 'paused' | 'passed'> {
  const { account_id, id } = row;
  const counts = (await countMessages(tx, account_id, id)).counts;
  if (row.canary_date === null) {
    // The wait begins when carriers have accepted the messages, because until then there are no results.
    if (countQueued({ ...row, counts }) > 0) return new Date(tx.now.getTime() + RECHECK_MS);
    const until = new Date(tx.now.getTime() + (row.safety.canary?.wait_minutes ?? 0) * MINUTE_MS);
    await tx.run(sql`update campaigns set canary_date = ${until} where account_id = ${account_id} and id = ${id}`);
    await announce(tx, account_id, id);
    return until;
  }
  const until = parseTimestamp(row.canary_date);
  if (until > tx.now) return until;
  if (await breakCampaign(tx, kernel, row, counts, 1)) return 'paused';
  await tx.run(sql`update campaigns set canary_passed = true where account_id = ${account_id} and id = ${id}`);
  await announce(tx, account_id, id);
  return 'passed';
}
