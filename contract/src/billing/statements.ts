/**
 * Monthly statements: the opening balance, additions, spending, and closing balance of an account. Months are in UTC.
 */
import { z } from 'zod';
import { currency, micros, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { LedgerEntry } from './billing.ts';
import { Rate } from './rates.ts';

const month = z.string().meta({ pattern: '^\\d{4}-\\d{2}$', examples: ['2026-10'] });

/** A month of an account. `balance` amounts include amounts that are reserved for messages or in review. */
export const StatementMonth = z.object({
  month,
  /** True if the month has ended and its sums are stored. They never change again. */
  is_final: z.boolean(),
  opening_micros: micros,
  added_micros: micros,
  /** Zero or negative. */
  used_micros: micros,
  closing_micros: micros,
  currency,
});
export type StatementMonth = z.output<typeof StatementMonth>;

export const Statement = StatementMonth.extend({
  account_id: z.string(),
  company_name: z.string(),
  /** The sums of the ledger entries by kind. Reserving and releasing an amount does not change the sum of balances. */
  movements: z.array(
    z.object({
      kind: LedgerEntry.shape.kind,
      entries_count: z.int(),
      /** Negative if the entries reduce the balance. */
      amount_micros: micros,
    }),
  ),
  /** The units that count toward the month's volume prices. Messages that fail later no longer count. */
  volumes: z.array(
    Rate.pick({ channel: true, country: true, mccmnc: true, network: true, purpose: true }).extend({
      units: z.int(),
      /** The units by the step that priced them. */
      steps: z.array(
        z.object({
          /** 0: the price of the price list. */
          above_units: z.int(),
          /** Null: the price of the price list. */
          price_micros: micros.nullable(),
          units: z.int(),
        }),
      ),
    }),
  ),
  /** The parts of the closing balance. */
  available_micros: micros,
  held_micros: micros,
  frozen_micros: micros,
});
export type Statement = z.output<typeof Statement>;

/** The account, or one of its sub-accounts. */
const filter = z
  .object({ account_id: uuid('ACCOUNT_NOT_FOUND') })
  .partial()
  .optional();
const monthInput = z
  .string()
  .regex(/^[12]\d{3}-(0[1-9]|1[0-2])$/, { error: 'must be a month such as 2026-10' })
  .meta({ examples: ['2026-10'] });
const monthParams = z.object({ month: monthInput });

export const listStatements = endpoint({
  id: 'statements.list',
  method: 'GET',
  path: '/v1/statements',
  summary: 'List the monthly statements of your account or a sub-account, newest first',
  needs: 'PAYMENTS:view',
  scans: true,
  query: z.object({ filter }),
  output: z.array(StatementMonth),
  problems: ['ACCOUNT_NOT_FOUND'],
});

export const getStatement = endpoint({
  id: 'statements.get',
  method: 'GET',
  path: '/v1/statements/{month}',
  summary: 'Get a monthly statement with its totals by type',
  needs: 'PAYMENTS:view',
  scans: true,
  params: monthParams,
  query: z.object({ filter }),
  output: Statement,
  problems: ['ACCOUNT_NOT_FOUND', 'STATEMENT_NOT_FOUND', 'VALUE_INVALID'],
});

export const exportStatement = endpoint({
  id: 'statements.export',
  method: 'GET',
  path: '/v1/statements/{month}/file',
  summary: 'Download a monthly statement as CSV, or as PDF once the month has ended',
  needs: 'PAYMENTS:view',
  scans: true,
  params: monthParams,
  query: z.object({ format: z.enum(['csv', 'pdf']).optional(), filter }),
  raw: 'application/octet-stream',
  output: z.null(),
  problems: ['ACCOUNT_NOT_FOUND', 'STATEMENT_NOT_FOUND', 'STATEMENT_NOT_FINAL', 'VALUE_INVALID'],
});

export const KIND_TITLES: Readonly<Record<LedgerEntry['kind'], string>> = {
  top_up: 'Payments',
  bonus: 'Bonuses',
  compensation: 'Compensation',
  hold: 'Amounts reserved',
  settle: 'Messages',
  release: 'Reserved amounts released',
  resettle: 'Messages delivered late',
  refund: 'Refunds',
  charge: 'Charges',
  payment_release: 'Reviews ended',
  payment_refund: 'Payments refunded',
  dispute: 'Payments disputed',
  dispute_won: 'Disputes won',
  correction: 'Corrections',
  transfer_in: 'Transfers received',
  transfer_out: 'Transfers sent',
};
