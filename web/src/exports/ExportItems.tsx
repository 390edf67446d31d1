/** The items of the export menu: files of the list's rows, by download, by email, and to export destinations. */
import { type ExportDestination, listExportDestinations } from '@parley/contract/exports/destinations.ts';
import type { ExportFormat } from '@parley/contract/exports/exports.ts';
import type { ExportSchedule } from '@parley/contract/exports/schedules.ts';
import {
  IconBraces,
  IconClock,
  IconDatabase,
  IconFileSpreadsheet,
  IconFileTypeCsv,
  IconHistory,
  IconMail,
  IconServer,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../kernel/http/client.ts';
import { queryClient, toastError, useEndpoint } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { EXPORTS } from '../paths.ts';
import { useColumnChoice } from '../ui/data/table/column_choice.ts';
import { useZone } from '../ui/data/zone.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { ActionGroup, ActionItem, ActionSeparator } from '../ui/layout/ActionMenu.tsx';
import type { ExportMenuProps } from './ExportMenu.tsx';

/** Set if the user wants times in UTC instead of the account's time zone. */
const UTC_KEY = 'parley.export_utc';

interface ExportItemsProps<T> extends ExportMenuProps<T> {
  /** Called before and after a request. */
  onSending: (isSending: boolean) => void;
}

/** Starts and schedules exports of the list's rows. */
function useExportCalls<T>(props: ExportItemsProps<T>, time_zone: string) {
  const { name, list, table, columns, params, onSending } = props;
  const navigate = useNavigate();
  const { shown } = useColumnChoice(table, columns);
  const selection = () => ({
    list: name,
    filter: list.sentFilter as Record<string, string | string[]>,
    ...(columns.length > 0 ? { columns: shown.map(({ key }) => key) } : {}),
    ...(params ? { params } : {}),
    ...(list.sort === null ? {} : { sort: list.sort }),
    time_zone,
  });
  const send = async (request: () => Promise<string>) => {
    onSending(true);
    try {
      const action = { label: 'View exports', run: () => void navigate({ to: EXPORTS }) };
      toast.success(await request(), { action });
    } catch (error) {
      toastError(error);
    }
    onSending(false);
  };
  const start = (format: ExportFormat) =>
    send(async () => {
      const { createExport } = await import('@parley/contract/exports/exports.ts');
      await call(createExport, { body: { ...selection(), format } });
      void queryClient.invalidateQueries({ queryKey: ['exports'] });
      return 'Export started. You will be notified when the file is ready.';
    });
  const schedule = (interval: ExportSchedule['interval'], destination?: ExportDestination) =>
    send(async () => {
      const { createExportSchedule } = await import('@parley/contract/exports/schedules.ts');
      const { data } = await call(createExportSchedule, {
        body: {
          ...{ ...selection(), interval, format: 'csv' as const },
          ...(destination ? { destination_id: destination.id } : {}),
        },
      });
      void queryClient.invalidateQueries({ queryKey: ['export_schedules'] });
      const when = interval === 'daily' ? 'every day' : 'every Monday';
      if (destination) return `Export scheduled. ${destination.name} will get a CSV file ${when}.`;
      return `Export scheduled. ${data.email} will get a link to a CSV file ${when}.`;
    });
  return { start, schedule };
}

export default function ExportItems<T>(props: ExportItemsProps<T>) {
  const zone = useZone();
  const [isUtc, setUtc] = useState(() => localStorage.getItem(UTC_KEY) !== null);
  const { start, schedule } = useExportCalls(props, isUtc ? 'UTC' : zone);
  const chooseUtc = (next: boolean) => {
    if (next) localStorage.setItem(UTC_KEY, '1');
    else localStorage.removeItem(UTC_KEY);
    setUtc(next);
  };
  return (
    <>
      <ActionGroup label={props.columns.length > 0 ? 'Rows and columns as shown' : 'Rows as shown'}>
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
        <ActionItem icon={<IconDatabase size={15} stroke={1.8} aria-hidden />} onClick={() => void start('parquet')}>
          Parquet file
        </ActionItem>
      </ActionGroup>
      {zone !== 'UTC' && <ZoneChoice zone={zone} isUtc={isUtc} onChoose={chooseUtc} />}
      <ActionGroup label="CSV file by email">
        <ActionItem icon={<IconMail size={15} stroke={1.8} aria-hidden />} onClick={() => void schedule('daily')}>
          Every day
        </ActionItem>
        <ActionItem icon={<IconMail size={15} stroke={1.8} aria-hidden />} onClick={() => void schedule('weekly')}>
          Every Monday
        </ActionItem>
      </ActionGroup>
      <ServerChoices onChoose={(interval, destination) => void schedule(interval, destination)} />
      <ActionSeparator />
      <ActionItem icon={<IconHistory size={15} stroke={1.8} aria-hidden />} link={{ to: EXPORTS }}>
        View exports
      </ActionItem>
    </>
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

interface ServerChoicesProps {
  onChoose: (interval: ExportSchedule['interval'], destination: ExportDestination) => void;
}

/** The export destinations of the account, for users who may view them. */
function ServerChoices({ onChoose }: ServerChoicesProps) {
  const isHidden = useReason(listExportDestinations) !== null;
  const rows = useEndpoint(listExportDestinations, {}, { enabled: !isHidden }).data?.data ?? [];
  return rows.map((row) => (
    <ActionGroup key={row.id} label={`CSV file to ${row.name}`}>
      {(['daily', 'weekly'] as const).map((interval) => (
        <ActionItem
          key={interval}
          icon={<IconServer size={15} stroke={1.8} aria-hidden />}
          onClick={() => onChoose(interval, row)}
        >
          {interval === 'daily' ? 'Every day' : 'Every Monday'}
        </ActionItem>
      ))}
    </ActionGroup>
  ));
}
