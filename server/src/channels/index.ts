/** The registry of adapters. A connection stores the name of its adapter. */
import { type AdapterName, ADAPTERS as SETTINGS } from '@parley/contract/channels/adapters.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Adapter, ConnectionSpec } from './channel.ts';
import { smpp } from './smpp/smpp.ts';
import { android } from './sms_http/android.ts';
import { generic } from './sms_http/generic.ts';
import { infobip } from './sms_http/infobip.ts';
import { plivo } from './sms_http/plivo.ts';
import { sinch } from './sms_http/sinch.ts';
import { telnyx } from './sms_http/telnyx.ts';
import { twilio } from './sms_http/twilio.ts';
import { vonage } from './sms_http/vonage.ts';
import type { TemplateReason } from './template_reasons.ts';
import { viber } from './viber/viber.ts';
import { whatsapp } from './whatsapp/whatsapp.ts';

export const ADAPTERS: readonly Adapter[] = [
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
];

export function getAdapter(name: string): Adapter {
  const adapter = ADAPTERS.find((candidate) => candidate.name === name);
  if (!adapter) throw new Error(`unknown adapter ${name}`);
  return adapter;
}

/** Decodes the octets of an inbound message. */
export const decodeText = (adapter: string, connection: ConnectionSpec, octets: Buffer, coding: number): string =>
  getAdapter(adapter).decoding?.readText(connection, octets, coding) ?? octets.toString('utf8');

/**
 * Returns the text and the advice for a carrier's reason about a template on this channel, or undefined if the reason
 * is unknown.
 */
export const explainTemplateReason = (channel: ChannelName, code: string): TemplateReason | undefined =>
  ADAPTERS.find(({ name, templates }) => templates && SETTINGS[name as AdapterName].channel === channel)?.templates
    ?.reasons[code];

/** Returns the names of the adapters that have a capability. */
export const adaptersWith = (capability: keyof Adapter): string[] =>
  ADAPTERS.filter((adapter) => adapter[capability] !== undefined).map(({ name }) => name);
