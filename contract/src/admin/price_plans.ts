/** Changes to list prices that operators announce: their effects, notices, and date. */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import { country, currency, idParams, listQuery, micros, problem, timestamp, timestampInput, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { PURPOSES } from '../messages/content.ts';
import { PriceDifference } from './prices.ts';

/** The accounts that get a notice: those that used the destinations in the last 30 days, or all with the currency. */
export const PLAN_AUDIENCES = ['used', 'all'] as const;
export const PLAN_STATUSES = ['draft', 'announced', 'applied', 'canceled'] as const;
export const DEFAULT_NOTICE_DAYS = 30;
const MAX_NOTICE_DAYS = 365;
const MAX_PRICE_MICROS = 10_000_000_000;

/**
 * The cost of the messages that accounts in one currency sent to the destinations in the last 30 days, at the old and
 * new prices.
 */
const PlanEffect = z.object({
  currency,
  accounts_count: z.int(),
  /** The accounts that pay more. */
  raised_count: z.int(),
  segments: z.int(),
  before_micros: micros,
  after_micros: micros,
});

export const PricePlan = z.object({
  id: z.string(),
  status: z.enum(PLAN_STATUSES),
  /** The time from which the prices apply to new messages. */
  effective_date: timestamp,
  notice_days: z.int(),
  audience: z.enum(PLAN_AUDIENCES),
  /** The file that the prices come from; null for an individual price. */
  filename: z.string().nullable(),
  user_name: z.string(),
  prices_count: z.int(),
  /** The first prices of the change. */
  differences: z.array(PriceDifference),
  /** When the notices were sent; null if they have not been sent. */
  notice_date: timestamp.nullable(),
  /** When the effects were calculated; null while they are being calculated. */
  assess_date: timestamp.nullable(),
  effects: z.array(PlanEffect),
  /** The accounts that got the latest notice. */
  notified_count: z.int(),
  create_date: timestamp,
});
export type PricePlan = z.output<typeof PricePlan>;

export const PlanAccount = z.object({
  account_id: z.string(),
  company_name: z.string(),
  currency,
  segments: z.int(),
  before_micros: micros,
  after_micros: micros,
  notify_date: timestamp.nullable(),
});
export type PlanAccount = z.output<typeof PlanAccount>;

const shared = { needs: 'INVOICES:edit', audience: 'operator' } as const;
const timing = {
  effective_date: timestampInput('VALUE_INVALID'),
  notice_days: z.int().min(0).max(MAX_NOTICE_DAYS).default(DEFAULT_NOTICE_DAYS),
  audience: z.enum(PLAN_AUDIENCES).default('used'),
};
const price_micros = z.int().min(0).max(MAX_PRICE_MICROS).nullable();

export const listPricePlans = endpoint({
  id: 'price_plans.list',
  method: 'GET',
  path: '/v1/price_plans',
  summary: 'List planned changes to list prices, latest date first',
  needs: 'INVOICES:view',
  audience: 'operator',
  query: listQuery({ status: z.enum(PLAN_STATUSES) }),
  list: true,
  output: PricePlan,
  problems: ['OPERATOR_ONLY'],
});

export const getPricePlan = endpoint({
  id: 'price_plans.get',
  method: 'GET',
  path: '/v1/price_plans/{id}',
  summary: 'Get a planned price change and its effects',
  needs: 'INVOICES:view',
  audience: 'operator',
  params: idParams('PRICE_PLAN_NOT_FOUND'),
  output: PricePlan,
  problems: ['OPERATOR_ONLY', 'PRICE_PLAN_NOT_FOUND'],
});

export const createPricePlan = endpoint({
  id: 'price_plans.create',
  method: 'POST',
  path: '/v1/price_plans',
  summary: 'Plan a price change from an import or for one price. Nothing happens until the plan is announced',
  ...shared,
  body: z
    .object({
      ...timing,
      /** A previewed import. Set this or `price`. */
      import_id: uuid('PRICE_IMPORT_NOT_FOUND').nullable().default(null),
      price: z
        .object({
          channel: z.enum(CHANNELS),
          country: country(),
          mccmnc: z
            .string()
            .regex(/^\d{5,6}$/, { error: problem('NETWORK_CODE_INVALID') })
            .nullable()
            .default(null),
          purpose: z.enum(PURPOSES).nullable().default(null),
          currency,
          /** Null removes the price. */
          price_micros,
        })
        .nullable()
        .default(null),
    })
    .refine(({ import_id, price }) => (import_id === null) !== (price === null), {
      error: problem('PRICE_PLAN_EMPTY'),
      path: ['price'],
    }),
  status: 201,
  timeout_ms: 60_000,
  output: PricePlan,
  problems: [
    ...(['OPERATOR_ONLY', 'PRICE_PLAN_EMPTY', 'PRICE_PLAN_TOO_EARLY', 'PRICE_IMPORT_NOT_FOUND'] as const),
    ...(['PRICE_LIST_UNREADABLE', 'COUNTRY_CODE_INVALID', 'NETWORK_CODE_INVALID', 'PRICE_PURPOSE_INVALID'] as const),
    'VALUE_INVALID',
  ],
});

export const updatePricePlan = endpoint({
  id: 'price_plans.update',
  method: 'PUT',
  path: '/v1/price_plans/{id}',
  summary: 'Change the date, the notice, or the single price of a plan. Notified accounts get another notice',
  ...shared,
  params: idParams('PRICE_PLAN_NOT_FOUND'),
  body: z.object({
    ...timing,
    /** The new price of a plan for one price. */
    price_micros: price_micros.optional(),
  }),
  output: PricePlan,
  problems: [
    ...(['OPERATOR_ONLY', 'PRICE_PLAN_NOT_FOUND', 'PRICE_PLAN_CLOSED', 'PRICE_PLAN_TOO_EARLY'] as const),
    ...(['PRICE_PLAN_OVERLAPS', 'VALUE_INVALID'] as const),
  ],
});

export const announcePricePlan = endpoint({
  id: 'price_plans.announce',
  method: 'PUT',
  path: '/v1/price_plans/{id}/announce',
  summary: 'Schedule the change and its notices. Repeating the call has no effect',
  ...shared,
  params: idParams('PRICE_PLAN_NOT_FOUND'),
  body: z.object({}),
  output: PricePlan,
  problems: [
    ...(['OPERATOR_ONLY', 'PRICE_PLAN_NOT_FOUND', 'PRICE_PLAN_CLOSED'] as const),
    ...(['PRICE_PLAN_TOO_EARLY', 'PRICE_PLAN_OVERLAPS'] as const),
  ],
});

export const cancelPricePlan = endpoint({
  id: 'price_plans.cancel',
  method: 'DELETE',
  path: '/v1/price_plans/{id}',
  summary: 'Cancel a planned change before its date. Notified accounts get another notice',
  ...shared,
  params: idParams('PRICE_PLAN_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['OPERATOR_ONLY', 'PRICE_PLAN_NOT_FOUND', 'PRICE_PLAN_CLOSED'],
});

export const listPlanAccounts = endpoint({
  id: 'price_plans.list_accounts',
  method: 'GET',
  path: '/v1/price_plans/{id}/accounts',
  summary: 'List the accounts that a planned change affects, largest increase first',
  needs: 'INVOICES:view',
  audience: 'operator',
  params: idParams('PRICE_PLAN_NOT_FOUND'),
  query: listQuery({}),
  list: true,
  output: PlanAccount,
  problems: ['OPERATOR_ONLY', 'PRICE_PLAN_NOT_FOUND'],
});

/** A planned change or its effects have changed. Sent to the operators’ account. */
export const pricePlanChanged = event({
  id: 'price_plan.changed',
  modules: ['price_plans'],
  needs: 'INVOICES:view',
  payload: z.object({ id: z.string() }),
});
