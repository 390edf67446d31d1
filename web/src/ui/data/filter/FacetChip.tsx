import { IconChevronDown, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { SearchInput } from '../../controls/SearchInput.tsx';
import { Tick } from '../../controls/Tick.tsx';
import { Popup } from '../../layout/Popup.tsx';
import styles from './FilterBar.module.css';

export interface FacetOption {
  value: string;
  label: string;
  /** True for a part of the option above it. */
  nested?: boolean;
}

interface FacetChipProps {
  label: string;
  options: readonly FacetOption[];
  value: readonly string[];
  onChange: (value: string[]) => void;
  single?: boolean;
  /** Searches for more options if there are too many to list. */
  onSearch?: (text: string) => void;
}

/** The list has a search field if there are at least this many options. */
const SEARCH_FROM = 9;

/** "Status" when no filter is set; otherwise "Status: Delivered, Failed" or "Status: 4 selected". */
export function FacetChip(props: FacetChipProps) {
  const { label, options, value, onChange } = props;
  const isOn = value.length > 0;
  return (
    <Popup
      label={label}
      align="start"
      takesFocus
      className={styles.dropdown}
      target={(target) => (
        <span className={styles.chip} data-on={isOn || undefined}>
          <button {...target} className={styles.chipButton}>
            {label}
            {isOn ? (
              <b className={styles.chipValue}>{summarize(options, value)}</b>
            ) : (
              <IconChevronDown size={14} aria-hidden />
            )}
          </button>
          {isOn && (
            <button
              type="button"
              className={styles.chipClear}
              aria-label={`Clear ${label}`}
              onClick={() => onChange([])}
            >
              <IconX size={13} aria-hidden />
            </button>
          )}
        </span>
      )}
    >
      {(close) => <Options {...props} onClose={close} />}
    </Popup>
  );
}

function summarize(options: readonly FacetOption[], value: readonly string[]): string {
  const names = options.filter((option) => value.includes(option.value)).map((option) => option.label);
  if (names.length === 0) return String(value.length);
  return names.length > 2 ? `${names.length} selected` : names.join(', ');
}

function Options({
  label,
  options,
  value,
  onChange,
  single = false,
  onSearch,
  onClose,
}: FacetChipProps & { onClose: () => void }) {
  const [query, setQuery] = useState('');
  const text = query.trim().toLowerCase();
  // The server may match an option by text other than its label.
  const matches = onSearch ? options : options.filter((option) => option.label.toLowerCase().includes(text));
  return (
    <>
      {(onSearch || options.length >= SEARCH_FROM) && (
        <SearchInput
          small
          className={styles.find}
          aria-label={`Search ${label}`}
          placeholder="Search"
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            onSearch?.(event.currentTarget.value);
          }}
          data-autofocus
        />
      )}
      <div className={styles.options}>
        {matches.map((option) =>
          single ? (
            <label key={option.value} className={styles.radio}>
              <input
                type="radio"
                checked={value.includes(option.value)}
                onChange={() => {
                  onChange([option.value]);
                  onClose();
                }}
              />
              {option.label}
            </label>
          ) : (
            <Tick
              key={option.value}
              nested={option.nested}
              label={option.label}
              checked={value.includes(option.value)}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked
                    ? [...value, option.value]
                    : value.filter((other) => other !== option.value),
                )
              }
            />
          ),
        )}
        {matches.length === 0 && <span className={styles.none}>No matches</span>}
      </div>
    </>
  );
}
