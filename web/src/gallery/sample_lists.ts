/** Saved views, bulk jobs, and exports in all their states. */
import type { BulkJob } from '@parley/contract/bulk/bulk.ts';
import type { Export } from '@parley/contract/exports/exports.ts';
import type { View } from '@parley/contract/views/views.ts';
import type { SavedViews } from '../kernel/list/views/saved_views.ts';

const DATE = '2026-11-21 09:05:12';
const sampleId = (name: string): string => `6f0c-91b4-${name}`;
const STATE = { filters: {}, sort: null, columns: { shown: {}, order: [] } };

const view = (name: string, rest: Partial<View> = {}): View => ({
  id: sampleId(name),
  list: 'campaigns',
  name,
  shared: false,
  is_own: true,
  user_name: 'Anna Berg',
  state: STATE,
  create_date: DATE,
  update_date: DATE,
  ...rest,
});

export const VIEWS: readonly View[] = [
  view('Failed this week'),
  view('Large campaigns', { shared: true }),
  view('Winter in the north', { shared: true, is_own: false, user_name: 'Marcus Lind' }),
];

export const savedViews = (active: View | undefined, isModified = false): SavedViews => ({
  list: 'campaigns',
  table: 'gallery',
  columns: undefined,
  active,
  isModified,
  defaultId: VIEWS[0]!.id,
  setDefault: () => {},
  current: STATE,
  open: () => {},
  leave: () => {},
  follow: () => {},
});

const job = (status: BulkJob['status'], rest: Partial<BulkJob> = {}): BulkJob => ({
  id: sampleId(`${status}-${rest.refused_count ?? 0}`),
  account_id: '',
  action: 'remove_contacts',
  params: {},
  status,
  total_rows: 1_204,
  done_count: 1_204,
  refused_count: 0,
  reasons: [],
  error_message: null,
  user_id: null,
  create_date: DATE,
  update_date: DATE,
  ...rest,
});

export const BULK_JOBS: readonly BulkJob[] = [
  job('pending', { total_rows: null, done_count: 0 }),
  job('running', { done_count: 431 }),
  job('completed'),
  job('completed', {
    done_count: 1_200,
    refused_count: 4,
    reasons: [{ code: 1370, message: 'Contact not found', count: 4 }],
  }),
  job('canceled', { done_count: 600 }),
  job('failed', { done_count: 12, error_message: 'You do not have permission to do this' }),
];

const exported = (status: Export['status'], filename: string, rest: Partial<Export> = {}): Export => ({
  id: sampleId(filename),
  account_id: '',
  list: 'campaigns',
  format: 'csv',
  filename,
  time_zone: 'UTC',
  status,
  rows_count: 0,
  total_rows: null,
  bytes: null,
  error_message: null,
  user_id: null,
  create_date: DATE,
  update_date: DATE,
  expire_date: '2026-11-28 09:05:12',
  ...rest,
});

export const EXPORTS: Export[] = [
  exported('PENDING', 'campaigns-1.csv'),
  exported('IN_PROGRESS', 'campaigns-2.csv', { rows_count: 14_000, total_rows: 48_211 }),
  exported('COMPLETED', 'campaigns-3.csv', { rows_count: 48_211, bytes: 5_412_000 }),
  exported('PENDING', 'campaigns-4.csv', { error_message: 'The disk of the server is full' }),
];
