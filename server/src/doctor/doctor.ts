/** Every invariant there is, asked of a live database. Changes nothing. */
import { accountChecks } from '../accounts/accounts.ts';
import { audienceChecks } from '../audiences/audiences.ts';
import { billingChecks } from '../billing/billing.ts';
import { campaignChecks } from '../campaigns/campaigns.ts';
import { inboxChecks } from '../inbox/check.ts';
import { type Check, eventChecks, type Finding, runChecks } from '../kernel/check.ts';
import type { Db } from '../kernel/db.ts';
import { deliveryChecks, messageChecks } from '../messages/messages.ts';

export const CHECKS: readonly Check[] = [
  ...billingChecks,
  ...messageChecks,
  ...deliveryChecks,
  ...campaignChecks,
  ...inboxChecks,
  ...audienceChecks,
  ...accountChecks,
  ...eventChecks,
];

/** One snapshot, so that work going on meanwhile cannot look like a defect. */
export const examine = (db: Db): Promise<Finding[]> => db.tx((tx) => runChecks(tx, CHECKS), 'repeatable read');
