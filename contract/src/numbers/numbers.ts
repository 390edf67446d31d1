/** Numbers that can be bought; for operators, the inventory and the price list. */
import { z } from 'zod';
import { country, currency, enumInput, listQuery, micros, problem, search, timestamp, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { SENDER_TYPE_NAMES, SMS_SENDER_TYPES } from '../senders/senders.ts';
import { type StatusWord, statusWord } from '../status.ts';

export const NUMBER_TYPES = ['local', 'mobile', 'toll_free'] as const;
export const NUMBER_STATUSES = ['free', 'taken', 'cooling', 'retired'] as const;
export const NUMBER_STATUS: Readonly<Record<(typeof NUMBER_STATUSES)[number], StatusWord>> = {
  free: statusWord('Available', 'ok', 'check'),
  taken: statusWord('Rented', 'flight', 'check'),
  cooling: statusWord('Cooling down', 'wait', 'clock'),
  retired: statusWord('Retired', 'off', 'ban'),
};
/** Days that a number is kept after its rental could not be paid. */
export const GRACE_DAYS = 7;
/**
 * Days until a released number can be bought again. This protects the next owner from messages meant for the previous
 * one.
 */
export const COOLING_DAYS = 30;

const numberType = z.enum(NUMBER_TYPES, { error: problem('NUMBER_TYPE_INVALID') });
/** Types accepted in filters. Sender IDs and short codes are never for sale, so they match no numbers. */
const typeFilter = enumInput(SMS_SENDER_TYPES, 'NUMBER_TYPE_INVALID', SENDER_TYPE_NAMES);

export const FreeNumber = z.object({
  number: z.string(),
  type: z.enum(NUMBER_TYPES),
  country: z.string(),
  city: z.string(),
  currency,
  setup_cost: z.number(),
  monthly_cost: z.number(),
  setup_micros: micros,
  monthly_micros: micros,
  /** True if the number must be registered before it can send. */
  registration: z.boolean(),
});
export type FreeNumber = z.output<typeof FreeNumber>;

export const listNumbers = endpoint({
  id: 'numbers.list',
  method: 'GET',
  path: '/v1/numbers',
  summary: 'List available numbers, with prices in the account’s currency',
  needs: ['NUMBERS:view', 'SENDERS:add'],
  query: listQuery({ type: typeFilter, country: country(), city: search, search }).extend({
    type: typeFilter.optional(),
    country: country().optional(),
    city: search.optional(),
  }),
  list: true,
  output: FreeNumber,
  problems: ['NUMBER_TYPE_INVALID', 'COUNTRY_CODE_INVALID'],
});
/** The filter options of the number list, and the prices of numbers. */
const NumberPlace = z.object({
  type: z.enum(NUMBER_TYPES),
  country: z.string(),
  cities: z.array(z.string()),
  count: z.int(),
  currency,
  setup_micros: micros,
  monthly_micros: micros,
});
export type NumberPlace = z.output<typeof NumberPlace>;

export const listNumberPlaces = endpoint({
  id: 'numbers.list_places',
  method: 'GET',
  path: '/v1/number_places',
  summary: 'List the types, countries, and cities of available numbers, with their prices',
  needs: ['NUMBERS:view', 'SENDERS:add'],
  output: z.array(NumberPlace),
  problems: [],
});

export const InventoryNumber = z.object({
  number: z.string(),
  type: z.enum(NUMBER_TYPES),
  country: z.string(),
  city: z.string(),
  status: z.enum(NUMBER_STATUSES),
  /** The account that rents the number. */
  account_id: z.string().nullable(),
  company_name: z.string().nullable(),
  /** The end of the cooling-off period. */
  free_date: timestamp.nullable(),
  create_date: timestamp,
});
export type InventoryNumber = z.output<typeof InventoryNumber>;

export const listInventory = endpoint({
  id: 'inventory.list',
  method: 'GET',
  path: '/v1/inventory',
  summary: 'List all numbers in the installation and the accounts that rent them',
  needs: 'NUMBERS:view',
  audience: 'operator',
  sorts: ['number', 'status', 'type', 'country', 'create_date'],
  query: listQuery({
    search,
    statuses: wordList(NUMBER_STATUSES),
    types: wordList(NUMBER_TYPES),
    country: country(),
  }),
  list: true,
  output: InventoryNumber,
  problems: ['OPERATOR_ONLY', 'COUNTRY_CODE_INVALID'],
});
/** Existing numbers, and numbers that are invalid for the country, are reported and skipped. */
export const addInventory = endpoint({
  id: 'inventory.add',
  method: 'POST',
  path: '/v1/inventory',
  summary: 'Add numbers to the inventory',
  needs: 'NUMBERS:add',
  audience: 'operator',
  body: z.object({
    type: numberType,
    country: country(),
    city: z.string().trim().max(60).default(''),
    numbers: z.array(z.string().trim().max(30)).min(1).max(5_000),
  }),
  status: 201,
  output: z.object({ added: z.int(), known: z.array(z.string()), invalid: z.array(z.string()) }),
  problems: ['OPERATOR_ONLY', 'NUMBER_TYPE_INVALID', 'COUNTRY_CODE_INVALID'],
});
export const retireNumber = endpoint({
  id: 'inventory.retire',
  method: 'PUT',
  path: '/v1/inventory/{number}',
  summary: 'Retire an unused number, or restore it',
  needs: 'NUMBERS:edit',
  audience: 'operator',
  params: z.object({ number: z.string().regex(/^\d{6,15}$/, { error: problem('NUMBER_NOT_FOUND') }) }),
  body: z.object({ retired: z.boolean() }),
  output: InventoryNumber,
  problems: ['OPERATOR_ONLY', 'NUMBER_NOT_FOUND', 'NUMBER_STATE_INVALID'],
});

export const NumberPrice = z.object({
  country: country(),
  type: numberType,
  currency,
  setup_micros: micros.min(0).max(10_000_000_000),
  monthly_micros: micros.min(0).max(10_000_000_000),
});
export type NumberPrice = z.output<typeof NumberPrice>;
export const listNumberPrices = endpoint({
  id: 'inventory.list_prices',
  method: 'GET',
  path: '/v1/number_prices',
  summary: 'List number prices by country, type, and currency',
  needs: 'NUMBERS:view',
  audience: 'operator',
  output: z.array(NumberPrice.extend({ free_count: z.int() })),
  problems: ['OPERATOR_ONLY'],
});
/** Rented numbers keep their price. */
export const putNumberPrice = endpoint({
  id: 'inventory.put_price',
  method: 'PUT',
  path: '/v1/number_prices',
  summary: 'Set a price; numbers without a price are not offered',
  needs: 'NUMBERS:edit',
  audience: 'operator',
  body: NumberPrice,
  output: NumberPrice,
  problems: ['OPERATOR_ONLY', 'NUMBER_TYPE_INVALID', 'COUNTRY_CODE_INVALID'],
});

/** The inventory changed. Only the operators' account receives it. */
export const inventoryChanged = event({
  id: 'inventory.changed',
  modules: ['inventory'],
  needs: 'NUMBERS:view',
  payload: z.object({ count: z.int() }),
});
