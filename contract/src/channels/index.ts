/** The registry of channels. */
import type { ChannelRules, TemplateRules } from './channel.ts';
import type { ChannelName } from './names.ts';
import { sms } from './sms/sms.ts';
import { viber } from './viber/viber.ts';
import { whatsapp } from './whatsapp/whatsapp.ts';

export const ALL_CHANNELS: readonly ChannelRules[] = [sms, viber, whatsapp];

export function channelRules(name: ChannelName): ChannelRules {
  const rules = ALL_CHANNELS.find((one) => one.name === name);
  if (!rules) throw new Error(`unknown channel ${name}`);
  return rules;
}

/** Names of the channels that meet a condition. */
export const channelsWith = (has: (rules: ChannelRules) => boolean): ChannelName[] =>
  ALL_CHANNELS.filter(has).map(({ name }) => name);

/** The channel that sends from phone numbers and delivers verification codes. */
export const PHONE_CHANNEL: ChannelName = sms.name;
/** The channel of requests that do not name one. */
export const DEFAULT_CHANNEL: ChannelName = sms.name;

export const channelsReviewedBy = (reviewer: TemplateRules['review']): ChannelName[] =>
  channelsWith(({ templates }) => templates.review === reviewer);
/** Channels on which each business sender has its own phone number. */
export const channelsWithOwnNumber = (): ChannelName[] => channelsWith(({ own_number }) => own_number);
