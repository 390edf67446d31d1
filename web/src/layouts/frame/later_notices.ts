/** Notifications whose words are loaded with the first event that needs them. */
import type { AudienceImport } from '@parley/contract/audiences/imports.ts';
import type { BulkJob } from '@parley/contract/bulk/bulk.ts';
import type { HeldMessages, RejectedMessages } from '@parley/contract/guard/review_events.ts';
import { BULK_WORDS, isEnded, outcomeText } from '../../bulk/words.ts';
import { addNotice } from '../../kernel/notices.ts';
import { CONNECTIONS, messagePath, REVIEWS } from '../../paths.ts';
import { formatCount } from '../../ui/data/format.ts';

export function reportConnection({ id, name, state }: { id: string; name: string; state: string }): void {
  if (state !== 'paused') return;
  addNotice({
    id: `connection.${id}`,
    title: name,
    text: 'The connection is paused because the carrier is rejecting all messages',
    tone: 'fail',
    path: `${CONNECTIONS}?open=${id}`,
  });
}

export function reportBulkJob(job: BulkJob): void {
  if (!isEnded(job) || job.status === 'canceled') return;
  const { title, path } = BULK_WORDS[job.action];
  addNotice({
    id: `bulk.${job.id}`,
    title,
    text: outcomeText(job),
    tone: job.status === 'failed' ? 'fail' : job.refused_count > 0 ? 'wait' : 'ok',
    path: path(job.params),
  });
}

const ENDED_IMPORT: ReadonlySet<string> = new Set(['completed', 'failed']);

export function reportImport(progress: Omit<AudienceImport, 'preview'>): void {
  if (!ENDED_IMPORT.has(progress.status)) return;
  const stored = progress.created_count + progress.updated_count;
  addNotice({
    id: `import.${progress.id}`,
    title: progress.audience_name,
    text:
      progress.status === 'completed'
        ? `Import completed: ${formatCount(stored, 'contact')}`
        : `Import failed: ${progress.error_message ?? progress.filename}`,
    tone: progress.status === 'completed' ? 'ok' : 'fail',
    path: `/contacts/imports/${progress.id}`,
  });
}

/** A later notification replaces an earlier one, however many messages are held. */
export function reportHeld(): void {
  addNotice({
    id: 'reviews',
    title: 'Messages are waiting for review',
    text: 'Content rules have held new messages.',
    tone: 'wait',
    path: REVIEWS,
  });
}

/** A campaign has one notification, which counts its latest messages. */
export function reportWaiting({ count, campaign_id, message_ids }: HeldMessages): void {
  addNotice({
    id: `held.${campaign_id ?? message_ids[0]}`,
    title: `${formatCount(count, 'message')} held for review`,
    text: 'An operator reviews the content before it is sent.',
    tone: 'wait',
    path: messagePath(message_ids[0]!),
  });
}

export function reportRejected({ count, reason, message_ids }: RejectedMessages): void {
  addNotice({
    id: `rejected.${message_ids[0]}`,
    title: `${formatCount(count, 'message')} rejected in review`,
    text: reason,
    tone: 'fail',
    path: messagePath(message_ids[0]!),
  });
}
