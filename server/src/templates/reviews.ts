/** Operators look at Viber templates before anybody gets one. Each is decided once. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { Media } from '@parley/contract/media.ts';
import { Problem } from '@parley/contract/problem.ts';
import type * as contract from '@parley/contract/templates.ts';
import type { Template } from '@parley/contract/templates.ts';
import { record } from '../kernel/audit.ts';
import type { Ctx } from '../kernel/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Paged, paged, pageOf } from '../kernel/list.ts';
import { getMedia } from '../media/media.ts';
import { announceReview, announceTemplate, mailDecision } from './announce.ts';
import * as queries from './queries.ts';
import { rejectedWith } from './reason.ts';
import * as waiting from './review_queries.ts';

type Reviewed = Template & {
  company_name: string;
  revision: number;
  get_url: string | null;
  thumbnail_url: string | null;
};

export async function listReviews(
  kernel: Kernel,
  query: Parsed<typeof contract.listTemplateReviews>['query'],
): Promise<Paged<Reviewed>> {
  const page = pageOf(query);
  const filter = query.filter ?? {};
  const found = await waiting.reviewPage(kernel.db, filter, page);
  const files = await Promise.all(
    found.map(({ account_id, media_id }) => media_id && fileOf(kernel, account_id, media_id)),
  );
  const rows = found.map(({ company_name, ...row }, at) => ({
    ...queries.toTemplate(row),
    company_name,
    revision: row.revision,
    get_url: (files[at] || null)?.get_url ?? null,
    thumbnail_url: (files[at] || null)?.thumbnail_url ?? null,
  }));
  return paged(page, rows, await waiting.countReviews(kernel.db, filter));
}

/** Null: it was taken away. */
const fileOf = (kernel: Kernel, account_id: string, id: string): Promise<Media | null> =>
  getMedia(kernel, { account_id }, id).catch((error: unknown) => {
    if (error instanceof Problem) return null;
    throw error;
  });

/** 1283 the second of two, or another text than the one that was looked at; 1157 a refusal without words. */
export async function decideReview(
  ctx: Ctx,
  id: string,
  { decision, reason, external_id, revision }: Parsed<typeof contract.decideTemplate>['body'],
): Promise<Template> {
  const { tx, kernel } = ctx;
  const account_id = await waiting.accountOf(tx, id);
  const row = account_id && (await queries.lockTemplate(tx, account_id, id));
  if (!row) throw new Problem(1251);
  if (row.status !== 'IN_PROCESS') throw new Problem(1283);
  if (revision !== undefined && revision !== row.revision)
    throw new Problem(1283, { message: 'The template has changed since you opened it: look at it again' });
  if (decision === 'reject' && reason === '') throw new Problem(1157);
  const approved = decision === 'approve';
  await queries.setVerdict(tx, account_id, id, {
    status: approved ? 'COMPLETED' : 'CANCELED',
    paused: false,
    reason: approved ? null : rejectedWith(reason),
    external_id: approved && external_id !== '' ? external_id : row.external_id,
    wa_category: null,
  });
  const template = await announceTemplate(tx, account_id, id);
  await announceReview(tx, id);
  await mailDecision(tx, kernel.config, template, row.revision);
  record(tx, ctx, {
    action: approved ? 'template.approved' : 'template.rejected',
    account_id,
    target: { type: 'template', id, name: row.name },
    detail: approved ? {} : { reason },
  });
  return template;
}
