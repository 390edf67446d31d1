/**
 * A list one types in: what begins with the text comes first and is the one that Enter, Tab and a click elsewhere take. What was typed is never
 * thrown away in favour of the value before, and Enter in it never sends the form around it.
 */
import { type ComboboxItem, type OptionsFilter, Select, type SelectProps } from '@mantine/core';
import { useRef } from 'react';

export function SearchSelect({ onInput, onKeyDown, onBlurCapture, onDropdownClose, ...props }: SelectProps) {
  const typed = useRef(false);
  return (
    <Select
      allowDeselect={false}
      filter={bestFirst}
      {...props}
      searchable
      selectFirstOptionOnChange
      onInput={(event) => {
        typed.current = event.currentTarget.value.trim() !== '';
        onInput?.(event);
      }}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (event.key !== 'Enter' || !typed.current) return;
        event.preventDefault();
        const field = event.currentTarget;
        // Just opened, the list does not know yet which one is highlighted.
        setTimeout(() => takeHighlighted(field));
      }}
      onBlurCapture={(event) => {
        if (typed.current) takeHighlighted(event.currentTarget);
        onBlurCapture?.(event);
      }}
      onDropdownClose={() => {
        typed.current = false;
        onDropdownClose?.();
      }}
    />
  );
}

/** Nothing once the list is closed. */
function takeHighlighted(field: HTMLElement): void {
  const list = document.getElementById(field.getAttribute('aria-controls') ?? '');
  list?.querySelector<HTMLElement>('[data-combobox-selected]')?.click();
}

export const bestFirst: OptionsFilter = ({ options, search, limit }) => {
  const text = fold(search.trim());
  if (text === '') return options.slice(0, limit);
  const sorted = (items: readonly ComboboxItem[]) =>
    items
      .map((item) => ({ item, rank: rank(item, text) }))
      .filter(({ rank }) => rank < NO_MATCH)
      .sort((a, b) => a.rank - b.rank)
      .map(({ item }) => item);
  const groups = options
    .filter((one) => 'group' in one)
    .map((one) => ({ ...one, items: sorted(one.items) }))
    .filter(({ items }) => items.length > 0);
  return [...sorted(options.filter((one): one is ComboboxItem => !('group' in one))), ...groups].slice(0, limit);
};

const NO_MATCH = 4;
/** A code of two letters typed in full, then what begins with the text, then a word of it that does, then the rest. */
function rank({ value, label }: ComboboxItem, text: string): number {
  const words = fold(label);
  if (text.length === 2 && value.toLowerCase() === text) return 0;
  if (words.startsWith(text)) return 1;
  if (words.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(text))) return 2;
  return words.includes(text) ? 3 : NO_MATCH;
}

/** "Åland" is found by "aland". */
const fold = (text: string): string => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
