/** Routes: rules that choose the connection for each number. */
import { z } from 'zod';
import { DEFAULT_CHANNEL } from '../channels/index.ts';
import { CHANNELS } from '../channels/names.ts';
import { country, currency, idParams, listQuery, problem, range, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { statusWord } from '../status.ts';

export const ROUTE_STATE = {
  enabled: statusWord('Active', 'ok', 'check'),
  disabled: statusWord('Disabled', 'off', 'ban'),
};

export const Route = z.object({
  id: z.string(),
  channel: z.enum(CHANNELS),
  country: z.string().nullable(),
  prefix: z.string().nullable(),
  connection_id: z.string(),
  connection_name: z.string(),
  priority: z.int(),
  /** The share of messages among routes with the same numbers and priority; null for the rest. */
  percentage: z.int().nullable(),
  /** The carrier's price of a segment, in millionths of `cost_currency`. */
  cost_micros: z.int().nullable(),
  /** Null if unknown; margins then omit the cost. */
  cost_currency: currency.nullable(),
  /** The network, as MCC and MNC. */
  mccmnc: z.string().nullable(),
  enabled: z.boolean(),
  create_date: timestamp,
});
export type Route = z.output<typeof Route>;

const fields = {
  channel: z.enum(CHANNELS),
  /**
   * If the country and the prefix are both null, the route applies to all countries. The longest prefix wins over a
   * country, and a country wins over all countries.
   */
  country: country().nullable(),
  prefix: z
    .string()
    .regex(/^\d{1,12}$/, { error: problem('VALUE_INVALID') })
    .nullable(),
  connection_id: z.string().min(1).pipe(uuid('CONNECTION_NOT_FOUND')),
  priority: range(1, 1_000),
  /**
   * Routes for the same numbers with the same priority share messages by percentage. Null takes an equal part of the
   * rest.
   */
  percentage: range(1, 100).nullable(),
  /** Without percentages, the cheapest of the routes with the same numbers and priority is used. */
  cost_micros: range(0, 1_000_000_000).nullable(),
  /** Margins contain the cost of messages of accounts with this currency. */
  cost_currency: currency.nullable(),
  /** The route applies to all prefixes of the network in the numbering plan, unless it has a prefix itself. */
  mccmnc: z
    .string()
    .regex(/^\d{5,6}$/, { error: problem('VALUE_INVALID') })
    .nullable(),
  enabled: z.boolean(),
};
const RouteInput = z.object({
  ...fields,
  channel: fields.channel.default(DEFAULT_CHANNEL),
  country: fields.country.default(null),
  prefix: fields.prefix.default(null),
  priority: fields.priority.default(10),
  percentage: fields.percentage.default(null),
  cost_micros: fields.cost_micros.default(null),
  cost_currency: fields.cost_currency.default(null),
  mccmnc: fields.mccmnc.default(null),
  enabled: fields.enabled.default(true),
});
const RouteChange = z.object(fields).partial();

export const listRoutes = endpoint({
  id: 'routes.list',
  method: 'GET',
  path: '/v1/routes',
  summary: 'List routes: the connection used for each country or prefix',
  needs: 'CHANNELS:view',
  audience: 'operator',
  query: listQuery({}),
  list: true,
  output: Route,
  problems: ['OPERATOR_ONLY'],
});
export const createRoute = endpoint({
  id: 'routes.create',
  method: 'POST',
  path: '/v1/routes',
  summary: 'Add a route',
  needs: 'CHANNELS:add',
  audience: 'operator',
  body: RouteInput,
  status: 201,
  output: Route,
  problems: ['OPERATOR_ONLY', 'CONNECTION_NOT_FOUND'],
});
export const updateRoute = endpoint({
  id: 'routes.update',
  method: 'PUT',
  path: '/v1/routes/{id}',
  summary: 'Update a route',
  needs: 'CHANNELS:edit',
  audience: 'operator',
  params: idParams('CARRIER_ROUTE_NOT_FOUND'),
  body: RouteChange,
  output: Route,
  problems: ['OPERATOR_ONLY', 'CONNECTION_NOT_FOUND', 'CARRIER_ROUTE_NOT_FOUND'],
});
export const removeRoute = endpoint({
  id: 'routes.remove',
  method: 'DELETE',
  path: '/v1/routes/{id}',
  summary: 'Remove a route',
  needs: 'CHANNELS:delete',
  audience: 'operator',
  params: idParams('CARRIER_ROUTE_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['OPERATOR_ONLY', 'CARRIER_ROUTE_NOT_FOUND'],
});
