/** Handles templates on channels where our operators review them. Each revision is decided once. */

import type { decideRequest, RequestDetail } from '@parley/contract/admin/requests.ts';
import { channelsReviewedBy } from '@parley/contract/channels/index.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { Media } from '@parley/contract/media/media.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { z } from 'zod';
import { announceRequest } from '../accounts/accounts.ts';
import { type Queryable, sql } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { record } from '../kernel/security/audit.ts';
import { getMedia } from '../media/media.ts';
import { announceTemplate, mailDecision } from './announce.ts';
import * as queries from './queries.ts';
import { questionReason, rejectionReason } from './reasons.ts';

type Decision = Parsed<typeof decideRequest>['body'];

/** Finds the account of a template that operators review. */
const findAccount = async (db: Queryable, id: string): Promise<string | null> =>
  (
    await db.maybeOne<{ account_id: string }>(sql`
      select account_id from templates
      where id = ${id} and channel = any(${channelsReviewedBy('operator')}::text[]) and delete_date is null`)
  )?.account_id ?? null;

/** Returns the part of a request's details that only templates have. */
export async function readTemplateRequest(
  kernel: Kernel,
  id: string,
): Promise<{ revision: number; template: NonNullable<z.input<typeof RequestDetail>['template']> }> {
  const account_id = await findAccount(kernel.db, id);
  const row = account_id && (await queries.findTemplate(kernel.db, account_id, id));
  if (!row) throw new Problem('REQUEST_NOT_FOUND');
  const file = row.media_id ? await findFile(kernel, account_id, row.media_id) : null;
  const { get_url = null, thumbnail_url = null } = file ?? {};
  return { revision: row.revision, template: { template: queries.toTemplate(row), get_url, thumbnail_url } };
}

/** Returns null if the file was deleted. */
const findFile = (kernel: Kernel, account_id: string, id: string): Promise<Media | null> =>
  getMedia(kernel, { account_id }, id).catch((error: unknown) => {
    if (error instanceof Problem) return null;
    throw error;
  });

const STATUS = { approve: 'COMPLETED', reject: 'CANCELED', ask: 'CANCELED' } as const;
const ACTIONS = { approve: 'template.approved', reject: 'template.rejected', ask: 'template.asked' } as const;

/**
 * Throws ALREADY_DECIDED (also if the text changed after the operator opened it) or REASON_REQUIRED (a rejection or
 * question without text).
 */
export async function decideTemplate(ctx: Ctx, id: string, input: Decision): Promise<void> {
  const { tx, kernel, actor } = ctx;
  const { decision, reasons, note, external_id, external_language, revision } = input;
  const account_id = await findAccount(tx, id);
  const row = account_id && (await queries.lockTemplate(tx, account_id, id));
  if (!row) throw new Problem('REQUEST_NOT_FOUND');
  if (row.status !== 'IN_PROCESS') throw new Problem('ALREADY_DECIDED');
  if (revision !== undefined && revision !== row.revision)
    throw new Problem('ALREADY_DECIDED', { message: 'The template has changed since you opened it. Review it again' });
  const words = [...reasons.map(({ text }) => text), note].filter(Boolean).join(' ');
  const approved = decision === 'approve';
  if (!approved && words === '') throw new Problem('REASON_REQUIRED');
  if (approved && (external_id === '') !== (external_language === ''))
    throw external_id === ''
      ? new Problem('VIBER_TEMPLATE_PROVIDER_ID_REQUIRED', { field: 'external_id' })
      : new Problem('VIBER_TEMPLATE_LANGUAGE_REQUIRED', { field: 'external_language' });
  await queries.setVerdict(tx, account_id, id, {
    status: STATUS[decision],
    paused: false,
    reason: approved ? null : decision === 'ask' ? questionReason(words) : rejectionReason(words),
    external_id: approved && external_id !== '' ? external_id : row.external_id,
    wa_category: null,
  });
  if (approved && external_language !== '') await queries.setExternalLanguage(tx, account_id, id, external_language);
  await queries.setReviewer(tx, account_id, id, actor.user_id);
  const template = await announceTemplate(tx, account_id, id);
  await announceRequest(tx, 'template', id);
  await mailDecision(tx, kernel.config, template, row.revision);
  record(tx, ctx, {
    action: ACTIONS[decision],
    account_id,
    target: { type: 'template', id, name: row.name },
    detail: approved ? {} : { reason: words.slice(0, 500) },
  });
}
