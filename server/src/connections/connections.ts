/**
 * Gives all code except the binds access to carrier connections. A connection is opened with its secrets and its
 * callback URL. Secrets never leave the process that opened them.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { AdapterName } from '@parley/contract/channels/adapters.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Adapter, ConnectionSpec } from '../channels/channel.ts';
import { getAdapter } from '../channels/index.ts';
import { type Queryable, sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { openSecrets } from './secrets.ts';

export { pauseConnection, pausedJob } from './pause.ts';
export { openSecrets, sealSecrets } from './secrets.ts';

export interface OpenConnection {
  id: string;
  name: string;
  channel: ChannelName;
  adapter: Adapter;
  spec: ConnectionSpec;
}

/**
 * Opens a connection, even if it is disabled, because its receipts are still processed. Returns null if the connection
 * does not exist.
 */
export async function openConnection(kernel: Kernel, db: Queryable, id: string): Promise<OpenConnection | null> {
  const row = await db.maybeOne<{ name: string; channel: ChannelName; adapter: AdapterName; settings: object }>(sql`
    select name, channel, adapter, settings from connections where id = ${id}`);
  if (!row) return null;
  const settings = openSecrets(kernel, id, row.adapter, row.settings);
  return { id, name: row.name, channel: row.channel, adapter: getAdapter(row.adapter), spec: { id, settings } };
}

/** The time that the first caller waits for others to share its read. */
const SHARE_MS = 5;

/**
 * Opens connections for many callers at once. Callers share the next read of their connection, so each of them gets a
 * state that is not older than its call.
 */
export function shareOpenings(kernel: Kernel): (id: string) => Promise<OpenConnection | null> {
  const running = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<OpenConnection | null>>();
  const open = async (id: string): Promise<OpenConnection | null> => {
    await Promise.all([running.get(id)?.catch(() => undefined), pause(SHARE_MS)]);
    waiting.delete(id);
    const read = openConnection(kernel, kernel.db, id);
    running.set(id, read);
    try {
      return await read;
    } finally {
      if (running.get(id) === read) running.delete(id);
    }
  };
  return (id) => {
    const shared = waiting.get(id) ?? open(id);
    waiting.set(id, shared);
    return shared;
  };
}

/**
 * Returns all connections to the same account at the carrier, including this one. They share templates and the callback
 * URL.
 */
export async function listSameAccount(db: Queryable, id: string): Promise<string[]> {
  const connections = await db.rows<{ id: string; adapter: AdapterName; settings: object }>(sql`
    select id, adapter, settings from connections
    where (adapter, channel) = (select adapter, channel from connections where id = ${id}) order by id`);
  const carrierAccount = (row: (typeof connections)[number]) =>
    getAdapter(row.adapter).registration?.account(row) ?? row.id;
  const own = connections.find((row) => row.id === id);
  return own ? connections.filter((row) => carrierAccount(row) === carrierAccount(own)).map((row) => row.id) : [];
}

/** Returns the URL for the carrier's callbacks. It is registered by callbacks.ts or by an operator. */
export const callbackUrl = ({ config }: Pick<Kernel, 'config'>, id: string): string =>
  `${config.PUBLIC_URL}/callbacks/${id}`;
