/** An action of a list for the selected rows, or for all rows on all pages, that runs as a bulk job. */
import { type BulkActionName, createBulkJob } from '@parley/contract/bulk/bulk.ts';
import { call } from '../kernel/http/client.ts';
import { queryClient, toastError } from '../kernel/http/query.ts';
import { formatCount, formatNumber } from '../ui/data/format.ts';
import type { AllSelected, BulkAction } from '../ui/data/table/columns.ts';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { watchJob } from './watched.ts';
import { BULK_WORDS } from './words.ts';

interface BulkOptions<T> {
  name: BulkActionName;
  /** The parameters in the path of the list. */
  params?: Record<string, string>;
  label: string;
  icon: NonNullable<BulkAction<unknown>['icon']>;
  danger?: boolean;
  /** Why the action is disabled; null enables it. */
  reason: string | null;
  /** The action for a single row, with its own question or Undo. */
  onOne: (row: T) => void;
  /** The question before the action; `rows` is "12 contacts" or "all contacts, more than 10,000". */
  question: (rows: string) => { title: string; consequence: string; action: string };
}

/** The selected rows, or all rows of the list. */
export type BulkChoice = { ids: string[] } | AllSelected;

/** "all contacts, more than 10,000" */
export const allRowsText = ({ isMore, total }: AllSelected, noun: string): string =>
  isMore ? `all ${noun}s, more than ${formatNumber(total)}` : formatCount(total, noun);

/** Starts the job and shows its progress. Returns false if the server refused it. */
export async function startBulkJob(
  name: BulkActionName,
  params: Record<string, string> | undefined,
  chosen: BulkChoice,
): Promise<boolean> {
  const selection =
    'ids' in chosen
      ? chosen
      : { filter: chosen.filter as Record<string, string | string[]>, selection_age: Date.now() - chosen.at };
  try {
    const { data } = await call(createBulkJob, {
      body: { action: name, ...(params ? { params } : {}), ...selection },
    });
    watchJob(data.id);
    void queryClient.invalidateQueries({ queryKey: ['bulk_jobs'] });
    return true;
  } catch (error) {
    toastError(error);
    return false;
  }
}

export function bulkAction<T extends { id: string }>(options: BulkOptions<T>): BulkAction<T> {
  const { name, params, label, icon, danger = false, reason, onOne, question } = options;
  const { noun } = BULK_WORDS[name];
  const start = async (rows: string, chosen: BulkChoice, clear: () => void) => {
    if (!(await confirm({ ...question(rows), danger: true }))) return;
    if (await startBulkJob(name, params, chosen)) clear();
  };
  return {
    key: name,
    label,
    icon,
    danger,
    reason: () => reason,
    onSelect: (rows, clear) => {
      if (rows.length !== 1)
        return void start(formatCount(rows.length, noun), { ids: rows.map(({ id }) => id) }, clear);
      onOne(rows[0]!);
      clear();
    },
    onSelectAll: (all, clear) => {
      void start(allRowsText(all, noun), all, clear);
    },
  };
}
