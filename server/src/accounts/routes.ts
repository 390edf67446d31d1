import * as account from '@parley/contract/accounts/accounts.ts';
import * as audit from '@parley/contract/accounts/audit_log.ts';
import * as company from '@parley/contract/accounts/company.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { listAudit } from './audit_log.ts';
import { closeOwnAccount } from './closure.ts';
import { changeAccount, updatePreference } from './company.ts';
import { listVerifications, submitVerification } from './reviews.ts';
import { getAccount, getUser } from './self.ts';

export const routes: Implementation[] = [
  implement(account.getAccount, ({ tx, actor }) => getAccount(tx, actor)),
  implement(account.getUser, ({ tx, actor }) => getUser(tx, actor)),
  implementOutside(company.updateAccount, (ctx, { body }) => changeAccount(ctx, body)),
  implement(company.updatePreference, (ctx, { body }) => updatePreference(ctx.tx, ctx, body)),
  implement(company.submitVerification, (ctx, { body }) => submitVerification(ctx.tx, ctx, body)),
  implement(company.listVerifications, ({ tx, actor }) => listVerifications(tx, actor)),
  // Runs outside a transaction: the password is checked, and failures are counted, before any row is locked.
  implementOutside(company.closeAccount, (ctx, { body }) => closeOwnAccount(ctx, body)),
  implement(audit.listAudit, ({ tx, actor }, { query }) => listAudit(tx, actor.account_id, query)),
];
