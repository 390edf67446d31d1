/** Operators look at Viber templates before anybody gets one. Each is decided once. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type * as contract from '@parley/contract/templates.ts';
import type { Template } from '@parley/contract/templates.ts';
import { record } from '../kernel/audit.ts';
import type { Queryable } from '../kernel/db.ts';
import type { Ctx } from '../kernel/endpoint.ts';
import { type Paged, paged, pageOf } from '../kernel/list.ts';
import { announceReview, announceTemplate, mailDecision } from './announce.ts';
import * as queries from './queries.ts';
import { rejectedWith } from './reason.ts';
import * as waiting from './review_queries.ts';

type Reviewed = Template & { company_name: string };

export async function listReviews(
  db: Queryable,
  query: Parsed<typeof contract.listTemplateReviews>['query'],
): Promise<Paged<Reviewed>> {
  const page = pageOf(query);
  const filter = query.filter ?? {};
  const rows = (await waiting.reviewPage(db, filter, page)).map(({ company_name, ...row }) => ({
    ...queries.toTemplate(row),
    company_name,
  }));
  return paged(page, rows, await waiting.countReviews(db, filter));
}

/** 1283 the second of two; 1157 a refusal without words. */
export async function decideReview(
  ctx: Ctx,
  id: string,
  { decision, reason, external_id }: Parsed<typeof contract.decideTemplate>['body'],
): Promise<Template> {
  const { tx, kernel } = ctx;
  const account_id = await waiting.accountOf(tx, id);
  const row = account_id && (await queries.lockTemplate(tx, account_id, id));
  if (!row) throw new Problem(1251);
  if (row.status !== 'IN_PROCESS') throw new Problem(1283);
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
