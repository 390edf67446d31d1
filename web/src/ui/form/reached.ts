/**
 * The options of a long list are drawn when the user reaches the field. Hundreds of hidden options would slow down each
 * change of a page.
 */
import type { OptionsFilter } from '@mantine/core';
import { type FocusEventHandler, useState } from 'react';

interface ListProps {
  filter: OptionsFilter;
  onFocusCapture?: FocusEventHandler<HTMLInputElement> | undefined;
  onDropdownOpen?: (() => void) | undefined;
}

/** Returns the properties of the field. */
export function useDrawnWhenReached({ filter, onFocusCapture, onDropdownOpen }: ListProps) {
  const [isReached, setReached] = useState(false);
  return {
    filter: isReached ? filter : drawOne,
    onFocusCapture: ((event) => {
      setReached(true);
      onFocusCapture?.(event);
    }) satisfies FocusEventHandler<HTMLInputElement>,
    onDropdownOpen: () => {
      setReached(true);
      onDropdownOpen?.();
    },
  };
}

/** Not an empty list, which would mean that nothing was found. */
const drawOne: OptionsFilter = ({ options }) => options.slice(0, 1);
