/** Connections to carriers and their lines: the operators' side of sending. */
import { z } from 'zod';
import { CHANNELS, type ChannelName, idParams, listQuery, range, search, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { SECRETS, SmppSettings, ViberSettings, WhatsAppSettings } from './channel_settings.ts';

export const ADAPTERS = ['smpp', 'whatsapp', 'viber'] as const;
export type AdapterName = (typeof ADAPTERS)[number];
export const CHANNEL_OF: Readonly<Record<AdapterName, ChannelName>> = {
  smpp: 'SMS',
  whatsapp: 'WHATSAPP',
  viber: 'VIBER',
};
/** The settings of each adapter, secrets included. */
export const SETTINGS = { smpp: SmppSettings, whatsapp: WhatsAppSettings, viber: ViberSettings } as const;

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

const shown = {
  id: z.string(),
  name: z.string(),
  channel: z.enum(CHANNELS),
  unknown_policy: z.enum(['fail', 'resend']),
  unknown_grace_seconds: z.int(),
  enabled: z.boolean(),
  binds: z.array(Bind),
  queued: z.int(),
  /** Where the carrier calls back; null where it does not. */
  callback_url: z.string().nullable(),
  /** When the carrier was last told so, or why it could not be. */
  callback_state: z.object({ at: z.string(), ok: z.boolean(), text: z.string() }).nullable(),
  create_date: timestamp,
  update_date: timestamp,
};
/** Without secrets; which of them are set is told by `secrets`. */
export const Connection = z.discriminatedUnion('adapter', [
  z.object({
    ...shown,
    adapter: z.literal('smpp'),
    settings: SmppSettings.omit({ password: true }),
    secrets: z.array(z.enum(SECRETS.smpp)),
  }),
  z.object({
    ...shown,
    adapter: z.literal('whatsapp'),
    settings: WhatsAppSettings.omit({ access_token: true, app_secret: true, verify_token: true }),
    secrets: z.array(z.enum(SECRETS.whatsapp)),
  }),
  z.object({
    ...shown,
    adapter: z.literal('viber'),
    settings: ViberSettings.omit({ auth_token: true }),
    secrets: z.array(z.enum(SECRETS.viber)),
  }),
]);
export type Connection = z.output<typeof Connection>;

const input = {
  name: z.string().trim().min(1).max(45),
  unknown_policy: z.enum(['fail', 'resend']),
  /** Longer than the carrier takes to report on another line what one line did not answer. */
  unknown_grace_seconds: range(1, 86_400),
  enabled: z.boolean(),
};
const fresh = {
  ...input,
  unknown_policy: input.unknown_policy.default('fail'),
  unknown_grace_seconds: input.unknown_grace_seconds.default(300),
  enabled: input.enabled.default(true),
};
const ConnectionInput = z.discriminatedUnion('adapter', [
  z.object({ ...fresh, adapter: z.literal('smpp'), settings: SmppSettings }),
  z.object({ ...fresh, adapter: z.literal('whatsapp'), settings: WhatsAppSettings }),
  z.object({ ...fresh, adapter: z.literal('viber'), settings: ViberSettings }),
]);
/** What is left out stays as it is, so there are no defaults here. The settings are read by the adapter the connection has. */
const ConnectionChange = z.object({ ...input, settings: z.record(z.string().max(60), z.unknown()) }).partial();

export const listConnections = endpoint({
  id: 'connections.list',
  method: 'GET',
  path: '/v1/connections',
  summary: 'Carrier connections with the state of their lines',
  needs: 'CHANNELS:view',
  audience: 'operator',
  query: listQuery({ search, channel: z.enum(CHANNELS) }),
  list: true,
  output: Connection,
  problems: ['OPERATOR_ONLY'],
});
export const getConnection = endpoint({
  id: 'connections.get',
  method: 'GET',
  path: '/v1/connections/{id}',
  summary: 'One carrier connection',
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
  problems: ['OPERATOR_ONLY', 'CONNECTION_EXISTS', 'SANDBOX_NOT_ALLOWED'],
});
export const updateConnection = endpoint({
  id: 'connections.update',
  method: 'PUT',
  path: '/v1/connections/{id}',
  summary: 'Change a carrier connection; its lines are opened anew. A secret that is left empty stays as it is',
  needs: 'CHANNELS:edit',
  audience: 'operator',
  params: idParams('CONNECTION_NOT_FOUND'),
  body: ConnectionChange,
  output: Connection,
  problems: ['OPERATOR_ONLY', 'CONNECTION_NOT_FOUND', 'CONNECTION_EXISTS', 'SANDBOX_NOT_ALLOWED'],
});

/** A line went up or down. Heard in the operators' account. */
export const connectionChanged = event({
  id: 'connection.changed',
  modules: ['connections'],
  needs: 'CHANNELS:view',
  payload: z.object({ id: z.string(), name: z.string(), state: z.string() }),
});
