/** Compares templates with their states at the carrier: every hour, after a submission, and on request. */
import { channelRules } from '@parley/contract/channels/index.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { syncTemplates } from '@parley/contract/templates/templates.ts';
import type { z } from 'zod';
import type { TemplateState } from '../channels/template_state.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { openReview } from './carrier_review.ts';
import {
  claimConnectionSync,
  claimSync,
  listReviewingConnections,
  listSubmitted,
  lockSubmitted,
  releaseConnectionSync,
} from './carrier_review_queries.ts';
import type { TemplateRow } from './queries.ts';
import { carrierReason } from './reasons.ts';
import { type CarrierVerdict, isNews, readVerdict, settle } from './settle.ts';

/** The minimum time between two requests from an account. */
export const REQUEST_PAUSE_MS = 30_000;

export interface Compared {
  checked: number;
  changed: number;
}
/** The number of templates locked at a time, so that other transactions do not wait for thousands of locks. */
const BATCH_SIZE = 100;

/**
 * Compares without locks, then locks the templates that differ and checks them again. If an account is given, only its
 * templates are counted.
 */
export async function compare(kernel: Kernel, connection_id: string, account_id?: string): Promise<Compared> {
  const review = await openReview(kernel, connection_id);
  if (!review) return { checked: 0, changed: 0 };
  const started = kernel.clock.now();
  const states = new Map<string, TemplateState>();
  for (const state of await review.desk.list(review.spec)) states.set(state.external_id, state);
  const verdictFor = ({ channel, external_id }: TemplateRow): CarrierVerdict => {
    const state = states.get(external_id!);
    return state
      ? readVerdict(channel, state)
      : { status: 'CANCELED', paused: false, reason: carrierReason(channel, 'DELETED'), external_id };
  };
  // A change made during the call is newer than the list.
  const isOlder = ({ update_date }: TemplateRow): boolean =>
    new Date(`${update_date.replace(' ', 'T')}Z`).getTime() < started.getTime() - 1_000;
  const counted = (row: TemplateRow): number => (account_id === undefined || row.account_id === account_id ? 1 : 0);
  const total: Compared = { checked: 0, changed: 0 };
  const news: string[] = [];
  for (const row of (await listSubmitted(kernel.db, connection_id)).filter(isOlder)) {
    total.checked += counted(row);
    if (isNews(row, verdictFor(row))) news.push(row.external_id!);
  }
  for (let at = 0; at < news.length; at += BATCH_SIZE)
    await kernel.db.tx(async (tx) => {
      for (const row of await lockSubmitted(tx, connection_id, news.slice(at, at + BATCH_SIZE)))
        if (isOlder(row) && (await settle(tx, row, verdictFor(row)))) total.changed += counted(row);
    });
  return total;
}

export async function compareAll(kernel: Kernel, signal: AbortSignal): Promise<void> {
  for (const { connection_id } of await listReviewingConnections(kernel.db, null)) {
    if (signal.aborted) return;
    await compare(kernel, connection_id).catch((error: Error) => {
      kernel.log.warn({ err: error, connection_id }, 'the templates of a connection could not be compared');
    });
  }
}

/**
 * Uses its own transactions, because it calls a carrier. Throws EXPORT_LIMIT_REACHED if it is too soon after the last
 * request.
 */
export async function compareNow(kernel: Kernel, account_id: string): Promise<z.input<typeof syncTemplates.output>> {
  if (!(await claimSync(kernel.db, account_id, kernel.clock.now(), REQUEST_PAUSE_MS)))
    throw new Problem('EXPORT_LIMIT_REACHED', { retry_after: REQUEST_PAUSE_MS / 1_000 });
  const total = { checked: 0, changed: 0, failed: [] as { sender: string; text: string }[] };
  for (const { connection_id, sender, channel } of await listReviewingConnections(kernel.db, account_id)) {
    try {
      const { checked, changed } = await compareForAccount(kernel, connection_id, account_id);
      total.checked += checked;
      total.changed += changed;
    } catch (error) {
      // Errors can contain addresses and credentials, which customers must not see.
      kernel.log.warn({ err: error, connection_id }, 'the templates at the carrier could not be listed');
      const text = `${channelRules(channel).label} could not be reached. Try again in a moment`;
      total.failed.push({ sender, text });
    }
  }
  return total;
}

/** Companies that share a connection share the result of a comparison. */
async function compareForAccount(kernel: Kernel, connection_id: string, account_id: string): Promise<Compared> {
  if (!(await claimConnectionSync(kernel.db, connection_id, kernel.clock.now(), REQUEST_PAUSE_MS))) {
    const rows = await listSubmitted(kernel.db, connection_id);
    return { checked: rows.filter((row) => row.account_id === account_id).length, changed: 0 };
  }
  try {
    return await compare(kernel, connection_id, account_id);
  } catch (error) {
    await releaseConnectionSync(kernel.db, connection_id);
    throw error;
  }
}
