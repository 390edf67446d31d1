/** Prices that fall with the volume of a month, for operators. They apply to a destination of the price list. */
import { z } from 'zod';
import { VolumeStep } from '../billing/volume_steps.ts';
import { CHANNELS } from '../channels/names.ts';
import { country, currency, idParams, listQuery, micros, problem, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { PURPOSES } from '../messages/content.ts';

export const MAX_VOLUME_STEPS = 10;
const MAX_UNITS = 1_000_000_000;
const MAX_PRICE_MICROS = 10_000_000_000;
export const VOLUME_STATES = ['current', 'planned', 'past'] as const;

const month = z
  .string()
  .regex(/^[12]\d{3}-(0[1-9]|1[0-2])$/, { error: problem('VOLUME_MONTH_INVALID') })
  .meta({ examples: ['2026-12'] });

export const VolumePrice = z.object({
  id: z.string(),
  /** Null if the steps apply to all accounts that pay the list price. */
  account_id: z.string().nullable(),
  company_name: z.string().nullable(),
  channel: z.enum(CHANNELS),
  country: z.string(),
  mccmnc: z.string().nullable(),
  network: z.string().nullable(),
  purpose: z.enum(PURPOSES).nullable(),
  currency,
  /** The price of the first units. Null if the price was removed; the steps then have no effect. */
  price_micros: micros.nullable(),
  /** The first month in which the steps apply. */
  month: z.string(),
  /** Empty if there are no volume prices from this month on. */
  steps: z.array(VolumeStep),
  /** `past` steps were replaced by those of a later month. */
  state: z.enum(VOLUME_STATES),
  user_name: z.string(),
  create_date: timestamp,
});
export type VolumePrice = z.output<typeof VolumePrice>;

const body = z.object({
  /** The account for which the steps apply. Without it, they apply to all accounts that pay the list price. */
  account_id: uuid('ACCOUNT_NOT_FOUND').nullable().default(null),
  channel: z.enum(CHANNELS),
  country: country(),
  mccmnc: z
    .string()
    .regex(/^\d{5,6}$/, { error: problem('NETWORK_CODE_INVALID') })
    .nullable()
    .default(null),
  purpose: z.enum(PURPOSES).nullable().default(null),
  currency,
  /** The first month in UTC: the current one, or a later one. */
  month,
  /** Ascending numbers of units, each with a lower price. An empty list ends the volume prices. */
  steps: z
    .array(
      z.object({
        above_units: z.int().min(1).max(MAX_UNITS),
        price_micros: z.int().min(0).max(MAX_PRICE_MICROS),
      }),
    )
    .max(MAX_VOLUME_STEPS),
});

const PROBLEMS = [
  ...(['OPERATOR_ONLY', 'ACCOUNT_NOT_FOUND', 'COUNTRY_CODE_INVALID', 'NETWORK_CODE_INVALID'] as const),
  ...(['VOLUME_STEPS_INVALID', 'VOLUME_MONTH_INVALID', 'VOLUME_PRICE_IN_FORCE', 'VOLUME_BASE_NOT_FOUND'] as const),
] as const;

export const listVolumePrices = endpoint({
  id: 'volume_prices.list',
  method: 'GET',
  path: '/v1/volume_prices',
  summary: 'List volume prices, latest month first',
  needs: 'INVOICES:view',
  audience: 'operator',
  query: listQuery({
    account_id: uuid('ACCOUNT_NOT_FOUND'),
    channel: z.enum(CHANNELS),
    country: country(),
    currency,
    state: z.enum(VOLUME_STATES),
  }),
  list: true,
  output: VolumePrice,
  problems: ['OPERATOR_ONLY', 'COUNTRY_CODE_INVALID', 'ACCOUNT_NOT_FOUND'],
});

/** What accounts sent to the destination in the last full month, at the prices before and with the steps. */
const VolumePreview = z.object({
  /** The month whose messages were counted. */
  month: z.string(),
  currency,
  price_micros: micros,
  accounts_count: z.int(),
  units: z.int(),
  before_micros: micros,
  after_micros: micros,
  /** The accounts with the largest differences. */
  accounts: z.array(
    z.object({
      account_id: z.string(),
      company_name: z.string(),
      units: z.int(),
      before_micros: micros,
      after_micros: micros,
    }),
  ),
});
export type VolumePreview = z.output<typeof VolumePreview>;

export const previewVolumePrice = endpoint({
  id: 'volume_prices.preview',
  method: 'POST',
  path: '/v1/volume_prices/preview',
  summary: 'See what volume prices would have changed last month. Nothing is saved',
  needs: 'INVOICES:edit',
  audience: 'operator',
  body,
  timeout_ms: 60_000,
  output: VolumePreview,
  problems: PROBLEMS,
});

export const saveVolumePrice = endpoint({
  id: 'volume_prices.create',
  method: 'POST',
  path: '/v1/volume_prices',
  summary: 'Set the volume prices of a destination from a month on. Steps planned for the same month are replaced',
  needs: 'INVOICES:edit',
  audience: 'operator',
  body,
  status: 201,
  output: VolumePrice,
  problems: PROBLEMS,
});

export const removeVolumePrice = endpoint({
  id: 'volume_prices.remove',
  method: 'DELETE',
  path: '/v1/volume_prices/{id}',
  summary: 'Remove volume prices that are planned for a later month',
  needs: 'INVOICES:edit',
  audience: 'operator',
  params: idParams('VOLUME_PRICE_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['OPERATOR_ONLY', 'VOLUME_PRICE_NOT_FOUND', 'VOLUME_PRICE_IN_FORCE'],
});

/** Volume prices have changed. Sent to the operators’ account. */
export const volumePricesChanged = event({
  id: 'volume_prices.changed',
  modules: ['volume_prices'],
  needs: 'INVOICES:view',
  payload: z.object({ count: z.int() }),
});
