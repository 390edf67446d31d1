/** The button in a list's filter bar that exports what the list shows: its filters, sort order, and columns. */
import { Button } from '@mantine/core';
import type { ExportFormat } from '@parley/contract/exports/exports.ts';
import type { ExportList } from '@parley/contract/exports/lists.ts';
import {
  IconBraces,
  IconClock,
  IconDownload,
  IconFileSpreadsheet,
  IconFileTypeCsv,
  IconHistory,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../kernel/http/client.ts';
import { queryClient, toastError } from '../kernel/http/query.ts';
import type { List } from '../kernel/list/list.tsx';
import { EXPORTS } from '../paths.ts';
import { useColumnChoice } from '../ui/data/table/column_choice.ts';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { useZone } from '../ui/data/zone.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { ActionGroup, ActionItem, ActionMenu, ActionSeparator } from '../ui/layout/ActionMenu.tsx';

/** Set if the user wants times in UTC instead of the account's time zone. */
const UTC_KEY = 'parley.export_utc';

interface ExportMenuProps<T> {
  /** What is exported. */
  name: ExportList;
  list: List<T>;
  /** The `id` and `columns` of the table. */
  table: string;
  columns: readonly Column<T>[];
  /** The parameters in the path of the list's endpoint. */
  params?: Record<string, string>;
}

export function ExportMenu<T>({ name, list, table, columns, params }: ExportMenuProps<T>) {
  const navigate = useNavigate();
  const { shown } = useColumnChoice(table, columns);
  const [isStarting, setStarting] = useState(false);
  const zone = useZone();
  const [isUtc, setUtc] = useState(() => localStorage.getItem(UTC_KEY) !== null);
  const chooseUtc = (next: boolean) => {
    if (next) localStorage.setItem(UTC_KEY, '1');
    else localStorage.removeItem(UTC_KEY);
    setUtc(next);
  };
  const start = async (format: ExportFormat) => {
    setStarting(true);
    try {
      const { createExport } = await import('@parley/contract/exports/exports.ts');
      const body = {
        list: name,
        format,
        filter: list.sentFilter as Record<string, string | string[]>,
        columns: shown.map(({ key }) => key),
        ...(params ? { params } : {}),
        ...(list.sort === null ? {} : { sort: list.sort }),
        time_zone: isUtc ? 'UTC' : zone,
      };
      await call(createExport, { body });
      void queryClient.invalidateQueries({ queryKey: ['exports'] });
      toast.success('Export started. You are notified when the file is ready.', {
        action: { label: 'View exports', run: () => void navigate({ to: EXPORTS }) },
      });
    } catch (error) {
      toastError(error);
    }
    setStarting(false);
  };
  return (
    <ActionMenu
      target={(target) => (
        <Button
          {...target}
          variant="default"
          size="sm"
          leftSection={<IconDownload size={15} aria-hidden />}
          loading={isStarting}
          aria-label={isStarting ? 'Export, starting' : undefined}
        >
          Export
        </Button>
      )}
    >
      <ActionGroup label="Rows and columns as shown">
        <ActionItem icon={<IconFileTypeCsv size={15} stroke={1.8} aria-hidden />} onClick={() => void start('csv')}>
          CSV file
        </ActionItem>
        <ActionItem
          icon={<IconFileSpreadsheet size={15} stroke={1.8} aria-hidden />}
          onClick={() => void start('xlsx')}
        >
          Excel file (XLSX)
        </ActionItem>
        <ActionItem icon={<IconBraces size={15} stroke={1.8} aria-hidden />} onClick={() => void start('jsonl')}>
          JSON Lines file
        </ActionItem>
      </ActionGroup>
      {zone !== 'UTC' && <ZoneChoice zone={zone} isUtc={isUtc} onChoose={chooseUtc} />}
      <ActionSeparator />
      <ActionItem icon={<IconHistory size={15} stroke={1.8} aria-hidden />} link={{ to: EXPORTS }}>
        View exports
      </ActionItem>
    </ActionMenu>
  );
}

interface ZoneChoiceProps {
  zone: string;
  isUtc: boolean;
  onChoose: (isUtc: boolean) => void;
}

/** The time zone of the times in the file: the account's, or UTC. */
function ZoneChoice({ zone, isUtc, onChoose }: ZoneChoiceProps) {
  return (
    <ActionGroup label="Times in the file">
      {[false, true].map((utc) => (
        <ActionItem
          key={String(utc)}
          icon={<IconClock size={15} stroke={1.8} aria-hidden />}
          onClick={() => onChoose(utc)}
        >
          {utc ? 'UTC' : zone}
          {utc === isUtc && ' (selected)'}
        </ActionItem>
      ))}
    </ActionGroup>
  );
}
