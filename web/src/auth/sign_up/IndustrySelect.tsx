import type { SelectProps } from '@mantine/core';
import { INDUSTRIES } from '@parley/contract/accounts/industries.ts';
import { SearchSelect } from '../../ui/form/SearchSelect.tsx';

const INDUSTRY_OPTIONS = Object.entries(INDUSTRIES)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => a.label.localeCompare(b.label));

/** A select for industries. Its list has a fixed height and scrolls. */
export const IndustrySelect = (props: SelectProps) => (
  <SearchSelect
    data={INDUSTRY_OPTIONS}
    withScrollArea={false}
    styles={{ options: { maxHeight: 260, overflowY: 'auto' } }}
    {...props}
  />
);
