import type { SelectProps } from '@mantine/core';
import { useMemo } from 'react';
import styles from './CountrySelect.module.css';
import { countryOptions } from './countries.ts';
import { SearchSelect } from './SearchSelect.tsx';

/**
 * A select for all countries, searchable by name or code. The list scrolls natively, because Mantine's scroll area
 * would first measure all 250 rows.
 */
export function CountrySelect(props: Omit<SelectProps, 'data'>) {
  const data = useMemo(countryOptions, []);
  return (
    <SearchSelect
      data={data}
      withScrollArea={false}
      classNames={{ options: styles.options }}
      nothingFoundMessage="No countries found"
      {...props}
    />
  );
}
