/** The registry of channels. */
import type { ChannelRules, TemplateRules } from './channel.ts';
import type { ChannelName } from './names.ts';
import { sms } from './sms/sms.ts';
import { viber } from './viber/viber.ts';
import { whatsapp } from './whatsapp/whatsapp.ts';

/** Listed in the order of menus and lists. */
export const ALL_CHANNELS: readonly ChannelRules[] = [sms, whatsapp, viber];

export function channelRules(name: ChannelName): ChannelRules {
  const rules = ALL_CHANNELS.find((one) => one.name === name);
  if (!rules) throw new Error(`unknown channel ${name}`);
  return rules;
}

/** Names of the channels that meet a condition. */
export const channelsWith = (has: (rules: ChannelRules) => boolean): ChannelName[] =>
  ALL_CHANNELS.filter(has).map(({ name }) => name);

export { DEFAULT_CHANNEL, PHONE_CHANNEL } from './names.ts';

export const channelsReviewedBy = (reviewer: TemplateRules['review']): ChannelName[] =>
  channelsWith(({ templates }) => templates.review === reviewer);
/** Channels on which each business sender has its own phone number. */
export const channelsWithOwnNumber = (): ChannelName[] => channelsWith(({ own_number }) => own_number);
