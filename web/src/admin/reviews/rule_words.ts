import type { ContentRule, LinkMatch } from '@parley/contract/guard/content_rules.ts';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { countryName } from '../../ui/form/countries.ts';

export const LINK_LABELS: Readonly<Record<LinkMatch, string>> = {
  any: 'Any link',
  domains: 'Links to listed domains',
  shorteners: 'Link shorteners',
};

const list = (values: readonly string[], noun: string): string =>
  values.length <= 3 ? values.join(', ') : formatCount(values.length, noun);

/** The content that the rule looks for. */
export function describeRule(rule: ContentRule): string {
  switch (rule.kind) {
    case 'links':
      return rule.links === 'domains' ? `Links to ${list(rule.domains, 'domain')}` : LINK_LABELS[rule.links ?? 'any'];
    case 'lookalikes':
      return `Look-alikes of ${list(rule.brands, 'brand')}`;
    case 'words':
      return `Words: ${list(rule.words, 'word')}`;
    case 'new_sender':
      return (
        `Senders younger than ${formatCount(rule.sender_days ?? 0, 'day')} with more than ` +
        `${formatNumber(rule.links_per_hour ?? 0)} messages with links per hour`
      );
  }
}

export const describeCountries = ({ countries }: ContentRule): string =>
  countries.length === 0
    ? 'All'
    : countries.length > 2
      ? formatCount(countries.length, 'country', 'countries')
      : countries.map(countryName).join(', ');

/** The accounts to which the rule applies. */
export function describeScope({ account_ids, exempt_account_ids }: ContentRule): string {
  const scope = account_ids.length === 0 ? 'All accounts' : formatCount(account_ids.length, 'account');
  return exempt_account_ids.length === 0 ? scope : `${scope}, ${formatNumber(exempt_account_ids.length)} trusted`;
}
