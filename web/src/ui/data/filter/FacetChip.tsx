import { Checkbox, Popover, Radio, TextInput } from '@mantine/core';
import { IconChevronDown, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import styles from './FilterBar.module.css';

export interface FacetOption {
  value: string;
  label: string;
}

export interface FacetChipProps {
  label: string;
  options: readonly FacetOption[];
  value: readonly string[];
  onChange: (value: string[]) => void;
  single?: boolean;
  /** Where the options are too many to have all: looks for others. */
  onFind?: (text: string) => void;
}

const FIND_FROM = 9;

/** "Status" when it filters nothing; "Status: Delivered, Failed" or "Status: 4" when it does. */
export function FacetChip({ label, options, value, onChange, single = false, onFind }: FacetChipProps) {
  const [open, setOpen] = useState(false);
  const [find, setFind] = useState('');
  const names = options.filter((option) => value.includes(option.value)).map((option) => option.label);
  const shown =
    names.length === 0 ? String(value.length) : names.length > 2 ? `${names.length} chosen` : names.join(', ');
  const text = find.trim().toLowerCase();
  // What was looked for elsewhere may be found by more than its label.
  const found = onFind ? options : options.filter((option) => option.label.toLowerCase().includes(text));

  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" trapFocus withRoles>
      <span className={styles.chip} data-on={value.length > 0 || undefined}>
        <Popover.Target>
          <button type="button" className={styles.chipButton} onClick={() => setOpen(!open)}>
            {label}
            {value.length > 0 && <b className={styles.chipValue}>{shown}</b>}
            {value.length === 0 && <IconChevronDown size={14} aria-hidden />}
          </button>
        </Popover.Target>
        {value.length > 0 && (
          <button
            type="button"
            className={styles.chipClear}
            aria-label={`Clear ${label}`}
            onClick={() => {
              setOpen(false);
              onChange([]);
            }}
          >
            <IconX size={13} aria-hidden />
          </button>
        )}
      </span>
      <Popover.Dropdown className={styles.dropdown} aria-label={label}>
        {(onFind || options.length >= FIND_FROM) && (
          <TextInput
            size="xs"
            className={styles.find}
            aria-label={`Find in ${label}`}
            placeholder="Find"
            value={find}
            onChange={(event) => {
              setFind(event.currentTarget.value);
              onFind?.(event.currentTarget.value);
            }}
            data-autofocus
          />
        )}
        <div className={styles.options}>
          {found.map((option) =>
            single ? (
              <Radio
                key={option.value}
                size="xs"
                label={option.label}
                checked={value.includes(option.value)}
                onChange={() => {
                  onChange([option.value]);
                  setOpen(false);
                }}
              />
            ) : (
              <Checkbox
                key={option.value}
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
          {found.length === 0 && <span className={styles.none}>Nothing by this name</span>}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
