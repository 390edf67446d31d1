/**
 * The notices of planned price changes: an email to the owners and an event for the bell and webhooks. Each account
 * gets one notice per revision of a plan, in the transaction that stores this, so a repeated or interrupted job sends
 * nothing twice and misses nothing.
 */
import { pricePlanChanged } from '@parley/contract/admin/price_plans.ts';
import type { PriceDifference } from '@parley/contract/admin/prices.ts';
import { type RatesAnnounced, ratesAnnounced } from '@parley/contract/billing/money_events.ts';
import { emitToOperators, mailOwners } from '../../accounts/accounts.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import { writeAmount } from '../prices/price_file.ts';
import { assess } from './effects.ts';
import * as queries from './plan_queries.ts';

const BATCH = 100;
const SHOWN = 10;

export async function sendNotices(kernel: Kernel, plan_id: string): Promise<void> {
  const { db } = kernel;
  const first = await queries.findPlan(db, plan_id);
  if (!first || !needsNotice(first, kernel.clock.now())) return;
  if (first.status === 'announced' || first.status === 'applied') {
    // The traffic from the last 30 days decides who gets a notice, so it is counted again.
    if (first.notice_date === null || first.assess_date === null) await assess(kernel, plan_id);
    await db.tx(async (tx) => {
      await tx.run(sql`
        update price_plans set notice_date = ${tx.now}
        where id = ${plan_id} and status in ('announced', 'applied') and notice_date is null`);
      await emitToOperators(tx, pricePlanChanged, { id: plan_id });
    });
  }
  const changes = await queries.listPlannedPrices(db, plan_id);
  for (let more = true; more; ) more = await db.tx((tx) => notifyBatch(tx, kernel, plan_id, changes));
}

/** True for a canceled plan, and for an announced one from its notice date on or once it has taken effect. */
function needsNotice({ status, effective_ms, notice_days, notice_date }: queries.PlanRow, now: Date): boolean {
  if (status === 'draft') return false;
  if (status === 'canceled' || notice_date !== null || notice_days === 0) return true;
  return effective_ms - notice_days * 86_400_000 <= now.getTime();
}

async function notifyBatch(
  tx: Tx,
  kernel: Kernel,
  plan_id: string,
  changes: readonly PriceDifference[],
): Promise<boolean> {
  const plan = await queries.lockPlan(tx, plan_id);
  if (!plan || !needsNotice(plan, tx.now)) return false;
  // Accounts that did not get the first notice are not notified of a cancellation.
  const isKnown =
    plan.status === 'canceled'
      ? sql`p.notified_revision < ${plan.revision}`
      : sql`
    coalesce(p.notified_revision, 0) < ${plan.revision}`;
  const accounts = await tx.rows<Account>(sql`
    select p.account_id, a.company_name, b.currency, p.before_micros, p.after_micros, p.segments,
           p.notified_revision is null as is_first
    from price_plan_accounts p join accounts a on a.id = p.account_id join balances b on b.account_id = p.account_id
    where p.plan_id = ${plan_id} and ${isKnown} and a.close_date is null
    order by p.account_id limit ${BATCH}`);
  for (const account of accounts) await notify(tx, kernel, plan, account, changes);
  failpoint('before_notices_commit');
  await tx.run(sql`
    update price_plan_accounts set notified_revision = ${plan.revision}, notify_date = ${tx.now}
    where plan_id = ${plan_id} and account_id = any(${accounts.map(({ account_id }) => account_id)}::uuid[])`);
  return accounts.length === BATCH;
}

interface Account {
  account_id: string;
  company_name: string;
  currency: string;
  segments: number;
  before_micros: number;
  after_micros: number;
  is_first: boolean;
}

async function notify(
  tx: Tx,
  kernel: Kernel,
  plan: queries.PlanRow,
  account: Account,
  all: readonly PriceDifference[],
): Promise<void> {
  const changes = all.filter(({ currency }) => currency === account.currency);
  const status = plan.status === 'canceled' ? 'canceled' : account.is_first ? 'announced' : 'changed';
  emit(tx, ratesAnnounced, account.account_id, {
    id: plan.id,
    status,
    effective_date: plan.effective_date,
    countries: [...new Set(changes.map(({ country }) => country))],
    prices_count: changes.length,
  });
  await mailOwners(
    tx,
    kernel,
    { id: account.account_id, company_name: account.company_name },
    {
      ...words(status, plan, account, changes),
      action: { label: 'View prices', path: '/billing/rates?tab=changes' },
      dedupe_key: `price plan ${plan.id} ${plan.revision} ${account.account_id}`,
    },
  );
}

const countryName = (code: string): string => new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code;

function priceLine({ channel, country, mccmnc, purpose, before_micros, after_micros, currency }: PriceDifference) {
  const amount = (micros: number | null) => (micros === null ? 'no price' : `${writeAmount(micros)} ${currency}`);
  const place = [countryName(country), mccmnc && `network ${mccmnc}`, purpose].filter(Boolean).join(', ');
  return `${place} (${channel}): ${amount(before_micros)} → ${amount(after_micros)}`;
}

function words(
  status: RatesAnnounced['status'],
  plan: queries.PlanRow,
  account: Account,
  changes: readonly PriceDifference[],
): { subject: string; paragraphs: string[] } {
  const when = `${plan.effective_date.slice(0, 16)} UTC`;
  if (status === 'canceled')
    return {
      subject: 'A price change was canceled',
      paragraphs: [`The price change announced for ${when} will not take effect. Your prices stay the same.`],
    };
  const rest = changes.length - SHOWN;
  const difference = account.after_micros - account.before_micros;
  return {
    subject: status === 'changed' ? `Changed: new prices from ${when}` : `New prices from ${when}`,
    paragraphs: [
      `From ${when}, these prices apply to new messages of ${account.company_name}:`,
      ...changes.slice(0, SHOWN).map(priceLine),
      ...(rest > 0 ? [`${rest} more prices change too.`] : []),
      ...(account.segments > 0
        ? [
            `Your traffic to these destinations in the last 30 days would have cost ` +
              `${writeAmount(Math.abs(difference))} ${account.currency} ${difference < 0 ? 'less' : 'more'}.`,
          ]
        : []),
      'Messages that are accepted before this time keep their price.',
    ],
  };
}
