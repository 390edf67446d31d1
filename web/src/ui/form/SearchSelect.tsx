/**
 * A searchable select. Options that begin with the text come first, and Enter, Tab, or a click elsewhere selects the
 * highlighted option, so typed text never reverts to the previous value. Enter never submits the form while the user is
 * typing.
 */
import { type ComboboxItem, type OptionsFilter, Select, type SelectProps } from '@mantine/core';
import { useRef } from 'react';
import { useDrawnWhenReached } from './reached.ts';

export function SearchSelect({
  filter = rankOptions,
  onFocusCapture,
  onInput,
  onKeyDown,
  onBlurCapture,
  onDropdownOpen,
  onDropdownClose,
  ...props
}: SelectProps) {
  const typed = useRef(false);
  const drawn = useDrawnWhenReached({ filter, onFocusCapture, onDropdownOpen });
  return (
    <Select
      allowDeselect={false}
      {...props}
      {...drawn}
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
        // After the list opens, it takes a moment to highlight an option.
        setTimeout(() => selectHighlighted(field));
      }}
      onBlurCapture={(event) => {
        if (typed.current) selectHighlighted(event.currentTarget);
        onBlurCapture?.(event);
      }}
      onDropdownClose={() => {
        typed.current = false;
        onDropdownClose?.();
      }}
    />
  );
}

/**
 * Selects the highlighted option, or the only option if none is highlighted, as in results from the server. Does
 * nothing once the list is closed.
 */
function selectHighlighted(field: HTMLElement): void {
  const list = document.getElementById(field.getAttribute('aria-controls') ?? '');
  const options = [...(list?.querySelectorAll<HTMLElement>('[role=option]') ?? [])];
  const highlighted = options.find((option) => option.hasAttribute('data-combobox-selected'));
  (highlighted ?? (options.length === 1 ? options[0] : undefined))?.click();
}

/** Mantine's filter, with the options ordered by how well they match the text. */
export const rankOptions: OptionsFilter = ({ options, search, limit }) => {
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
/**
 * 0: the whole two-letter code matches. 1: the label begins with the text. 2: a word in the label begins with it. 3:
 * the label contains the text.
 */
function rank({ value, label }: ComboboxItem, text: string): number {
  const words = fold(label);
  if (text.length === 2 && value.toLowerCase() === text) return 0;
  if (words.startsWith(text)) return 1;
  if (words.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(text))) return 2;
  return words.includes(text) ? 3 : NO_MATCH;
}

/** Removes case and diacritics, so that "aland" finds "Åland". */
const fold = (text: string): string => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
