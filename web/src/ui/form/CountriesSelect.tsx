import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { useMemo } from 'react';
import styles from './CountrySelect.module.css';
import { countryOptions } from './countries.ts';
import { useDrawnWhenReached } from './reached.ts';
import { rankOptions } from './SearchSelect.tsx';

/** A select for several countries, searchable by name or code. `data` leaves some of them out. */
export function CountriesSelect({ data, onFocusCapture, onDropdownOpen, ...props }: MultiSelectProps) {
  const all = useMemo(countryOptions, []);
  const drawn = useDrawnWhenReached({ filter: rankOptions, onFocusCapture, onDropdownOpen });
  return (
    <MultiSelect
      data={data ?? all}
      searchable
      // As in CountrySelect.
      withScrollArea={false}
      classNames={{ options: styles.options }}
      nothingFoundMessage="No countries found"
      {...props}
      {...drawn}
    />
  );
}
