/** The registry of adapters. A connection names its own. */
import type { Adapter, ConnectionSpec } from './channel.ts';
import { smpp } from './smpp/smpp.ts';
import { viber } from './viber/viber.ts';
import { whatsapp } from './whatsapp/whatsapp.ts';

export const ADAPTERS: readonly Adapter[] = [smpp, whatsapp, viber];

export function adapterOf(name: string): Adapter {
  const adapter = ADAPTERS.find((one) => one.name === name);
  if (!adapter) throw new Error(`there is no adapter ${name}`);
  return adapter;
}

/** The text of a message that came in as octets. */
export const decodeText = (adapter: string, connection: ConnectionSpec, octets: Buffer, coding: number): string =>
  adapterOf(adapter).decoding?.readText(connection, octets, coding) ?? octets.toString('utf8');

/** Names of the adapters that have a capability. */
export const adaptersWith = (capability: keyof Adapter): string[] =>
  ADAPTERS.filter((adapter) => adapter[capability] !== undefined).map(({ name }) => name);
