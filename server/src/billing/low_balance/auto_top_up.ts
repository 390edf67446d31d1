/** The settings of automatic top-up, for the API. */
import { MINIMUM_TOP_UPS } from '@parley/contract/billing/amounts.ts';
import {
  type AutoTopUp,
  autoTopUpChanged,
  type updateAutoTopUp as Update,
} from '@parley/contract/billing/low_balance.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import { emit } from '../../kernel/live/events.ts';
import { record } from '../../kernel/security/audit.ts';
import { balanceCrossed } from '../ledger/balance.ts';
import { findCard } from '../payments/method_queries.ts';
import { findBuyer } from '../payments/tax.ts';
import { findAutoTopUp, saveAutoTopUp } from './auto_top_up_queries.ts';

const UNIT = 1_000_000;
const DAILY_LIMIT = 3;
const MONTHLY_TOP_UPS = 10;

export async function getAutoTopUp(db: Queryable, account_id: string, id: string): Promise<AutoTopUp> {
  if (id !== account_id) throw new Problem('BALANCE_NOT_FOUND');
  const row = await findAutoTopUp(db, account_id, new Date());
  if (row) return { ...row, payment_method_id: row.method_id };
  const { currency } = await findBuyer(db, account_id);
  const amount_micros = MINIMUM_TOP_UPS[currency];
  return {
    enabled: false,
    threshold_micros: Math.round(amount_micros / 3 / UNIT) * UNIT,
    amount_micros,
    target_micros: null,
    payment_method_id: null,
    daily_limit: DAILY_LIMIT,
    monthly_limit_micros: amount_micros * MONTHLY_TOP_UPS,
    stop_reason: null,
    next_date: null,
  };
}

export async function updateAutoTopUp(
  ctx: Ctx,
  id: string,
  { payment_method_id, ...settings }: Parsed<typeof Update>['body'],
): Promise<AutoTopUp> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  if (id !== account_id) throw new Problem('BALANCE_NOT_FOUND');
  const { currency, company_name } = await findBuyer(tx, account_id);
  const { threshold_micros, target_micros } = settings;
  if (settings.amount_micros < MINIMUM_TOP_UPS[currency])
    throw new Problem('PAYMENT_AMOUNT_INVALID', {
      message: `The minimum amount is ${currency} ${MINIMUM_TOP_UPS[currency] / UNIT}`,
    });
  if (target_micros !== null && target_micros <= threshold_micros)
    throw new Problem('PAYMENT_AMOUNT_INVALID', {
      field: 'target_micros',
      message: 'The balance after a top-up must be larger than the balance that starts it',
    });
  const least_micros = target_micros === null ? settings.amount_micros : target_micros - threshold_micros;
  if (settings.monthly_limit_micros < least_micros) throw new Problem('AUTO_TOP_UP_LIMIT_TOO_LOW');
  // Serializes this change with the job that charges.
  await tx.run(sql`select 1 from balances where account_id = ${account_id} for update`);
  if (!(await findCard(tx, account_id, payment_method_id))) throw new Problem('PAYMENT_METHOD_NOT_FOUND');
  await saveAutoTopUp(tx, { account_id, method_id: payment_method_id, ...settings });
  record(tx, ctx, {
    action: 'auto_top_up.changed',
    account_id,
    target: { type: 'account', id: account_id, name: company_name },
    detail: settings,
  });
  emit(tx, autoTopUpChanged, account_id, { id: account_id });
  await enqueue(tx, balanceCrossed, { account_id });
  return getAutoTopUp(tx, account_id, id);
}
