/** A select for the account's senders that searches by name and number on the server. */
import type { SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ListedSender, listSenders } from '@parley/contract/senders/senders.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useEndpoint } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { parsePhone, usePhone } from '../ui/data/phone.ts';
import { SearchSelect } from '../ui/form/SearchSelect.tsx';

interface SenderOption {
  value: string;
  label: string;
}

interface SenderSelectProps
  extends Omit<SelectProps, 'data' | 'value' | 'defaultValue' | 'onChange' | 'filter' | 'onSearchChange'> {
  /** Limits the options, using the filters of the sender list. */
  filter?: SenderFilter;
  /** Excludes pool members, which cannot be used on their own. */
  standalone?: boolean;
  /** Additional options. Must include the selected option if the search may not return it. */
  extraOptions?: readonly SenderOption[];
  /** The property used as the value; `id` by default. */
  by?: 'id' | 'code';
  value: string | null;
  /** The sender is null if the value is from `extraOptions`. */
  onChange: (value: string | null, sender: ListedSender | null) => void;
  /** Called once if there is exactly one sender and none is selected. */
  onOnly?: (sender: ListedSender) => void;
  /** Shown instead of the select if there are no senders. */
  empty?: ReactNode;
}

interface SenderFilter {
  channel?: string;
  types?: string;
  statuses?: string;
}

const PAGE_SIZE = 50;

/** The name with the number or code. A number without a name appears only once, formatted. */
export function senderLabel({ name, code, type }: { name: string; code: string; type?: string }): string {
  const formatted = /^\d{7,}$/.test(code) ? parsePhone(code).text : code;
  const plain = name.replace(/^\+/, '');
  if (plain === code || plain === formatted.replace(/^\+/, '')) return formatted;
  return formatted ? `${name} (${formatted})` : type === 'short_code' ? `${name} (no code yet)` : name;
}

/** Senders that match the typed text, debounced. */
export function useSenderSearch(filter: SenderFilter, text: string, enabled = true) {
  const [typed] = useDebouncedValue(text.trim(), 250);
  // Loads the country rules that format numbers.
  usePhone('');
  // Numbers are searched by their digits, in any notation.
  const name = /^\+?[\d\s()-]+$/.test(typed) ? typed.replace(/\D/g, '') : typed;
  const answer = useEndpoint(
    listSenders,
    { query: { page_size: PAGE_SIZE, filter: { ...filter, ...(name ? { name } : {}) } } },
    { enabled, keepPrevious: true },
  );
  return { answer, settled: typed === text.trim() && !answer.isPlaceholderData };
}

export function SenderSelect(props: SenderSelectProps) {
  const {
    filter = {},
    standalone = false,
    extraOptions = [],
    by = 'id',
    value,
    onChange,
    onOnly,
    empty,
    ...select
  } = props;
  const reason = useReason(listSenders.needs);
  const [search, setSearch] = useState('');
  // Keeps the labels of senders from earlier searches. If the label of the selected sender changed, it would overwrite
  // the typed text.
  const cache = useRef(new Map<string, ListedSender>());
  const toOption = (sender: ListedSender): SenderOption => ({ value: sender[by], label: senderLabel(sender) });
  const selected = value === null ? undefined : cache.current.get(value);
  // The label of the selected sender is not used as the search text.
  const selectedLabels = [...extraOptions, ...(selected ? [toOption(selected)] : [])]
    .filter((option) => option.value === value)
    .map(({ label }) => label);
  const text = selectedLabels.includes(search) ? '' : search;
  const { answer, settled } = useSenderSearch(filter, text, reason === null);
  const matches = (answer.data?.data ?? []).filter(
    ({ id, pool_id }) => !standalone || pool_id === null || pool_id === id,
  );
  for (const sender of matches) cache.current.set(sender[by], sender);
  const cached = value === null ? undefined : cache.current.get(value);
  const options = new Map(
    [...extraOptions, ...(cached ? [toOption(cached)] : []), ...matches.map(toOption)].map((one) => [one.value, one]),
  );
  const matchValues = new Set(matches.map((one) => one[by]));
  const all = text.trim() === '' && settled ? answer.data : undefined;
  const hasChoice = extraOptions.length > 0 || value !== null;
  useOnlySender(all?.pagination.total === 1 && !hasChoice ? matches[0] : undefined, onOnly);
  if (empty && all && matches.length === 0 && !hasChoice) return empty;
  return (
    <SearchSelect
      {...select}
      disabled={select.disabled || reason !== null}
      description={reason ?? select.description}
      data={[...options.values()]}
      value={value}
      onSearchChange={setSearch}
      filter={({ options: items, search: typed }) =>
        items.filter(
          (one) =>
            'value' in one &&
            (typed.trim() === '' ||
              selectedLabels.includes(typed) ||
              (settled && matchValues.has(one.value)) ||
              one.label.toLowerCase().includes(typed.trim().toLowerCase())),
        )
      }
      nothingFoundMessage={settled ? 'No senders match' : 'Searching'}
      onChange={(next) => onChange(next, (next !== null && cache.current.get(next)) || null)}
    />
  );
}

/** Reports the only available sender, once. */
function useOnlySender(only: ListedSender | undefined, onOnly: SenderSelectProps['onOnly']): void {
  const reported = useRef(false);
  useEffect(() => {
    if (!only || !onOnly || reported.current) return;
    reported.current = true;
    onOnly(only);
  });
}
