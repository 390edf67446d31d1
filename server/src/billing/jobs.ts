/** Checks the money invariants twice an hour, like `npm run doctor`, and books trial credits. */
import { trialCredit, vatNumberChanged } from '../accounts/accounts.ts';
import { join, sql } from '../kernel/db/db.ts';
import { enqueue, type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { billingChecks } from './check.ts';
import { dunningJob, remind } from './dunning/cases.ts';
import { deliverInvoice } from './invoices/invoices.ts';
import { invoiceIssued, issueInvoices, issueMonth, issueMonthlyInvoices, monthlyJob } from './invoices/issue.ts';
import { balanceCrossed } from './ledger/balance.ts';
import { checkBalance } from './low_balance/low_balance.ts';
import { mailPayment } from './payments/mails.ts';
import { bookManual } from './payments/manual.ts';
import { monthlyInvoicesEnded } from './payments/settings.ts';
import { paymentBooked } from './payments/settle.ts';
import { sweepJob, sweepPayments, syncJob, syncPayment } from './payments/sync.ts';
import { refundApproved, refundProposal } from './proposals/refunds.ts';
import { reconcile, reconcileJob } from './reconciliation/run.ts';
import { deliverStatement } from './statements/files.ts';
import { monthsJob, statementReady, storeEndedMonths } from './statements/months.ts';
import { checkVatNumber } from './vat/checks.ts';

const check = job('billing.check', { cron: '11,41 * * * *', retry: 0, expire_seconds: 600 });

/** Counts and stores the mismatches in one statement, so that all checks see the same moment. */
export async function checkLedgers({ db, log }: Kernel): Promise<number> {
  const mismatches = join(
    billingChecks.map((invariant) => sql`(select count(*) from (${invariant.sql}) broken)`),
    ' + ',
  );
  const { mismatch_count } = await db.one<{ mismatch_count: number }>(sql`
    update ledger_checks set mismatch_count = ${mismatches}, check_date = ${db.clock.now()} returning mismatch_count`);
  if (mismatch_count > 0) log.error({ mismatch_count }, 'ledger is not balanced: run npm run doctor for details');
  return mismatch_count;
}

/**
 * Books the trial credit after an account is approved. The key ensures that it is booked only once, even if the setting
 * has changed.
 */
async function creditTrial({ config, db }: Kernel, account_id: string): Promise<void> {
  const amount_micros = config.TRIAL_CREDIT;
  if (amount_micros === 0) return;
  await db.tx(async (tx) => {
    // Read under the same lock that `credit` takes, so that two concurrent runs cannot both find no entry.
    await tx.run(sql`select 1 from balances where account_id = ${account_id} for update`);
    const existing = await tx.maybeOne(
      sql`select 1 from ledger where account_id = ${account_id} and key = ${TRIAL_KEY}`,
    );
    if (!existing)
      await bookManual(tx, { account_id, amount_micros, type: 'Free Test', key: TRIAL_KEY, note: 'Trial credit' });
  });
}

const TRIAL_KEY = 'trial';

export const jobs: readonly JobWork[] = [
  work(check, async (kernel) => void (await checkLedgers(kernel))),
  work(syncJob, (kernel, { provider_id }) => syncPayment(kernel, provider_id)),
  work(sweepJob, (kernel) => sweepPayments(kernel)),
  work(paymentBooked, (kernel, { account_id, payment_id, change }) =>
    kernel.db.tx(async (tx) => {
      await issueInvoices(tx, account_id, payment_id);
      await mailPayment(tx, kernel, account_id, payment_id, change);
      // An automatic top-up that has ended lets the next one start, or stops them.
      await enqueue(tx, balanceCrossed, { account_id });
    }),
  ),
  work(reconcileJob, (kernel) => reconcile(kernel)),
  work(refundApproved, (kernel, { account_id, id }) => refundProposal(kernel, account_id, id)),
  work(invoiceIssued, (kernel, { account_id, id }) => deliverInvoice(kernel, account_id, id)),
  work(monthlyJob, (kernel) => issueMonthlyInvoices(kernel)),
  work(monthlyInvoicesEnded, (kernel, { account_id }) => kernel.db.tx((tx) => issueMonth(tx, account_id, tx.now))),
  work(monthsJob, (kernel) => storeEndedMonths(kernel)),
  work(statementReady, (kernel, { account_id, month }) => deliverStatement(kernel, account_id, month)),
  work(balanceCrossed, (kernel, { account_id }) => checkBalance(kernel, account_id)),
  work(dunningJob, (kernel) => remind(kernel)),
  work(vatNumberChanged, (kernel, { account_id }) => checkVatNumber(kernel, account_id)),
  work(trialCredit, (kernel, { account_id }) => creditTrial(kernel, account_id)),
];
