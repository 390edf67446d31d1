import type { SelectProps } from '@mantine/core';
import { useMemo } from 'react';
import styles from './CountrySelect.module.css';
import { countryOptions } from './countries.ts';
import { SearchSelect } from './SearchSelect.tsx';

/** All countries by name or code. The list scrolls by itself: Mantine's own scroll area measures all of its 250 rows first. */
export function CountrySelect(props: Omit<SelectProps, 'data'>) {
  const data = useMemo(countryOptions, []);
  return (
    <SearchSelect
      data={data}
      withScrollArea={false}
      classNames={{ options: styles.options }}
      nothingFoundMessage="No country of this name"
      {...props}
    />
  );
}
