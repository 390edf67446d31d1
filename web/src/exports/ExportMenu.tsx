/** The button in a list's filter bar that exports the list with its filters, sort order, and columns. */
import { Button } from '@mantine/core';
import type { ExportList } from '@parley/contract/exports/lists.ts';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { List } from '../kernel/list/list.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { usePreload } from '../ui/feedback/usePreload.ts';
import { ActionMenu } from '../ui/layout/ActionMenu.tsx';

const loadItems = () => import('./ExportItems.tsx');
const ExportItems = lazyPart(loadItems) as unknown as typeof import('./ExportItems.tsx').default;

export interface ExportMenuProps<T> {
  /** The list to export. */
  name: ExportList;
  list: Pick<List<T>, 'sentFilter' | 'sort'>;
  /** The `id` and `columns` of the table. Without columns, the file has all of them. */
  table: string;
  columns: readonly Column<T>[];
  /** The parameters in the path of the list's endpoint. */
  params?: Record<string, string>;
  /** Shows only the icon. */
  isBrief?: boolean;
}

export function ExportMenu<T>(props: ExportMenuProps<T>) {
  const [isSending, setSending] = useState(false);
  usePreload(loadItems);
  return (
    <ActionMenu
      target={(target) => (
        <Button
          {...target}
          variant="default"
          size="sm"
          {...(props.isBrief ? { px: 9 } : { leftSection: <IconDownload size={15} aria-hidden /> })}
          loading={isSending}
          aria-label={isSending ? 'Export, starting' : props.isBrief ? 'Export' : undefined}
        >
          {props.isBrief ? <IconDownload size={15} aria-hidden /> : 'Export'}
        </Button>
      )}
    >
      <ExportItems {...props} onSending={setSending} />
    </ActionMenu>
  );
}
