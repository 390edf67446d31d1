/** Every invariant there is, asked of a live database. Changes nothing. */
import { accountChecks } from '../accounts/accounts.ts';
import { audienceChecks } from '../audiences/audiences.ts';
import { billingChecks } from '../billing/billing.ts';
import { campaignChecks } from '../campaigns/campaigns.ts';
import { inboxChecks } from '../inbox/check.ts';
import { type Check, eventChecks, type Finding, runChecks } from '../kernel/db/check.ts';
import { type Db, sql } from '../kernel/db/db.ts';
import { mediaChecks } from '../media/media.ts';
import { deliveryChecks, legChecks, messageChecks } from '../messages/messages.ts';
import { numberChecks } from '../numbers/numbers.ts';
import { registrationChecks } from '../registrations/registrations.ts';
import { senderChecks } from '../senders/senders.ts';
import { templateChecks } from '../templates/templates.ts';

export const CHECKS: readonly Check[] = [
  ...billingChecks,
  ...messageChecks,
  ...deliveryChecks,
  ...legChecks,
  ...campaignChecks,
  ...inboxChecks,
  ...audienceChecks,
  ...numberChecks,
  ...registrationChecks,
  ...senderChecks,
  ...mediaChecks,
  ...templateChecks,
  ...accountChecks,
  ...eventChecks,
];

/** One snapshot, so that work going on meanwhile cannot look like a defect. */
export const examine = (db: Db): Promise<Finding[]> => db.tx((tx) => runChecks(tx, CHECKS), 'repeatable read');

/** The same for somebody who waits: no more time than given. A claim that was not settled by then is one of the findings, and the last. */
export const examineWithin = (db: Db, ms: number): Promise<Finding[]> => {
  const until = Date.now() + ms;
  const findings: Finding[] = [];
  return db
    .tx(async (tx) => {
      for (const check of CHECKS) {
        const left = until - Date.now();
        if (left <= 0) throw Object.assign(new Error('no time left'), { code: CANCELED });
        await tx.run(sql`select set_config('statement_timeout', ${String(left)}, true)`);
        findings.push(...(await runChecks(tx, [check])));
      }
    }, 'repeatable read')
    .then(
      () => findings,
      (error: { code?: string }) => {
        const unsettled = CHECKS[findings.length];
        if (error.code !== CANCELED || !unsettled) throw error;
        const { id, title } = unsettled;
        return [...findings, { id, title: `${title}: not answered in time`, ok: false, rows: [], ms: 0 }];
      },
    );
};

/** The statement was stopped by its timeout. */
const CANCELED = '57014';
