import type { SelectProps } from '@mantine/core';
import { useMemo } from 'react';
import styles from './CountrySelect.module.css';
import { countryOptions } from './countries.ts';
import { SearchSelect } from './SearchSelect.tsx';

/**
 * A select of all countries, searchable by name or code. The list scrolls natively: Mantine's scroll area would measure
 * all 250 rows first.
 */
export function CountrySelect(props: Omit<SelectProps, 'data'>) {
  const data = useMemo(countryOptions, []);
  return (
    <SearchSelect
      data={data}
      withScrollArea={false}
      classNames={{ options: styles.options }}
      nothingFoundMessage="No country found"
      {...props}
    />
  );
}
