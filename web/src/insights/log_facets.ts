/** The facets of the message log. Some have options only for what a link has chosen, which the user can clear. */
import { WA_CATEGORIES } from '@parley/contract/messages/content.ts';
import { CHARGES, FAILURES, SOURCES } from '@parley/contract/messages/messages.ts';
import { LOG_WORDS } from '@parley/contract/messages/statuses.ts';
import { VERIFICATION_STATUS, VERIFICATION_STATUSES } from '@parley/contract/verifications/statuses.ts';
import { useMemo, useState } from 'react';
import { channelLabel } from '../channels/index.ts';
import { useLaterEndpoint } from '../kernel/http/query.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { CATEGORY_WORDS, CHARGE_LABELS, DIRECTION_WORDS, FAILURE_WORDS, SOURCE_WORDS } from '../messages/words.ts';
import type { Facet } from '../ui/data/filter/FilterBar.tsx';
import { countryOptions } from '../ui/form/countries.ts';

/** Filters that only links set, such as those of a chart. */
export interface Linked {
  campaign?: string;
  template?: string;
  network?: string;
  user?: string;
  key?: string;
  hold?: string;
}

export function useLogFacets(linked: Linked): Facet[] {
  const { account } = useSession();
  const senders = useSenders();
  const campaigns = useCampaignFacet(linked.campaign);
  const { template, network, user, key, hold } = linked;
  return useMemo(
    () => [
      { key: 'statuses', label: 'Status', options: LOG_WORDS },
      choice(
        'direction',
        'Direction',
        (['MT', 'MO'] as const).map((value) => option(value, DIRECTION_WORDS[value])),
      ),
      ...(account.channels.length > 1
        ? [
            choice(
              'channel',
              'Channel',
              account.channels.map((value) => option(value, channelLabel(value))),
            ),
          ]
        : []),
      ...(senders && senders.length > 0
        ? [{ key: 'sender', label: 'Sender', options: senders.map(({ id, name }) => option(id, name)) }]
        : []),
      ...campaigns,
      { key: 'country', label: 'Country', options: countryOptions() },
      choice(
        'source',
        'Source',
        SOURCES.map((value) => option(value, SOURCE_WORDS[value])),
      ),
      choice(
        'charge',
        'Price',
        CHARGES.map((value) => option(value, CHARGE_LABELS[value])),
      ),
      { key: 'category', label: 'Category', options: WA_CATEGORIES.map((one) => option(one, CATEGORY_WORDS[one])) },
      {
        key: 'verification',
        label: 'Verification',
        options: VERIFICATION_STATUSES.map((one) => option(one, VERIFICATION_STATUS[one].label)),
      },
      { key: 'failure', label: 'Reason', options: FAILURES.map((value) => option(value, FAILURE_WORDS[value])) },
      ...linkedFacet('network', 'Network', network, network === 'unknown' ? 'Unknown' : network),
      ...linkedFacet('template', 'Template', template),
      ...linkedFacet('user', 'User', user),
      ...linkedFacet('key', 'API key', key),
      ...linkedFacet('hold', 'Ledger entry', hold, 'Linked ledger entry'),
    ],
    [account.channels, senders, campaigns, template, network, user, key, hold],
  );
}

const option = (value: string, label: string) => ({ value, label });
const choice = (key: string, label: string, options: Facet['options']): Facet => ({
  key,
  label,
  single: true,
  options,
});

const linkedFacet = (key: string, label: string, value: string | undefined, name?: string): Facet[] =>
  value ? [choice(key, label, [option(value, name ?? `Linked ${label}`)])] : [];

// The first screen of the log does not need the contracts of senders and campaigns.
const loadSenders = async () => (await import('@parley/contract/senders/senders.ts')).listSenders;
const loadCampaigns = async () => (await import('@parley/contract/campaigns/campaigns.ts')).listCampaigns;

function useSenders() {
  const canList = useReason(['SENDERS:view', 'CAMPAIGNS:add', 'MESSAGES:add']) === null;
  const input = { query: { page_size: 300 } };
  return useLaterEndpoint('senders.list', loadSenders, { input, enabled: canList }).data?.data;
}

/** The latest campaigns, found by their name. A linked campaign may be older. */
function useCampaignFacet(linked: string | undefined): Facet[] {
  const canList = useReason('CAMPAIGNS:view') === null;
  const [text, setText] = useState('');
  const query = { page_size: 20, ...(text ? { filter: { search: text } } : {}) };
  const rows = useLaterEndpoint('campaigns.list', loadCampaigns, { input: { query }, enabled: canList }).data?.data;
  return useMemo(() => {
    const known = (rows ?? []).map(({ id, name }) => option(id, name));
    const isKnown = linked === undefined || known.some(({ value }) => value === linked);
    const options = isKnown ? known : [option(linked, 'Linked campaign'), ...known];
    return options.length === 0 && text === ''
      ? []
      : [{ key: 'campaign', label: 'Campaign', options, single: true, onSearch: setText }];
  }, [rows, linked, text]);
}
