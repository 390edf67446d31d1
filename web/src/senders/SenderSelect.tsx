/** Choosing one of the account's senders, however many there are: what is typed is looked for on the server, by name and by number. */
import type { SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ListedSender, listSenders } from '@parley/contract/senders/senders.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useEndpoint } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { parsePhone, usePhone } from '../ui/data/phone.ts';
import { SearchSelect } from '../ui/form/SearchSelect.tsx';

export interface SenderOption {
  value: string;
  label: string;
}

interface SenderSelectProps
  extends Omit<SelectProps, 'data' | 'value' | 'defaultValue' | 'onChange' | 'filter' | 'onSearchChange'> {
  /** Those that can be chosen at all, as the list filters them. */
  filter?: SenderFilter;
  /** Only what is sent from by itself, and not what stands behind another. */
  standalone?: boolean;
  /** Choices besides, and the chosen one where it may not be among those found. */
  extraOptions?: readonly SenderOption[];
  /** What the value is of; `id` unless said. */
  by?: 'id' | 'code';
  value: string | null;
  /** Without the sender for one of `known`. */
  onChange: (value: string | null, sender: ListedSender | null) => void;
  /** There is exactly one, and nothing is chosen yet. */
  onOnly?: (sender: ListedSender) => void;
  /** In its place while there is none to choose. */
  empty?: ReactNode;
}

export interface SenderFilter {
  channel?: string;
  types?: string;
  statuses?: string;
}

const SHOWN = 50;

/** Its name with its number or code; a number without a name once, and readably. */
export function senderLabel({ name, code, type }: { name: string; code: string; type?: string }): string {
  const shape = /^\d{7,}$/.test(code) ? parsePhone(code).text : code;
  const plain = name.replace(/^\+/, '');
  if (plain === code || plain === shape.replace(/^\+/, '')) return shape;
  return shape ? `${name} (${shape})` : type === 'short_code' ? `${name} (no code yet)` : name;
}

/** Senders found by what is typed; `typed` waits for the end of the word. */
export function useSenderSearch(filter: SenderFilter, text: string, enabled = true) {
  const [typed] = useDebouncedValue(text.trim(), 250);
  // Numbers become readable when the rules of countries have come.
  usePhone('');
  // However a number is written, it is known by its digits.
  const name = /^\+?[\d\s()-]+$/.test(typed) ? typed.replace(/\D/g, '') : typed;
  const answer = useEndpoint(
    listSenders,
    { query: { page_size: SHOWN, filter: { ...filter, ...(name ? { name } : {}) } } },
    { enabled, keepPrevious: true },
  );
  return { answer, settled: typed === text.trim() && !answer.isPlaceholderData };
}

export function SenderSelect(props: SenderSelectProps) {
  const {
    filter = {},
    standalone: alone = false,
    extraOptions: known = [],
    by = 'id',
    value,
    onChange,
    onOnly,
    empty: none,
    ...select
  } = props;
  const missing = useReason(listSenders.needs);
  const [shown, setShown] = useState('');
  // Whoever was found once keeps its label while something else is looked for: a changed one would write over what is being typed.
  const seen = useRef(new Map<string, ListedSender>());
  const optionOf = (sender: ListedSender): SenderOption => ({ value: sender[by], label: senderLabel(sender) });
  const chosen = value === null ? undefined : seen.current.get(value);
  // What stands in the field is looked for, but not the label of what is chosen.
  const labels = [...known, ...(chosen ? [optionOf(chosen)] : [])]
    .filter((one) => one.value === value)
    .map(({ label }) => label);
  const text = labels.includes(shown) ? '' : shown;
  const { answer, settled } = useSenderSearch(filter, text, missing === null);
  const found = (answer.data?.data ?? []).filter(({ id, pool_id }) => !alone || pool_id === null || pool_id === id);
  for (const sender of found) seen.current.set(sender[by], sender);
  const kept = value === null ? undefined : seen.current.get(value);
  const options = new Map(
    [...known, ...(kept ? [optionOf(kept)] : []), ...found.map(optionOf)].map((one) => [one.value, one]),
  );
  const foundValues = new Set(found.map((one) => one[by]));
  const all = text.trim() === '' && settled ? answer.data : undefined;
  const only = all?.pagination.total === 1 && known.length === 0 && value === null ? found[0] : undefined;

  const told = useRef(false);
  useEffect(() => {
    if (!only || !onOnly || told.current) return;
    told.current = true;
    onOnly(only);
  });
  if (none && all && found.length === 0 && known.length === 0 && value === null) return none;
  return (
    <SearchSelect
      {...select}
      disabled={select.disabled || missing !== null}
      description={missing ?? select.description}
      data={[...options.values()]}
      value={value}
      onSearchChange={setShown}
      filter={({ options: given, search }) =>
        given.filter(
          (one) =>
            'value' in one &&
            (search.trim() === '' ||
              labels.includes(search) ||
              (settled && foundValues.has(one.value)) ||
              one.label.toLowerCase().includes(search.trim().toLowerCase())),
        )
      }
      nothingFoundMessage={settled ? 'No such sender' : 'Looking for it'}
      onChange={(next) => onChange(next, (next !== null && seen.current.get(next)) || null)}
    />
  );
}
