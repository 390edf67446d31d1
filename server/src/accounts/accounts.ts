/**
 * The public interface for companies: their details, review, blocking, closing, and reopening (docs/accounts.md). Each
 * change is recorded in the company's audit log and reaches its open pages within a second.
 */
export {
  announceAccount,
  announceCustomer,
  announceRequest,
  announceRights,
  announceUserRights,
  emitToOperators,
  type Who,
} from './announce.ts';
export { listAudit } from './audit_log.ts';
export { listCampaignEditors } from './campaign_editors.ts';
export { accountChecks } from './check.ts';
export { readTimezone, requireCountry } from './company.ts';
export { eraseContacts } from './erasure.ts';
export {
  blockAccount,
  blockSubAccount,
  blockUser,
  closeSubAccount,
  lockSubAccount,
  releaseNumbers,
  reopenAccount,
} from './lifecycle.ts';
export { expireInvitations } from './lifecycle_queries.ts';
export { mailOwners, mailUser } from './mails.ts';
export { type AccountRow, accountColumns } from './queries.ts';
export { correctForm, review } from './review_queries.ts';
export { approveAccount, rejectAccount, requestMoreInfo } from './reviews.ts';
export { toAccountView } from './self.ts';
export {
  findAllowedRecipient,
  findSendingAccount,
  requireSending,
  sendingProblem,
  setPaymentOverdue,
} from './sending.ts';
export { endTrial, trialCredit } from './trial.ts';
export { vatNumberChanged } from './vat_numbers.ts';
