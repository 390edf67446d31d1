/**
 * Approval of campaigns by another user, if the account requires it. A campaign above a threshold does not start:
 * a request is stored in the same transaction, and the campaign waits as a draft. All of these functions require the
 * campaign's lock, so a request is decided once.
 *
 *   requested -> approved, declined    decisions.ts
 *   requested -> withdrawn             the campaign changes, becomes a draft, is canceled, or needs no approval
 */
import type { CampaignApproval } from '@parley/contract/campaigns/approval.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { type ApprovalFigures, needsApproval, readApprovalRule } from '../draft/approval_rule.ts';
import { reread } from '../model/announce.ts';
import type { CampaignRow } from '../model/row.ts';
import { mailApprovers } from './approval_mails.ts';

/** The user, API key, or schedule that starts a campaign. */
export type Requester = Pick<Actor, 'user_id' | 'key_id' | 'test'> & { is_schedule?: boolean };

/** The schedule starts a campaign on behalf of its author. */
export const bySchedule = ({ user_id }: CampaignRow): Requester => ({ user_id, key_id: null, is_schedule: true });

type Target = CampaignApproval['target'];

/** The audience can grow by this factor between the approval and the start. */
const MARGIN = 1.1;

/** Returns whether the campaign may start or be scheduled. If not, the approval has been requested. */
export async function passApproval(
  tx: Tx,
  kernel: Kernel,
  row: CampaignRow,
  target: Target,
  figures: ApprovalFigures,
  by: Requester,
): Promise<boolean> {
  // A test-key campaign needs no approval, because it reaches no recipients.
  if (by.test) return true;
  if (!needsApproval(await readApprovalRule(tx, row.account_id), figures)) {
    if (row.approval_status !== 'approved') await voidApproval(tx, row);
    return true;
  }
  const current = await reread(tx, row.account_id, row.id);
  if (isCovered(current, target, figures, tx.now)) return true;
  await requestApproval(tx, kernel, current, target, figures, by);
  return false;
}

/** The approval of a repeating campaign covers its runs, even if its audiences grow. */
function isCovered(row: CampaignRow, target: Target, figures: ApprovalFigures, now: Date): boolean {
  const { approval, series_id, repeat, trigger, due_date } = row;
  if (approval?.status !== 'approved') return false;
  if (series_id !== null || repeat !== null || trigger !== null) return true;
  // A user sends the campaign before its approved time.
  const isEarly = target === 'in_progress' && due_date !== null && parseTimestamp(due_date) > now;
  if (approval.target === 'scheduled' && isEarly) return false;
  const { recipients, amount_micros } = approval;
  return figures.recipients <= recipients * MARGIN && figures.amount_micros <= (amount_micros ?? 0) * MARGIN;
}

async function requestApproval(
  tx: Tx,
  kernel: Kernel,
  row: CampaignRow,
  target: Target,
  { recipients, amount_micros }: ApprovalFigures,
  by: Requester,
): Promise<void> {
  const { account_id, id: campaign_id, approval } = row;
  const isSame = approval?.recipients === recipients && approval.amount_micros === amount_micros;
  if (approval?.status === 'requested' && approval.target === target && isSame) return;
  await voidApproval(tx, row);
  const id = newId();
  const submitter_ids = await listSubmitters(tx, row, by);
  await tx.run(sql`
    insert into campaign_approvals (account_id, id, campaign_id, status, target, recipients, amount_micros,
      requested_user_id, request_date, submitter_ids)
    values (${account_id}, ${id}, ${campaign_id}, 'requested', ${target}, ${recipients}, ${amount_micros},
      ${by.is_schedule ? null : by.user_id}, ${tx.now}, ${submitter_ids}::uuid[])`);
  const isPaused = by.is_schedule || row.status === 'paused';
  await tx.run(sql`
    update campaigns set approval_id = ${id}, approval_status = 'requested', update_date = ${tx.now},
      status = ${isPaused ? 'paused' : 'in_complete'}, status_details = ${isPaused ? 'approval' : null}
    where account_id = ${account_id} and id = ${campaign_id}`);
  await mailApprovers(tx, kernel, row, { recipients, submitter_ids });
}

/** The author, the user who submits the campaign, and the user who created the API key that does. */
async function listSubmitters(tx: Tx, { account_id, user_id }: CampaignRow, by: Requester): Promise<string[]> {
  const key =
    by.key_id &&
    (await tx.maybeOne<{ user_id: string | null }>(
      sql`select user_id from api_keys where account_id = ${account_id} and id = ${by.key_id}`,
    ));
  const ids = [user_id, by.user_id, key ? key.user_id : null];
  return [...new Set(ids.filter((id): id is string => id !== null))];
}

/** Ends the approval, or the request for it. The approval of a series stays valid when one of its runs changes. */
export async function voidApproval(tx: Tx, { account_id, id, approval_id }: CampaignRow): Promise<void> {
  if (approval_id === null) return;
  await tx.run(sql`
    update campaign_approvals set void_date = ${tx.now},
      status = case when status = 'requested' then 'withdrawn' else status end
    where account_id = ${account_id} and id = ${approval_id} and campaign_id = ${id}`);
  await tx.run(sql`
    update campaigns set approval_id = null, approval_status = null where account_id = ${account_id} and id = ${id}`);
}

/** Withdraws a request that is still undecided. */
export async function withdrawRequest(tx: Tx, row: CampaignRow): Promise<void> {
  if (row.approval_status === 'requested') await voidApproval(tx, row);
}
