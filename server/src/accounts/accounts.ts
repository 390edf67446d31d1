/**
 * The front door to companies: who they are, their approval, how they are blocked, closed and opened again (docs/accounts.md). What happens to one is
 * recorded in its own log and heard by its open pages within a second.
 */
export {
  announceAccount,
  announceCustomer,
  announceRequest,
  announceRights,
  announceRightsOf,
  ownersOf,
  tellOperators,
  type Who,
} from './announce.ts';
export { auditFile, listAudit } from './audit_log.ts';
export { accountChecks } from './check.ts';
export { demandCountry, readTimezone } from './company.ts';
export { eraseContacts } from './erasure.ts';
export {
  blockAccount,
  blockSubAccount,
  blockUser,
  closeSubAccount,
  ERASE_DAYS,
  lockSubAccount,
  releaseNumbers,
  reopenAccount,
} from './lifecycle.ts';
export { endOffersOf } from './lifecycle_queries.ts';
export { writeTo, writeToOwners } from './mails.ts';
export { type AccountRow, accountColumns } from './queries.ts';
export { correctForm, review } from './review_queries.ts';
export { approveAccount, askMore, rejectAccount } from './reviews.ts';
export { getAccount, getUser, seenBy } from './self.ts';
export { demandSending, onlyNumber, sendingAccount, sendingProblem } from './sending.ts';
export { trialCredit } from './trial.ts';
