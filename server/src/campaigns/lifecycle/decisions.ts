/** Decides about a campaign awaiting approval. Of two users who decide at the same time, the first one counts. */
import type { ApprovalEntry, decideApproval as endpoint } from '@parley/contract/campaigns/approvals.ts';
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';
import { announce, reread } from '../model/announce.ts';
import { findCampaign, lockCampaign } from '../model/queries.ts';
import { approvalColumns, type CampaignRow } from '../model/row.ts';
import { mailDecision } from './approval_mails.ts';
import { moveCampaign } from './lifecycle.ts';

const SHOWN = 100;

export async function listApprovals(db: Queryable, account_id: string, id: string): Promise<ApprovalEntry[]> {
  if (!(await findCampaign(db, account_id, id))) throw new Problem('CAMPAIGN_NOT_FOUND');
  return db.rows<ApprovalEntry>(sql`
    select ${approvalColumns}, v.void_date from campaign_approvals v
    where v.account_id = ${account_id} and v.campaign_id = ${id} order by v.id desc limit ${SHOWN}`);
}

type Decision = Parsed<typeof endpoint>['body'];

/** The decision and the start or schedule of the campaign are in one transaction. */
export async function decideApproval(
  tx: Tx,
  ctx: Pick<Ctx, 'actor' | 'kernel' | 'address' | 'request_id' | 'headers'>,
  id: string,
  { approval_id, decision, reason }: Decision,
): Promise<Campaign> {
  const { actor, kernel } = ctx;
  const { account_id } = actor;
  if (!(await lockCampaign(tx, account_id, id))) throw new Problem('CAMPAIGN_NOT_FOUND');
  // The statement that waited for the lock does not see the decision of another user.
  const row = await reread(tx, account_id, id);
  const { approval } = row;
  if (approval?.status !== 'requested' || approval.id !== approval_id) throw new Problem('CAMPAIGN_APPROVAL_OUTDATED');
  if (actor.user_id === null || approval.submitter_ids.includes(actor.user_id))
    throw new Problem('CAMPAIGN_APPROVAL_NOT_ALLOWED');
  if (decision === 'declined' && reason === '') throw new Problem('CAMPAIGN_REASON_REQUIRED');
  await tx.run(sql`
    update campaign_approvals set status = ${decision}, decided_user_id = ${actor.user_id}, decide_date = ${tx.now},
      reason = ${reason}
    where account_id = ${account_id} and id = ${approval_id}`);
  await tx.run(sql`
    update campaigns set approval_status = ${decision}, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);
  const decided = await reread(tx, account_id, id);
  if (decision === 'approved') await start(tx, ctx, decided);
  record(tx, ctx, {
    action: `campaign.${decision}`,
    target: { type: 'campaign', id, name: row.name },
    detail: { recipients: approval.recipients, amount_micros: approval.amount_micros, reason },
  });
  await mailDecision(tx, kernel, row, { decision, reason, decider: decided.approval?.decided_by?.name || 'A user' });
  failpoint('before_decision_commit');
  return announce(tx, account_id, id);
}

async function start(tx: Tx, { kernel, actor }: Pick<Ctx, 'kernel' | 'actor'>, row: CampaignRow): Promise<void> {
  const by = { user_id: actor.user_id, key_id: null };
  await moveCampaign(tx, kernel, row, row.approval!.target, by);
  const { approval_id } = await reread(tx, row.account_id, row.id);
  // The campaign would need another approval, because its audience has grown since the request.
  if (approval_id !== row.approval_id)
    throw new Problem('CAMPAIGN_APPROVAL_OUTDATED', {
      message: 'The audience has grown since this request. The campaign must be submitted again',
    });
}
