/** Secrets of carrier connections: sealed in `connections.settings`, opened only by who talks to the carrier. One stored before that is read as it is. */
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { isSealed } from '../kernel/security/seal.ts';

type Settings = Record<string, unknown>;
type Seals = Pick<Kernel, 'seals'>;

const placeOf = (id: string) => ({ table: 'connections', row: id });
const secretsOf = (adapter: string): readonly string[] => ADAPTERS[adapter as AdapterName]?.secrets.options ?? [];

/** As stored: each secret that was given now, else the one there was. */
export function sealSecrets({ seals }: Seals, id: string, adapter: string, given: object, before: object = {}) {
  const sealed: Settings = { ...given };
  const seal = (text: string) => (text === '' || isSealed(text) ? text : seals.seal(text, placeOf(id)));
  for (const name of secretsOf(adapter)) {
    const now = sealed[name];
    sealed[name] = seal(typeof now === 'string' && now !== '' ? now : String((before as Settings)[name] ?? ''));
  }
  return sealed;
}

/** Throws when they were sealed by another installation's secret. */
export function openSecrets<T extends object>({ seals }: Seals, id: string, adapter: string, settings: T): T {
  const open = { ...settings } as Settings;
  for (const name of secretsOf(adapter)) {
    const text = open[name];
    if (typeof text === 'string' && isSealed(text)) open[name] = seals.open(text, placeOf(id));
  }
  return open as T;
}
