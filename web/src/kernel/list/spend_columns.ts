import { seesSpend } from '@parley/contract/spend.ts';
import { useMemo } from 'react';
import type { Column } from '../../ui/data/table/columns.ts';
import { useSession } from '../session/session.tsx';

/** The columns of a list. Omits amounts for users without permission to see them. */
export function useSpendColumns<T, S extends string>(columns: readonly Column<T, S>[], spend: string) {
  const { permissions } = useSession();
  const isShown = seesSpend(permissions);
  return useMemo(() => (isShown ? columns : columns.filter(({ key }) => key !== spend)), [columns, spend, isShown]);
}
