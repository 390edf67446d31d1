/** The words for bulk jobs and their results. */
import type { BulkActionName, BulkJob } from '@parley/contract/bulk/bulk.ts';
import { DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { AUDIENCES, audiencePath, BUCKET_PATHS, campaignsPath, LIBRARY, STOP_LIST } from '../paths.ts';
import { formatCount, formatNumber } from '../ui/data/format.ts';

interface BulkWords {
  /** The job's name. */
  title: string;
  /** The singular noun for a row. */
  noun: string;
  /** The progress of the rows. */
  done: string;
  /** The page of the list. */
  path: (params: BulkJob['params']) => string;
}

export const BULK_WORDS: Record<BulkActionName, BulkWords> = {
  remove_contacts: {
    title: 'Removing contacts',
    noun: 'contact',
    done: 'removed',
    path: ({ id }) => (id ? audiencePath(id) : AUDIENCES),
  },
  remove_stop_list_entries: {
    title: 'Removing numbers from the stop list',
    noun: 'number',
    done: 'removed from the stop list',
    path: () => STOP_LIST,
  },
  remove_templates: { title: 'Deleting templates', noun: 'template', done: 'deleted', path: () => LIBRARY },
  remove_campaigns: {
    title: 'Deleting campaigns',
    noun: 'campaign',
    done: 'deleted',
    path: () => campaignsPath(DEFAULT_CHANNEL),
  },
  close_conversations: {
    title: 'Closing conversations',
    noun: 'conversation',
    done: 'closed',
    path: () => BUCKET_PATHS.none,
  },
  open_conversations: {
    title: 'Opening conversations',
    noun: 'conversation',
    done: 'opened',
    path: () => BUCKET_PATHS.none,
  },
  label_conversations: {
    title: 'Labeling conversations',
    noun: 'conversation',
    done: 'labeled',
    path: () => BUCKET_PATHS.none,
  },
  unlabel_conversations: {
    title: 'Removing a label from conversations',
    noun: 'conversation',
    done: 'changed',
    path: () => BUCKET_PATHS.none,
  },
  remove_conversations: {
    title: 'Deleting conversations',
    noun: 'conversation',
    done: 'deleted',
    path: () => BUCKET_PATHS.none,
  },
};

export const isEnded = ({ status }: BulkJob): boolean => status !== 'pending' && status !== 'running';

export function outcomeTone({ status, refused_count }: BulkJob): 'ok' | 'info' | 'wait' | 'fail' {
  if (status === 'failed') return 'fail';
  if (refused_count > 0) return 'wait';
  return status === 'canceled' ? 'info' : 'ok';
}

/** "1,200 contacts removed. 4 not removed: Contact not found (4)." */
export function outcomeText(job: BulkJob): string {
  const { noun, done } = BULK_WORDS[job.action];
  const parts = [`${formatCount(job.done_count, noun)} ${done}.`];
  if (job.refused_count > 0) {
    const reasons = job.reasons.map(({ message, count }) => `${message} (${formatNumber(count)})`).join(', ');
    parts.push(`${formatNumber(job.refused_count)} not ${done}: ${reasons}.`);
  }
  if (job.status === 'canceled') parts.push('Canceled before all rows were processed.');
  if (job.error_message !== null) parts.push(`Stopped: ${job.error_message}`);
  return parts.join(' ');
}
