import type { SelectProps } from '@mantine/core';
import { useMemo } from 'react';
import styles from './CountrySelect.module.css';
import { SearchSelect } from './SearchSelect.tsx';
import { zoneOptions } from './zones.ts';

/**
 * A select for all time zones, from west to east. `current` is always an option, even if it is an old zone name. It is
 * empty if no zone is known.
 */
export function ZoneSelect({ current, ...props }: Omit<SelectProps, 'data'> & { current: string }) {
  const data = useMemo(() => zoneOptions(current), [current]);
  return (
    <SearchSelect
      data={data}
      withScrollArea={false}
      classNames={{ options: styles.options }}
      nothingFoundMessage="No time zone found"
      {...props}
    />
  );
}
