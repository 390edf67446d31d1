/** Connections to carriers and their binds, for operators. */
import { z } from 'zod';
import { newSettings } from '../channels/adapter.ts';
import { ADAPTERS, type AdapterName } from '../channels/adapters.ts';
import { CHANNELS } from '../channels/names.ts';
import { idParams, listQuery, range, search, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { type StatusWord, statusWord } from '../status.ts';

const NAMES = Object.keys(ADAPTERS) as AdapterName[];

const BIND_STATES = ['connecting', 'bound', 'throttled', 'waiting', 'stopped'] as const;
/** The states of binds. A connection can also be paused, disabled, or avoided by routes because of poor health. */
export const BIND_STATE: Readonly<
  Record<(typeof BIND_STATES)[number] | 'paused' | 'avoided' | 'disabled', StatusWord>
> = {
  connecting: statusWord('Connecting', 'wait', 'progress'),
  bound: statusWord('Bound', 'ok', 'check'),
  throttled: statusWord('Throttled', 'wait', 'paused'),
  waiting: statusWord('Waiting', 'fail', 'clock'),
  stopped: statusWord('Stopped', 'off', 'paused'),
  paused: statusWord('Paused', 'fail', 'paused'),
  avoided: statusWord('Avoided', 'wait', 'alert'),
  disabled: statusWord('Disabled', 'off', 'ban'),
};

export const Bind = z.object({
  slot: z.int(),
  state: z.enum(BIND_STATES),
  detail: z.string(),
  window: z.int(),
  in_flight: z.int(),
  rate_per_second: z.int(),
  /** The bind's part of the pace that was learned from throttled responses. Null if the carrier has not throttled. */
  pace_per_second: z.int().nullable(),
  sent_count: z.int(),
  /** The number of messages that the carrier throttled. Throttled messages are sent again. */
  throttled_count: z.int(),
  bound_date: timestamp.nullable(),
});

const shown = {
  id: z.string(),
  name: z.string(),
  channel: z.enum(CHANNELS),
  unknown_policy: z.enum(['fail', 'resend']),
  unknown_grace_seconds: z.int(),
  enabled: z.boolean(),
  /** When the connection was paused because its carrier refused every message; null if it is not paused. */
  paused_date: timestamp.nullable(),
  /** The error that the carrier reported. Empty if the connection is not paused. */
  pause_reason: z.string(),
  /** Why routes avoid the connection; null if it is in good health. */
  poor_health: z.string().nullable(),
  /** The number of binds that should be up. 0 if the connection is disabled. */
  desired_binds: z.int(),
  binds: z.array(Bind),
  queued: z.int(),
  /** The messages that count toward the daily limit of today, in UTC. 0 if there is no limit. */
  taken_today: z.int(),
  /** The URL for the carrier's callbacks; null if it sends none. */
  callback_url: z.string().nullable(),
  /** The time and result of the last registration of the callback URL with the carrier. */
  callback_state: z.object({ at: z.string(), ok: z.boolean(), text: z.string() }).nullable(),
  create_date: timestamp,
  update_date: timestamp,
};
type Adapters = typeof ADAPTERS;
const connectionSchema = <A extends AdapterName, S extends z.ZodObject, K extends z.ZodEnum>(
  adapter: A,
  settings: S,
  secret: K,
) => z.object({ ...shown, adapter: z.literal(adapter), settings, secrets: z.array(secret) });
type AnyConnection = {
  [A in AdapterName]: ReturnType<typeof connectionSchema<A, Adapters[A]['shown'], Adapters[A]['secrets']>>;
}[AdapterName];
/** A connection without its secrets. `secrets` names the secrets that are set. */
export const Connection = z.discriminatedUnion(
  'adapter',
  NAMES.map((name) => connectionSchema(name, ADAPTERS[name].shown, ADAPTERS[name].secrets)) as unknown as [
    AnyConnection,
  ],
);
export type Connection = z.output<typeof Connection>;

const input = {
  name: z.string().trim().min(1).max(45),
  unknown_policy: z.enum(['fail', 'resend']),
  /** Must exceed the time in which the carrier can still report an unacknowledged message on another bind. */
  unknown_grace_seconds: range(1, 86_400),
  enabled: z.boolean(),
};
const fresh = {
  ...input,
  unknown_policy: input.unknown_policy.default('fail'),
  unknown_grace_seconds: input.unknown_grace_seconds.default(300),
  enabled: input.enabled.default(true),
};
const inputSchema = <A extends AdapterName, S extends z.ZodObject>(adapter: A, settings: S) =>
  z.object({ ...fresh, adapter: z.literal(adapter), settings });
type AnyInput = { [A in AdapterName]: ReturnType<typeof inputSchema<A, Adapters[A]['settings']>> }[AdapterName];
const ConnectionInput = z.discriminatedUnion(
  'adapter',
  NAMES.map((name) => inputSchema(name, newSettings(ADAPTERS[name]))) as unknown as [AnyInput],
);
/**
 * Omitted fields keep their values, so no field has a default. The adapter of the connection validates the settings.
 */
const ConnectionChange = z.object({ ...input, settings: z.record(z.string().max(60), z.unknown()) }).partial();

export const listConnections = endpoint({
  id: 'connections.list',
  method: 'GET',
  path: '/v1/connections',
  summary: 'List carrier connections and the state of their binds',
  needs: 'CHANNELS:view',
  audience: 'operator',
  sorts: ['name', 'queued'],
  query: listQuery({ search, channel: z.enum(CHANNELS) }),
  list: true,
  output: Connection,
  problems: ['OPERATOR_ONLY'],
});
export const getConnection = endpoint({
  id: 'connections.get',
  method: 'GET',
  path: '/v1/connections/{id}',
  summary: 'Get a carrier connection',
  needs: 'CHANNELS:view',
  audience: 'operator',
  params: idParams('CONNECTION_NOT_FOUND'),
  output: Connection,
  problems: ['OPERATOR_ONLY', 'CONNECTION_NOT_FOUND'],
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
  problems: ['OPERATOR_ONLY', 'CONNECTION_EXISTS', 'SANDBOX_NOT_ALLOWED', 'CONNECTION_CREDENTIAL_REQUIRED'],
});
export const updateConnection = endpoint({
  id: 'connections.update',
  method: 'PUT',
  path: '/v1/connections/{id}',
  summary:
    'Update a carrier connection, resume it if it is paused, and reopen its binds; empty secrets keep their values',
  needs: 'CHANNELS:edit',
  audience: 'operator',
  params: idParams('CONNECTION_NOT_FOUND'),
  body: ConnectionChange,
  output: Connection,
  problems: [
    'OPERATOR_ONLY',
    'CONNECTION_NOT_FOUND',
    'CONNECTION_EXISTS',
    'SANDBOX_NOT_ALLOWED',
    'CONNECTION_CREDENTIAL_REQUIRED',
  ],
});

/** The state of a bind changed. Only the operators' account receives it. */
export const connectionChanged = event({
  id: 'connection.changed',
  modules: ['connections'],
  needs: 'CHANNELS:view',
  payload: z.object({ id: z.string(), name: z.string(), state: z.string() }),
});
