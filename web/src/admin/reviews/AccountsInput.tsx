/** Chooses accounts by searching for their companies. */
import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { listCustomers } from '@parley/contract/admin/customers.ts';
import { useRef, useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';

interface AccountsInputProps extends Omit<MultiSelectProps, 'data'> {
  /** The names of the accounts that are chosen at first. */
  known: readonly { id: string; company_name: string }[];
}

export function AccountsInput({ known, ...input }: AccountsInputProps) {
  const [search, setSearch] = useState('');
  const filter = search.trim() === '' ? {} : { filter: { search: search.trim() } };
  const enabled = useReason(listCustomers.needs) === null;
  const found = useEndpoint(listCustomers, { query: { page_size: 20, ...filter } }, { enabled }).data?.data ?? [];
  const names = useRef(new Map(known.map(({ id, company_name }) => [id, company_name])));
  for (const { id, company_name } of found) names.current.set(id, company_name);
  return (
    <MultiSelect
      {...input}
      data={[...names.current].map(([value, label]) => ({ value, label }))}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage="No accounts match this search"
      maxValues={200}
    />
  );
}
