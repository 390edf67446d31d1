/** List prices, for operators: import, edit, export, and history. Amounts are micro-units of the currency. */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import { country, currency, idParams, listQuery, micros, problem, search, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { PURPOSES } from '../messages/content.ts';

const MAX_PRICE_MICROS = 10_000_000_000;
/** The longest price list that one import accepts, in characters of CSV or base64, and in lines. */
export const MAX_PRICE_LIST = 900_000;
export const MAX_PRICE_SHEET_BYTES = (MAX_PRICE_LIST / 4) * 3;
export const MAX_PRICE_LINES = 20_000;

/** The destination of a price. */
const PriceKey = z.object({
  channel: z.enum(CHANNELS),
  country: z.string(),
  /** Null means all networks in the country without their own price. */
  mccmnc: z.string().nullable(),
  /** Null means all purposes without their own price. */
  purpose: z.enum(PURPOSES).nullable(),
  currency,
});

export const ListPrice = PriceKey.extend({
  id: z.string(),
  /** Null for the list price. Otherwise this account's custom price, which takes precedence. */
  account_id: z.string().nullable(),
  network: z.string().nullable(),
  price_micros: micros,
  /** The time from which the price applies. Null if the price is older than the history of prices. */
  since: timestamp.nullable(),
  /** The price before `since`. Null if there was none, or it is unknown. */
  previous_micros: micros.nullable(),
  /** The operator who set the price. Empty if it was changed in SQL. Null if unknown. */
  user_name: z.string().nullable(),
});
export type ListPrice = z.output<typeof ListPrice>;

export const PriceDifference = PriceKey.extend({ before_micros: micros.nullable(), after_micros: micros.nullable() });
export type PriceDifference = z.output<typeof PriceDifference>;

const PriceChange = PriceDifference.extend({
  id: z.string(),
  network: z.string().nullable(),
  /** The operator who changed the price. Empty if it was changed in SQL. */
  user_name: z.string(),
  /** The file that the change came from; null if the operator edited the price. */
  filename: z.string().nullable(),
  create_date: timestamp,
});
export type PriceChange = z.output<typeof PriceChange>;

const price = z.int().min(0).max(MAX_PRICE_MICROS);
const priceFilter = { search, channel: z.enum(CHANNELS), country: country(), currency };

export const listPrices = endpoint({
  id: 'prices.list',
  method: 'GET',
  path: '/v1/prices',
  summary: 'List the list prices for messages, or one account’s custom prices',
  needs: 'INVOICES:view',
  audience: 'operator',
  query: listQuery({ ...priceFilter, account_id: uuid('ACCOUNT_NOT_FOUND') }),
  list: true,
  output: ListPrice,
  problems: ['OPERATOR_ONLY', 'COUNTRY_CODE_INVALID', 'ACCOUNT_NOT_FOUND'],
});

export const exportPrices = endpoint({
  id: 'prices.export',
  method: 'GET',
  path: '/v1/prices/export',
  summary: 'Export the list prices as CSV, in the format that an import accepts',
  needs: 'INVOICES:view',
  audience: 'operator',
  query: listQuery(priceFilter),
  raw: 'text/csv',
  output: z.null(),
  problems: ['OPERATOR_ONLY', 'COUNTRY_CODE_INVALID'],
});

export const createPrice = endpoint({
  id: 'prices.create',
  method: 'POST',
  path: '/v1/prices',
  summary: 'Add a list price, or a custom price for one account',
  needs: 'INVOICES:edit',
  audience: 'operator',
  body: z.object({
    /** The account that gets this custom price. Without it, the price is a list price. */
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
    price_micros: price,
  }),
  status: 201,
  output: ListPrice,
  problems: [
    ...(['OPERATOR_ONLY', 'PRICE_EXISTS', 'COUNTRY_CODE_INVALID', 'NETWORK_CODE_INVALID'] as const),
    ...(['PRICE_PURPOSE_INVALID', 'ACCOUNT_NOT_FOUND'] as const),
  ],
});

export const updatePrice = endpoint({
  id: 'prices.update',
  method: 'PUT',
  path: '/v1/prices/{id}',
  summary: 'Change a list price or a custom price. It applies to messages accepted from now on',
  needs: 'INVOICES:edit',
  audience: 'operator',
  params: idParams('LIST_PRICE_NOT_FOUND'),
  body: z.object({ price_micros: price }),
  output: ListPrice,
  problems: ['OPERATOR_ONLY', 'LIST_PRICE_NOT_FOUND'],
});

export const removePrice = endpoint({
  id: 'prices.remove',
  method: 'DELETE',
  path: '/v1/prices/{id}',
  summary: 'Remove a list price or a custom price',
  needs: 'INVOICES:edit',
  audience: 'operator',
  params: idParams('LIST_PRICE_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['OPERATOR_ONLY', 'LIST_PRICE_NOT_FOUND'],
});

export const listPriceChanges = endpoint({
  id: 'prices.list_changes',
  method: 'GET',
  path: '/v1/price_changes',
  summary: 'List changes to list prices, newest first',
  needs: 'INVOICES:view',
  audience: 'operator',
  query: listQuery(priceFilter),
  list: true,
  output: PriceChange,
  problems: ['OPERATOR_ONLY', 'COUNTRY_CODE_INVALID'],
});

/** What happens to prices missing from the file, in the channels and currencies that it contains. */
const missing = z.enum(['keep', 'remove']);

export const PriceImport = z.object({
  id: z.string(),
  filename: z.string(),
  missing,
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  unchanged: z.int(),
  /** Prices for networks that are not in the numbering plan. They have no effect until the plan contains them. */
  unknown_networks: z.int(),
  /** The changed prices with the largest relative differences. */
  differences: z.array(PriceDifference),
  /** The number of invalid lines. An import with an invalid line cannot be applied. */
  invalid: z.int(),
  /** The first invalid lines. */
  problems: z.array(z.object({ line: z.int(), text: z.string() })),
  apply_date: timestamp.nullable(),
  create_date: timestamp,
});
export type PriceImport = z.output<typeof PriceImport>;

export const createPriceImport = endpoint({
  id: 'prices.create_import',
  method: 'POST',
  path: '/v1/price_imports',
  summary: 'Preview the import of a price list (CSV or XLSX). No price changes until the import is applied',
  needs: 'INVOICES:edit',
  audience: 'operator',
  body: z.object({
    filename: z.string().trim().min(1).max(200),
    /**
     * CSV with a header: `channel`, `country`, `network` (MCC and MNC, or empty), `purpose` (or empty), `currency`, and
     * `price` (per segment or message, in units of the currency).
     */
    text: z.string().min(1).max(MAX_PRICE_LIST).optional(),
    /** Instead of `text`: an XLSX file in base64. Its first sheet has the same columns. */
    xlsx: z
      .string()
      .max(MAX_PRICE_LIST)
      .regex(/^[A-Za-z0-9+/]+={0,2}$/, { error: 'must be base64' })
      .optional(),
    missing: missing.default('keep'),
  }),
  status: 201,
  timeout_ms: 60_000,
  output: PriceImport,
  problems: ['OPERATOR_ONLY', 'PRICE_LIST_UNREADABLE'],
});

export const applyPriceImport = endpoint({
  id: 'prices.apply_import',
  method: 'PUT',
  path: '/v1/price_imports/{id}/apply',
  summary: 'Apply a previewed import: all of its changes or none. Repeating the call has no effect',
  needs: 'INVOICES:edit',
  audience: 'operator',
  params: idParams('PRICE_IMPORT_NOT_FOUND'),
  body: z.object({}),
  timeout_ms: 60_000,
  output: PriceImport,
  problems: ['OPERATOR_ONLY', 'PRICE_IMPORT_NOT_FOUND', 'PRICE_IMPORT_OUTDATED', 'PRICE_LIST_UNREADABLE'],
});

/** List prices have changed. Sent to the operators' account. */
export const pricesChanged = event({
  id: 'prices.changed',
  modules: ['prices', 'setup'],
  needs: 'INVOICES:view',
  payload: z.object({ count: z.int() }),
});
