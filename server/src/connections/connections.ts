/**
 * Connections to carriers, for whoever talks to one beside the lines that deliver: with their secrets opened, and known by an address where the
 * carrier calls back. Secrets never leave the process that opened them.
 */
import type { AdapterName } from '@parley/contract/connections/connections.ts';
import type { Adapter, ConnectionSpec } from '../channels/channel.ts';
import { adapterOf } from '../channels/index.ts';
import { type Queryable, sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { openSecrets } from './secrets.ts';

export { openSecrets, sealSecrets } from './secrets.ts';

export interface OpenConnection {
  id: string;
  name: string;
  channel: string;
  adapter: Adapter;
  spec: ConnectionSpec;
}

/** Also one that is disabled: what a carrier has to say of what was sent before is heard. Null when there is none. */
export async function openConnection(kernel: Kernel, db: Queryable, id: string): Promise<OpenConnection | null> {
  const row = await db.maybeOne<{ name: string; channel: string; adapter: AdapterName; settings: object }>(sql`
    select name, channel, adapter, settings from connections where id = ${id}`);
  if (!row) return null;
  const settings = openSecrets(kernel, id, row.adapter, row.settings);
  return { id, name: row.name, channel: row.channel, adapter: adapterOf(row.adapter), spec: { id, settings } };
}

/** All that are the same account at the carrier, this one among them: they share its templates, and where it calls back. */
export async function listSameAccount(db: Queryable, id: string): Promise<string[]> {
  const connections = await db.rows<{ id: string; adapter: AdapterName; settings: object }>(sql`
    select id, adapter, settings from connections
    where (adapter, channel) = (select adapter, channel from connections where id = ${id}) order by id`);
  const carrierAccount = (row: (typeof connections)[number]) => adapterOf(row.adapter).accountOf?.(row) ?? row.id;
  const own = connections.find((row) => row.id === id);
  return own ? connections.filter((row) => carrierAccount(row) === carrierAccount(own)).map((row) => row.id) : [];
}

/** Where the carrier calls back; it is told so by us (callbacks.ts), or by a person. */
export const callbackUrl = ({ config }: Pick<Kernel, 'config'>, id: string): string =>
  `${config.PUBLIC_URL}/callbacks/${id}`;
