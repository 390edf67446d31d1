/**
 * The records that the server finds for a text: customers search their own account, operators search the customers. A
 * repeated text is answered from the cache immediately; while another one loads, the previous results that still match
 * stay.
 */
import { useDebouncedValue } from '@mantine/hooks';
import { listCustomers } from '@parley/contract/admin/customers.ts';
import { DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { permits } from '@parley/contract/permission.ts';
import { listSearchResults, MIN_SEARCH, type SearchResult } from '@parley/contract/search/search.ts';
import { useQueryClient } from '@tanstack/react-query';
import { queryKey, useEndpoint } from '../../kernel/http/query.ts';
import { openQuickReply } from '../../kernel/quick_reply.ts';
import { useSession } from '../../kernel/session/session.tsx';
import {
  accountPath,
  audiencePath,
  BUCKET_PATHS,
  campaignPath,
  contactPath,
  conversationPath,
  logPath,
  messagePath,
  senderPath,
  templatePath,
} from '../../paths.ts';
import { parsePhone, usePhone } from '../../ui/data/phone.ts';
import { type Entry, kindIcon, useOpenPath } from './entries.ts';
import { matchText } from './fuzzy.ts';

const DEBOUNCE_MS = 120;
/** Results that are older are requested again. */
const FRESH_MS = 30_000;

const GROUPS: Readonly<Record<SearchResult['kind'], string>> = {
  campaign: 'Campaigns',
  conversation: 'Conversations',
  contact: 'Contacts',
  audience: 'Audiences',
  template: 'Templates',
  sender: 'Senders',
  message: 'Messages',
  number: 'Message log',
};

export interface FoundRecords {
  entries: Entry[];
  /** True while the results for the text are on their way. */
  searching: boolean;
  failed: boolean;
}

export function useFoundRecords(text: string): FoundRecords {
  const { admin, permissions } = useSession();
  const client = useQueryClient();
  const open = useOpenPath();
  const mayReply = permits(permissions, 'MESSAGES:view');
  // Results show formatted numbers, whose rules load on demand.
  usePhone('');
  const typed = text.trim().toLowerCase();
  const [settled] = useDebouncedValue(typed, DEBOUNCE_MS);
  const endpoint = admin ? listCustomers : listSearchResults;
  const customerInput = (search: string) => ({ query: { filter: { search } } });
  const isCached =
    client.getQueryData(queryKey(endpoint, admin ? customerInput(typed) : { query: { text: typed } })) !== undefined;
  const searched = isCached ? typed : settled;
  const enabled = searched.length >= MIN_SEARCH && permits(permissions, endpoint.needs);
  const options = { keepPrevious: true, staleTime: FRESH_MS };
  const results = useEndpoint(
    listSearchResults,
    { query: { text: searched } },
    { ...options, enabled: enabled && !admin },
  );
  const customers = useEndpoint(listCustomers, customerInput(searched), { ...options, enabled: enabled && admin });
  const query = admin ? customers : results;
  const entries = admin
    ? (customers.data?.data ?? []).map(({ id, company_name }) => toEntry('account', 'Accounts', id, company_name))
    : (results.data?.data ?? []).flatMap((result) => {
        const entry = {
          ...toEntry(result.kind, GROUPS[result.kind], result.id, resultTitle(result), resultPath(result)),
          detail: resultDetail(result),
          keywords: `${result.number ?? ''} ${result.detail}`,
        };
        return result.kind === 'conversation' && mayReply ? [entry, toQuickReply(entry, result.id)] : [entry];
      });

  function toEntry(kind: string, group: string, id: string, label: string, path = accountPath(id)): Entry {
    const target = { kind, path };
    return { id: `${kind}.${id}`, group, label, icon: kindIcon(kind), target, run: () => open(path) };
  }
  const isCurrent = searched === typed && !query.isPlaceholderData;
  return {
    // Results for an earlier text are shown only if they match the current one.
    entries:
      typed.length < MIN_SEARCH
        ? []
        : isCurrent
          ? entries
          : entries.filter(({ label, keywords }) => matchText(typed, label, keywords)),
    searching: typed.length >= MIN_SEARCH && permits(permissions, endpoint.needs) && (!isCurrent || query.isPending),
    failed: query.isError && isCurrent,
  };
}

const toQuickReply = ({ group, label, detail, keywords }: Entry, id: string): Entry => ({
  ...{ id: `quick_reply.${id}`, group, label: `Quick Reply: ${label}`, detail, keywords },
  icon: kindIcon('conversation'),
  run: () => openQuickReply({ id }),
});

const isNumber = (title: string): boolean => /^\+\d+$/.test(title);

const resultTitle = ({ kind, title }: SearchResult): string =>
  kind === 'number' ? `Messages with ${parsePhone(title).text}` : isNumber(title) ? parsePhone(title).text : title;

function resultDetail({ kind, detail, number, title }: SearchResult): string {
  if (kind === 'number') return '';
  if (number && !isNumber(title)) return parsePhone(number).text;
  return /^\+?\d{7,15}$/.test(detail) ? parsePhone(detail).text : detail;
}

function resultPath({ kind, id, channel, number, audience_id, bucket }: SearchResult): string {
  switch (kind) {
    case 'campaign':
      return campaignPath({ id, channel: channel ?? DEFAULT_CHANNEL });
    case 'conversation':
      return conversationPath(BUCKET_PATHS[bucket ?? 'none'], id);
    case 'contact':
      return contactPath(audience_id ?? '', id, number ?? '');
    case 'audience':
      return audiencePath(id);
    case 'template':
      return templatePath(id);
    case 'sender':
      return senderPath(id);
    case 'message':
      return messagePath(id);
    case 'number':
      return logPath(id);
  }
}
