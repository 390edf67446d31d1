/** The tables of tests of all SMS providers over HTTP. */
import { android } from './android.ts';
import { generic } from './generic.ts';
import { infobip } from './infobip.ts';
import { plivo } from './plivo.ts';
import { sinch } from './sinch.ts';
import type { ProviderTable } from './table.ts';
import { telnyx } from './telnyx.ts';
import { twilio } from './twilio.ts';
import { vonage } from './vonage.ts';

export const TABLES: Readonly<Record<string, ProviderTable>> = {
  twilio,
  vonage,
  telnyx,
  plivo,
  infobip,
  sinch,
  android,
  generic,
};
