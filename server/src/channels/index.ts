/** The registry: every adapter there is. A connection names its own. */
import type { Adapter } from './channel.ts';
import { smpp } from './smpp/smpp.ts';
import { viber } from './viber/viber.ts';
import { whatsapp } from './whatsapp/whatsapp.ts';

const ADAPTERS: readonly Adapter[] = [smpp, whatsapp, viber];

export function adapterOf(name: string): Adapter {
  const adapter = ADAPTERS.find((one) => one.name === name);
  if (!adapter) throw new Error(`there is no adapter ${name}`);
  return adapter;
}
