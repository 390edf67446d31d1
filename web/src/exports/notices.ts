/**
 * A toast with a download link and a notification in the bell when an export of this user has ended, and a notification
 * when an export destination was disabled.
 */
import { exportDestinationChanged } from '@parley/contract/exports/destination_events.ts';
import { type Export, exportProgressed } from '@parley/contract/exports/exports.ts';
import { onLive } from '../kernel/live/live.ts';
import { addNotice } from '../kernel/notices.ts';
import { EXPORTS } from '../paths.ts';
import { formatCount } from '../ui/data/format.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { downloadExport } from './download.ts';

const TOAST_MS = 15_000;

export const collectExportNotices = (user_id: string): (() => void) =>
  onLive(exportProgressed, ({ is_deleted, ...row }) => {
    if (is_deleted || row.user_id !== user_id) return;
    if (row.status === 'COMPLETED') announceReady(row);
    else if (row.error_message !== null) announceFailure(row);
  });

export const collectDestinationNotices = (): (() => void) =>
  onLive(exportDestinationChanged, ({ id, name, status, error_message }) => {
    if (status !== 'disabled') return;
    const title = `Exports are no longer uploaded to ${name}`;
    addNotice({ id: `export_destination.${id}`, title, text: error_message ?? '', tone: 'fail', path: EXPORTS });
  });

function announceReady(row: Export): void {
  const { id, filename, rows_count } = row;
  const text = `Export ready: ${formatCount(rows_count, 'row')}`;
  addNotice({ id: `export.${id}`, title: filename, text, tone: 'ok', path: EXPORTS });
  // The other tabs of the user show only the notification.
  if (document.visibilityState !== 'visible') return;
  const action = { label: 'Download', run: () => void downloadExport(row) };
  toast.success(`${filename} is ready: ${formatCount(rows_count, 'row')}`, {
    id: `export.${id}`,
    autoClose: TOAST_MS,
    action,
  });
}

function announceFailure({ id, filename, error_message }: Export): void {
  const text = `Export failed: ${error_message}`;
  addNotice({ id: `export.${id}`, title: filename, text, tone: 'fail', path: EXPORTS });
  if (document.visibilityState === 'visible') toast.error(`${filename}: ${error_message}`, { id: `export.${id}` });
}
