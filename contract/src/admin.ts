/** The operators' side of sending: carrier connections, their lines, and routes. */
import { z } from 'zod';
import { CHANNELS, country, idParams, listQuery, problem, range, search, timestamp, uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { event } from './event.ts';

export const SmppSettings = z.object({
  host: z.string().trim().min(1).max(255),
  port: range(1, 65_535),
  tls: z.boolean().default(false),
  /** TLS without checking the certificate: for carriers with one of their own making. */
  tls_insecure: z.boolean().default(false),
  system_id: z.string().min(1).max(15),
  /** Written, never read back. */
  password: z.string().max(8).default(''),
  system_type: z.string().max(12).default(''),
  bind_mode: z.enum(['transceiver', 'separate']).default('transceiver'),
  /** Lines at once. */
  binds: range(1, 16).default(1),
  /** Messages without an answer yet, per line. */
  window: range(1, 1_000).default(50),
  /** Per line and second; null: as fast as it goes. */
  throughput: range(1, 10_000).nullable().default(null),
  response_timeout_ms: range(1_000, 300_000).default(60_000),
  enquire_link_ms: range(1_000, 600_000).default(30_000),
  multipart: z.enum(['udh8', 'udh16', 'sar', 'payload']).default('udh8'),
  /** What data coding 0 means at this carrier. */
  default_alphabet: z.enum(['gsm7', 'latin1', 'ascii']).default('gsm7'),
  /** How its message ids must be turned to match between answer and receipt. */
  id_format: z.enum(['text', 'hex_to_decimal', 'decimal_to_hex']).default('text'),
  /** Type of number of a short code: 3 for most carriers, 0 or 6 for some. */
  short_code_ton: range(0, 7).default(3),
  /** The carrier repeats `user_message_reference` in receipts: proof of what a crash left open. */
  echoes_reference: z.boolean().default(true),
});
export type SmppSettings = z.output<typeof SmppSettings>;

export const BIND_STATES = ['connecting', 'bound', 'throttled', 'waiting', 'stopped'] as const;

export const Bind = z.object({
  slot: z.int(),
  state: z.enum(BIND_STATES),
  detail: z.string(),
  window: z.int(),
  in_flight: z.int(),
  rate_per_second: z.int(),
  sent_count: z.int(),
  bound_date: timestamp.nullable(),
});

export const Connection = z.object({
  id: z.string(),
  name: z.string(),
  adapter: z.enum(['smpp']),
  channel: z.enum(CHANNELS),
  settings: SmppSettings.omit({ password: true }),
  unknown_policy: z.enum(['fail', 'resend']),
  unknown_grace_seconds: z.int(),
  enabled: z.boolean(),
  binds: z.array(Bind),
  queued: z.int(),
  create_date: timestamp,
  update_date: timestamp,
});
export type Connection = z.output<typeof Connection>;

const input = {
  name: z.string().trim().min(1).max(45),
  adapter: z.enum(['smpp']),
  channel: z.enum(CHANNELS),
  settings: SmppSettings,
  unknown_policy: z.enum(['fail', 'resend']),
  /** Longer than the carrier takes to report on another line what one line did not answer. */
  unknown_grace_seconds: range(1, 86_400),
  enabled: z.boolean(),
};
const ConnectionInput = z.object({
  ...input,
  adapter: input.adapter.default('smpp'),
  channel: input.channel.default('SMS'),
  unknown_policy: input.unknown_policy.default('fail'),
  unknown_grace_seconds: input.unknown_grace_seconds.default(300),
  enabled: input.enabled.default(true),
});
/** What is left out stays as it is, so there are no defaults here. */
const ConnectionChange = z.object(input).partial();

export const listConnections = endpoint({
  id: 'connections.list',
  method: 'GET',
  path: '/v1/connections',
  summary: 'Carrier connections with the state of their lines',
  needs: 'CHANNELS:view',
  audience: 'operator',
  query: listQuery({ search }),
  list: true,
  output: Connection,
  problems: [1138],
});
export const getConnection = endpoint({
  id: 'connections.get',
  method: 'GET',
  path: '/v1/connections/{id}',
  summary: 'One carrier connection',
  needs: 'CHANNELS:view',
  audience: 'operator',
  params: idParams(1951),
  output: Connection,
  problems: [1138, 1951],
});
export const createConnection = endpoint({
  id: 'connections.create',
  method: 'POST',
  path: '/v1/connections',
  summary: 'Add a carrier connection',
  needs: 'CHANNELS:add',
  audience: 'operator',
  body: ConnectionInput,
  status: 201,
  output: Connection,
  problems: [1138, 1952, 1954],
});
export const updateConnection = endpoint({
  id: 'connections.update',
  method: 'PUT',
  path: '/v1/connections/{id}',
  summary: 'Change a carrier connection; its lines are opened anew. Without a password the old one stays',
  needs: 'CHANNELS:edit',
  audience: 'operator',
  params: idParams(1951),
  body: ConnectionChange,
  output: Connection,
  problems: [1138, 1951, 1952, 1954],
});

export const Route = z.object({
  id: z.string(),
  channel: z.enum(CHANNELS),
  country: z.string().nullable(),
  prefix: z.string().nullable(),
  connection_id: z.string(),
  connection_name: z.string(),
  priority: z.int(),
  enabled: z.boolean(),
  create_date: timestamp,
});
export type Route = z.output<typeof Route>;

const reach = {
  channel: z.enum(CHANNELS),
  /** Null with a null prefix: everywhere. The longest prefix wins over a country, a country over everywhere. */
  country: country().nullable(),
  prefix: z
    .string()
    .regex(/^\d{1,12}$/, { error: problem(1705) })
    .nullable(),
  connection_id: z.string().min(1).pipe(uuid(1951)),
  priority: range(1, 1_000),
  enabled: z.boolean(),
};
const RouteInput = z.object({
  ...reach,
  channel: reach.channel.default('SMS'),
  country: reach.country.default(null),
  prefix: reach.prefix.default(null),
  priority: reach.priority.default(10),
  enabled: reach.enabled.default(true),
});
const RouteChange = z.object(reach).partial();

export const listRoutes = endpoint({
  id: 'routes.list',
  method: 'GET',
  path: '/v1/routes',
  summary: 'Which connection carries which country or prefix',
  needs: 'CHANNELS:view',
  audience: 'operator',
  query: listQuery({}),
  list: true,
  output: Route,
  problems: [1138],
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
  problems: [1138, 1951],
});
export const updateRoute = endpoint({
  id: 'routes.update',
  method: 'PUT',
  path: '/v1/routes/{id}',
  summary: 'Change a route',
  needs: 'CHANNELS:edit',
  audience: 'operator',
  params: idParams(1953),
  body: RouteChange,
  output: Route,
  problems: [1138, 1951, 1953],
});
export const removeRoute = endpoint({
  id: 'routes.remove',
  method: 'DELETE',
  path: '/v1/routes/{id}',
  summary: 'Remove a route',
  needs: 'CHANNELS:delete',
  audience: 'operator',
  params: idParams(1953),
  status: 204,
  output: z.null(),
  problems: [1138, 1953],
});

/** A line went up or down. Heard in the operators' account. */
export const connectionChanged = event({
  id: 'connection.changed',
  modules: ['connections'],
  needs: 'CHANNELS:view',
  payload: z.object({ id: z.string(), name: z.string(), state: z.string() }),
});
