/** Runs all consistency checks on a live database. The checks are read-only. */
import { accountChecks } from '../accounts/accounts.ts';
import { audienceChecks } from '../audiences/audiences.ts';
import { billingChecks, invoiceChecks, reconciliationChecks, statementChecks } from '../billing/billing.ts';
import { campaignChecks } from '../campaigns/campaigns.ts';
import { guardChecks } from '../guard/guard.ts';
import { inboxChecks } from '../inbox/check.ts';
import { type Check, eventChecks, type Finding, runChecks } from '../kernel/db/check.ts';
import { type Db, sql } from '../kernel/db/db.ts';
import { epochChecks } from '../kernel/epoch/checks.ts';
import { lookupChecks } from '../lookups/lookups.ts';
import { mediaChecks } from '../media/media.ts';
import { deliveryChecks, fallbackChecks, messageChecks } from '../messages/messages.ts';
import { numberChecks } from '../numbers/numbers.ts';
import { registrationChecks } from '../registrations/registrations.ts';
import { senderChecks } from '../senders/senders.ts';
import { smppChecks } from '../smpp/check.ts';
import { templateChecks } from '../templates/templates.ts';

const CHECKS: readonly Check[] = [
  ...billingChecks,
  ...invoiceChecks,
  ...reconciliationChecks,
  ...statementChecks,
  ...guardChecks,
  ...messageChecks,
  ...deliveryChecks,
  ...fallbackChecks,
  ...campaignChecks,
  ...inboxChecks,
  ...audienceChecks,
  ...numberChecks,
  ...registrationChecks,
  ...senderChecks,
  ...lookupChecks,
  ...mediaChecks,
  ...templateChecks,
  ...smppChecks,
  ...accountChecks,
  ...eventChecks,
  ...epochChecks,
];

/** Runs all checks in one snapshot, so that concurrent work cannot be mistaken for a defect. */
export const examine = (db: Db): Promise<Finding[]> => db.tx((tx) => runChecks(tx, CHECKS), 'repeatable read');

/** Runs all checks within a time limit. If a check does not finish, it is reported as the last finding. */
export const examineWithin = (db: Db, ms: number): Promise<Finding[]> => {
  const deadline = Date.now() + ms;
  const findings: Finding[] = [];
  return db
    .tx(async (tx) => {
      for (const check of CHECKS) {
        const remaining = deadline - Date.now();
        if (remaining <= 0) throw Object.assign(new Error('Time limit reached'), { code: CANCELED });
        await tx.run(sql`select set_config('statement_timeout', ${String(remaining)}, true)`);
        findings.push(...(await runChecks(tx, [check])));
      }
    }, 'repeatable read')
    .then(
      () => findings,
      (error: { code?: string }) => {
        const unfinished = CHECKS[findings.length];
        if (error.code !== CANCELED || !unfinished) throw error;
        const { id, title } = unfinished;
        return [...findings, { id, title: `${title}: did not finish in time`, ok: false, rows: [], ms: 0 }];
      },
    );
};

/** The PostgreSQL error code for a statement that was canceled by its timeout. */
const CANCELED = '57014';
