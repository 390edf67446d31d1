/**
 * Secrets for carrier connections. They are sealed in `connections.settings` and opened only for calls to the carrier.
 * A secret stored before sealing was introduced is read as plain text.
 */
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { isSealed } from '../kernel/security/seal.ts';

type Settings = Record<string, unknown>;
type Seals = Pick<Kernel, 'seals'>;

const sealPlace = (id: string) => ({ table: 'connections', row: id });
const listSecretNames = (adapter: string): readonly string[] => ADAPTERS[adapter as AdapterName]?.secrets.options ?? [];

/** Returns the settings to store. A secret that is missing from the request keeps its stored value. */
export function sealSecrets({ seals }: Seals, id: string, adapter: string, settings: object, stored: object = {}) {
  const sealed: Settings = { ...settings };
  const seal = (text: string) => (text === '' || isSealed(text) ? text : seals.seal(text, sealPlace(id)));
  for (const name of listSecretNames(adapter)) {
    const value = sealed[name];
    sealed[name] = seal(typeof value === 'string' && value !== '' ? value : String((stored as Settings)[name] ?? ''));
  }
  return sealed;
}

/** Throws if the secrets were sealed with another installation's secret. */
export function openSecrets<T extends object>({ seals }: Seals, id: string, adapter: string, settings: T): T {
  const open = { ...settings } as Settings;
  for (const name of listSecretNames(adapter)) {
    const text = open[name];
    if (typeof text === 'string' && isSealed(text)) open[name] = seals.open(text, sealPlace(id));
  }
  return open as T;
}
