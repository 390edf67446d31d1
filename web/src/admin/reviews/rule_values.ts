/** The values of the form of a content rule. */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { ContentAction, ContentRule, ContentRuleKind, LinkMatch } from '@parley/contract/guard/content_rules.ts';

export interface RuleValues extends Record<string, unknown> {
  name: string;
  kind: ContentRuleKind;
  links: LinkMatch;
  domains: string[];
  brands: string[];
  words: string[];
  exceptions: string[];
  sender_days: number | string;
  links_per_hour: number | string;
  action: ContentAction;
  countries: string[];
  channels: ChannelName[];
  account_ids: string[];
  exempt_account_ids: string[];
  enabled: boolean;
}

export const NEW_RULE: RuleValues = {
  ...{ name: '', kind: 'links', links: 'shorteners', domains: [], brands: [], words: [], exceptions: [] },
  ...{ sender_days: 7, links_per_hour: 50, action: 'hold', countries: [], channels: [], account_ids: [] },
  ...{ exempt_account_ids: [], enabled: true },
};

export const ruleValues = ({ accounts: _, waiting: __, id: ___, ...rule }: ContentRule): RuleValues => ({
  ...NEW_RULE,
  ...rule,
  channels: rule.channels as ChannelName[],
  links: rule.links ?? NEW_RULE.links,
  sender_days: rule.sender_days ?? NEW_RULE.sender_days,
  links_per_hour: rule.links_per_hour ?? NEW_RULE.links_per_hour,
});

const toNumber = (value: number | string): number | null => (value === '' ? null : Number(value));

/** The fields of the endpoint. Those of other kinds are left out. */
export const ruleBody = ({
  kind,
  links,
  domains,
  brands,
  words,
  sender_days,
  links_per_hour,
  ...values
}: RuleValues) => ({
  name: values.name,
  kind,
  action: values.action,
  enabled: values.enabled,
  countries: values.countries,
  channels: values.channels,
  account_ids: values.account_ids,
  exempt_account_ids: values.exempt_account_ids,
  exceptions: values.exceptions,
  ...(kind === 'links' ? { links, domains } : {}),
  ...(kind === 'lookalikes' ? { brands } : {}),
  ...(kind === 'words' ? { words } : {}),
  ...(kind === 'new_sender' ? { sender_days: toNumber(sender_days), links_per_hour: toNumber(links_per_hour) } : {}),
});
