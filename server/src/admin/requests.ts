/**
 * One queue of everything operators decide on. Each kind is decided by the module it belongs to, which makes that happen once and tells the customer;
 * here it is found, looked at and handed over. Who may not look at a kind does not find its requests.
 */

import type { Request, RequestDetail, RequestKind } from '@parley/contract/admin/requests.ts';
import * as contract from '@parley/contract/admin/requests.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { needReason, permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { z } from 'zod';
import type { Queryable } from '../kernel/db/db.ts';
import { type Paged, paged, pageOf } from '../kernel/db/list.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { decideSender, senderRequest } from '../registrations/registrations.ts';
import { decideTemplate, templateRequest } from '../templates/templates.ts';
import { companyRequest, decideCompany } from './company_requests.ts';
import { customer } from './customer_queries.ts';
import * as check from './findings.ts';
import * as queries from './request_queries.ts';
import { textFindings } from './template_findings.ts';

type Detail = z.input<typeof RequestDetail>;
type Decision = Parsed<typeof contract.decideRequest>['body'];

export const seenKinds = ({ permissions }: Pick<Actor, 'permissions'>): RequestKind[] =>
  contract.REQUEST_KINDS.filter((kind) => permits(permissions, contract.rightOf(kind, 'view')));

export async function listRequests(
  db: Queryable,
  actor: Actor,
  query: Parsed<typeof contract.listRequests>['query'],
): Promise<Paged<Request>> {
  const page = pageOf(query);
  const asked = query.filter?.kinds;
  const kinds = seenKinds(actor).filter((kind) => !asked?.length || asked.includes(kind));
  if (kinds.length === 0) return paged<Request>(page, [], 0);
  const filter = { ...query.filter, kinds };
  return paged(page, await queries.requestPage(db, filter, page), await queries.countRequests(db, filter));
}

/** REQUEST_NOT_FOUND: there is none, or it is of a kind that is none of the actor's business. */
export async function demandRequest(db: Queryable, actor: Pick<Actor, 'permissions'>, id: string): Promise<Request> {
  const kinds = seenKinds(actor);
  const found = kinds.length > 0 && (await queries.requestById(db, id, kinds));
  if (!found) throw new Problem('REQUEST_NOT_FOUND');
  return found;
}

export async function getRequest(kernel: Kernel, actor: Actor, id: string): Promise<Detail> {
  const { db } = kernel;
  const request = await demandRequest(db, actor, id);
  const others = await queries.otherRequests(db, request, seenKinds(actor));
  const { findings, ...about } = await aboutOf(kernel, request);
  return {
    ...request,
    revision: 1,
    documents: [],
    company: null,
    sender: null,
    template: null,
    ...about,
    findings: [...findings, ...check.earlierFinding(others, request.kind)],
    history: await queries.historyOf(db, request.account_id, request.target_id),
    others,
  };
}

type About = Partial<Omit<Detail, 'findings'>> & Pick<Detail, 'findings'>;

async function aboutOf(kernel: Kernel, { id, kind, account_id, company_name }: Request): Promise<About> {
  if (kind === 'company') return companyRequest(kernel, id);
  if (kind === 'template') {
    const found = await templateRequest(kernel, id);
    const website = (await customer(kernel.db, account_id))?.company_website ?? '';
    return {
      ...found,
      findings: await textFindings(kernel, found.template.template, company_name, website),
    };
  }
  const { findings, ...found } = await senderRequest(kernel, id);
  return {
    ...found,
    findings:
      findings.length === 0
        ? [check.good('The check finds nothing, and the website answers')]
        : findings.map(({ title }) => check.warning(title)),
  };
}

/** PERMISSION_REQUIRED: one may look only. The second of two is told who was first (ALREADY_DECIDED). */
export async function decideRequest(ctx: Ctx, id: string, given: Decision): Promise<Request> {
  const { kernel, actor } = ctx;
  const { kind } = await demandRequest(kernel.db, actor, id);
  const need = contract.rightOf(kind, 'edit');
  if (!permits(actor.permissions, need)) throw new Problem('PERMISSION_REQUIRED', { message: needReason(need) });
  try {
    await decided(ctx, kind, id, given);
  } catch (error) {
    throw error instanceof Problem && error.name === 'ALREADY_DECIDED'
      ? await whoWasFirst(kernel.db, actor, id, error)
      : error;
  }
  return demandRequest(kernel.db, actor, id);
}

const decided = (ctx: Ctx, kind: RequestKind, id: string, given: Decision): Promise<void> => {
  if (kind !== 'company' && kind !== 'template') return decideSender(ctx, id, given);
  const decide = kind === 'company' ? decideCompany : decideTemplate;
  return ctx.kernel.db.tx((tx) => decide({ ...ctx, tx }, id, given));
};

const DONE = { approved: 'approved it', rejected: 'rejected it', asked: 'asked the customer' } as const;

async function whoWasFirst(db: Queryable, actor: Actor, id: string, problem: Problem): Promise<Problem> {
  const { kind, status, reviewer_name } = await demandRequest(db, actor, id);
  if (status === 'withdrawn') return new Problem('ALREADY_DECIDED', { message: 'The customer has withdrawn it' });
  // A sender that is asked about goes on; a form or a template is sent anew. Of what goes on the problem itself says what is wrong.
  const over = status === 'asked' ? kind === 'company' || kind === 'template' : status !== 'waiting';
  if (!over || !reviewer_name) return problem;
  return new Problem('ALREADY_DECIDED', {
    message: `${reviewer_name} has ${DONE[status as keyof typeof DONE]} already`,
  });
}
