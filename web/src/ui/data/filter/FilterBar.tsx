/**
 * Search, facets, and date range for a list. A chip shows the value it filters by and has its own button to clear it.
 * The bar does not depend on the URL; it receives values and reports changes.
 */
import { Button, CloseButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { SearchInput } from '../../controls/SearchInput.tsx';
import { DateRangeChip } from './DateRangeChip.tsx';
import type { DateRange } from './date_range.ts';
import { FacetChip, type FacetOption } from './FacetChip.tsx';
import styles from './FilterBar.module.css';

export interface Facet {
  key: string;
  label: string;
  options: readonly FacetOption[];
  /** Allows at most one value. */
  single?: boolean;
  /** Searches for more options if there are too many to list. */
  onSearch?: (text: string) => void;
}

/** On phones, more chips than these are behind a button. */
const FOLDED_FROM = 3;

interface FilterBarProps {
  search?: { value: string; placeholder: string; onChange: (text: string) => void; debounce_ms?: number };
  searchRef?: Ref<HTMLInputElement>;
  facets?: readonly Facet[];
  values?: Readonly<Record<string, readonly string[]>>;
  onFacet?: (key: string, values: string[]) => void;
  dates?: { label: string; value: DateRange; onChange: (range: DateRange) => void };
  /** Clears all filters; the button appears while at least one filter is set. */
  onClear?: () => void;
  /** Shown at the right end of the bar, such as an export button. */
  children?: ReactNode;
}

export function FilterBar(props: FilterBarProps) {
  const { search, searchRef, facets = [], values = {}, onFacet, dates, onClear, children } = props;
  const isFiltered =
    (search?.value ?? '') !== '' ||
    Object.values(values).some((list) => list.length > 0) ||
    (dates !== undefined && (dates.value.from !== null || dates.value.to !== null));
  const [isOpen, setOpen] = useState(false);
  const chips = facets.length + (dates ? 1 : 0);
  const set =
    facets.filter(({ key }) => (values[key]?.length ?? 0) > 0).length + (dates?.value.from || dates?.value.to ? 1 : 0);
  return (
    <search
      className={styles.root}
      aria-label="Filter"
      // Many chips would fill the screen of a phone.
      data-folded={(chips > FOLDED_FROM && !isOpen) || undefined}
    >
      {search && <SearchField {...search} inputRef={searchRef} />}
      {chips > FOLDED_FROM && (
        <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Filters
          {set > 0 && <span className={styles.chipValue}>{set}</span>}
          <IconChevronDown size={14} aria-hidden />
        </button>
      )}
      {facets.map((facet) => (
        <FacetChip
          key={facet.key}
          label={facet.label}
          options={facet.options}
          single={facet.single ?? false}
          {...(facet.onSearch ? { onSearch: facet.onSearch } : {})}
          value={values[facet.key] ?? []}
          onChange={(next) => onFacet?.(facet.key, next)}
        />
      ))}
      {dates && <DateRangeChip {...dates} />}
      {isFiltered && onClear && (
        <Button variant="subtle" size="xs" onClick={onClear}>
          Clear
        </Button>
      )}
      {children && <span className={styles.end}>{children}</span>}
    </search>
  );
}

type SearchFieldProps = NonNullable<FilterBarProps['search']> & { inputRef: Ref<HTMLInputElement> | undefined };

function SearchField({ value, placeholder, onChange, debounce_ms = 250, inputRef }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  // A live event that rerenders the page must not restart the timer.
  const change = useRef(onChange);
  change.current = onChange;
  // An external change (Clear, the back button) replaces the text in the field.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      change.current(text);
    }, debounce_ms);
    return () => clearTimeout(timer);
  }, [text, debounce_ms]);
  const submit = (next: string) => {
    sent.current = next;
    setText(next);
    onChange(next);
  };
  return (
    <SearchInput
      {...(inputRef ? { ref: inputRef } : {})}
      className={styles.search}
      aria-label={placeholder}
      placeholder={placeholder}
      value={text}
      end={text ? <CloseButton size={24} aria-label="Clear search" onClick={() => submit('')} /> : null}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') submit(text);
        if (event.key === 'Escape' && text) {
          event.stopPropagation();
          submit('');
        }
      }}
    />
  );
}
