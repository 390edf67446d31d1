/** The registry of adapters, with the channel and the settings of each. */
import type { AdapterSettings } from './adapter.ts';
import { smpp } from './sms/settings.ts';
import { viber } from './viber/settings.ts';
import { whatsapp } from './whatsapp/settings.ts';

export const ADAPTERS = { smpp, whatsapp, viber } as const satisfies Readonly<Record<string, AdapterSettings>>;
export type AdapterName = keyof typeof ADAPTERS;
