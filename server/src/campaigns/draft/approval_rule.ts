/** An account's rule for campaigns that need another user's approval. */
import type { ApprovalRule } from '@parley/contract/accounts/campaign_rules.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';

export interface ApprovalFigures {
  recipients: number;
  amount_micros: number;
  /** True if later recipients are unknown. An automation always needs an approval if the account has a rule. */
  is_open?: boolean;
}

export const readApprovalRule = async (db: Queryable, account_id: string): Promise<ApprovalRule | null> =>
  (
    await db.one<{ campaign_approval: ApprovalRule | null }>(
      sql`select campaign_approval from accounts where id = ${account_id}`,
    )
  ).campaign_approval;

/** Returns whether campaigns with these figures need an approval. */
export const needsApproval = (
  rule: ApprovalRule | null,
  { recipients, amount_micros, is_open = false }: ApprovalFigures,
): boolean =>
  rule !== null &&
  (is_open ||
    (rule.recipients !== null && recipients > rule.recipients) ||
    (rule.amount_micros !== null && amount_micros > rule.amount_micros));
