/**
 * Handles the review by the carrier: idempotent jobs submit, change, and remove templates at the carrier, and compare
 * their states. No transaction is open during a call. A response counts only for the revision that was submitted.
 */
import { channelsReviewedBy } from '@parley/contract/channels/index.ts';
import { CarrierRefusal, type TemplateDraft, type TemplateReview } from '../channels/channel.ts';
import type { TemplateState } from '../channels/template_state.ts';
import { type OpenConnection, openConnection } from '../connections/connections.ts';
import { sql } from '../kernel/db/db.ts';
import { createOutbound } from '../kernel/http/outbound.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { makeOutgoingFile, outgoingLink, requireMedia } from '../media/media.ts';
import { findConnection, findRemovedTemplate, isAdoptable, markTried } from './carrier_review_queries.ts';
import { readLink } from './linked_file.ts';
import type { TemplateRow } from './queries.ts';
import * as queries from './queries.ts';
import { carrierReason, refusalReason } from './reasons.ts';
import { settle } from './settle.ts';

/** Retried for a day, because the carrier may be unavailable for a long time. */
export const submitJob = job<{ account_id: string; id: string; revision: number }>('templates.submit', {
  retry: 40,
  retry_seconds: 10,
  expire_seconds: 300,
  concurrency: 2,
});
export const removeJob = job<{ account_id: string; id: string }>('templates.remove', {
  retry: 40,
  retry_seconds: 10,
  expire_seconds: 120,
});
/** A notice that arrives during a submission can be lost, so the states are compared a little later. */
export const compareJob = job<{ connection_id: string }>('templates.compare', {
  retry: 3,
  expire_seconds: 300,
  key: ({ connection_id }) => connection_id,
});
const COMPARE_AFTER_MS = 60_000;

interface Review {
  desk: TemplateReview;
  spec: OpenConnection['spec'];
}

export async function openReview(kernel: Kernel, connection_id: string): Promise<Review | null> {
  const connection = await openConnection(kernel, kernel.db, connection_id);
  const desk = connection?.adapter.templates;
  return connection && desk ? { desk, spec: connection.spec } : null;
}

export async function submit(
  kernel: Kernel,
  { account_id, id, revision }: { account_id: string; id: string; revision: number },
): Promise<void> {
  const row = await queries.findTemplate(kernel.db, account_id, id);
  if (!row || row.revision !== revision || row.submitted === revision || row.status !== 'IN_PROCESS') return;
  const connection_id = await findConnection(kernel.db, account_id, id);
  const review = connection_id && (await openReview(kernel, connection_id));
  if (!connection_id || !review) {
    const canceled = {
      status: 'CANCELED' as const,
      paused: false,
      reason: carrierReason(row.channel, 'SENDER_GONE'),
      external_id: row.external_id,
    };
    await kernel.db.tx(async (tx) => {
      const now = await queries.lockTemplate(tx, account_id, id);
      if (now?.revision === revision && now.status === 'IN_PROCESS') await settle(tx, now, canceled, false);
    });
    return;
  }
  // The carrier may have accepted an earlier attempt whose response was lost.
  const earlier = row.tried === revision ? await findSubmitted(kernel, review, row) : null;
  await kernel.db.run(markTried(account_id, id, revision));
  const answer = earlier ?? (await submitToCarrier(kernel, review, row));
  await kernel.db.tx(async (tx) => {
    const now = await queries.lockTemplate(tx, account_id, id);
    if (now?.revision !== revision || now.submitted === revision) return;
    if (answer instanceof CarrierRefusal) {
      const reason = refusalReason(now.channel, answer.code, answer.message);
      const refused = { status: 'CANCELED' as const, paused: false, reason, external_id: now.external_id };
      // The carrier has at most an earlier revision, whose notices do not concern this one.
      await settle(tx, now, refused, false);
    } else await settle(tx, now, answer);
    const start_after = new Date(tx.now.getTime() + COMPARE_AFTER_MS);
    await enqueue(tx, compareJob, { connection_id }, { start_after });
  });
}

/** A refusal is a result; after any other error the job retries. */
async function submitToCarrier(
  kernel: Kernel,
  { desk, spec }: Review,
  row: TemplateRow,
): Promise<TemplateState | CarrierRefusal> {
  try {
    const draft = await toDraft(kernel, row);
    const { external_id } = row;
    return await (external_id ? desk.change(spec, external_id, draft) : desk.submit(spec, draft));
  } catch (error) {
    if (error instanceof CarrierRefusal) return error;
    throw error;
  }
}

/**
 * Finds a template that the carrier accepted but whose response was lost. Another company can have a template of this
 * name on the same business account.
 */
async function findSubmitted(kernel: Kernel, { desk, spec }: Review, row: TemplateRow): Promise<TemplateState | null> {
  const states = await desk.list(spec);
  if (row.external_id) {
    const state = states.find(({ external_id }) => external_id === row.external_id);
    return state?.status === 'IN_PROCESS' ? state : null;
  }
  const state = states.find(({ name, language }) => name === row.name && language === row.language);
  return state && (await isAdoptable(kernel.db, row, state.external_id)) ? state : null;
}

async function toDraft(kernel: Kernel, row: TemplateRow): Promise<TemplateDraft> {
  const { type, media_id, url, filename } = row;
  const media =
    type === 'text'
      ? null
      : media_id
        ? makeOutgoingFile(
            kernel,
            await requireMedia(kernel.db, row.account_id, media_id, { type, channel: row.channel }),
            filename,
          )
        : await readLink(createOutbound(kernel.config).fetch, outgoingLink(type, url!, filename), row.channel);
  return {
    name: row.name,
    language: row.language,
    category: row.wa_category!,
    header: row.header,
    text: row.text,
    footer: row.footer,
    buttons: row.buttons,
    media,
    samples: row.samples,
  };
}

export async function remove(kernel: Kernel, { account_id, id }: { account_id: string; id: string }): Promise<void> {
  const row = await findRemovedTemplate(kernel.db, account_id, id);
  const review = row?.connection_id && (await openReview(kernel, row.connection_id));
  if (!row || !review) return;
  try {
    await review.desk.remove(review.spec, { external_id: row.external_id, name: row.name });
  } catch (error) {
    // If the carrier no longer has the template, it is already removed as requested.
    if (!(error instanceof CarrierRefusal)) throw error;
    kernel.log.warn(
      { template_id: id, code: error.code, text: error.message },
      'a template could not be removed at the carrier',
    );
  }
}

/** Resubmits templates whose submission was interrupted by a crash, or kept failing for a day. */
export async function resubmitStuck(kernel: Kernel): Promise<void> {
  await kernel.db.tx(async (tx) => {
    const stuck = await tx.rows<{ account_id: string; id: string; revision: number }>(sql`
      select account_id, id, revision from templates
      where channel = any(${channelsReviewedBy('carrier')}::text[]) and status = 'IN_PROCESS'
        and delete_date is null and submitted < revision
        and update_date < ${new Date(tx.now.getTime() - 26 * 3_600_000)}
      order by id limit 100`);
    for (const row of stuck) await enqueue(tx, submitJob, row);
  });
}
