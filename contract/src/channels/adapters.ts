/** The registry of adapters, with the channel and the settings of each. */
import type { AdapterSettings } from './adapter.ts';
import { android } from './sms/providers/android.ts';
import { generic } from './sms/providers/generic.ts';
import { infobip } from './sms/providers/infobip.ts';
import { plivo } from './sms/providers/plivo.ts';
import { sinch } from './sms/providers/sinch.ts';
import { telnyx } from './sms/providers/telnyx.ts';
import { twilio } from './sms/providers/twilio.ts';
import { vonage } from './sms/providers/vonage.ts';
import { smpp } from './sms/settings.ts';
import { viber } from './viber/settings.ts';
import { whatsapp } from './whatsapp/settings.ts';

export const ADAPTERS = {
  smpp,
  twilio,
  vonage,
  telnyx,
  plivo,
  infobip,
  sinch,
  android,
  generic,
  whatsapp,
  viber,
} as const satisfies Readonly<Record<string, AdapterSettings>>;
export type AdapterName = keyof typeof ADAPTERS;
