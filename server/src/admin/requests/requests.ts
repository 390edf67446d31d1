/**
 * The queue of all requests that operators decide on. This file finds requests and passes each decision to the module
 * for that kind, which applies it once and notifies the customer. Operators never see requests of a kind they may not
 * view.
 */

import type { Request, RequestDetail, RequestKind } from '@parley/contract/admin/requests.ts';
import * as contract from '@parley/contract/admin/requests.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { needReason, permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { z } from 'zod';
import type { Queryable } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { decideSender, readSenderRequest } from '../../registrations/registrations.ts';
import { decideTemplate, readTemplateRequest } from '../../templates/templates.ts';
import { findCustomer } from '../customers/customer_queries.ts';
import { decideCompany, readCompanyRequest } from './company_requests.ts';
import * as check from './findings.ts';
import * as queries from './request_queries.ts';
import { findTextProblems } from './template_findings.ts';

type Detail = z.input<typeof RequestDetail>;
type Decision = Parsed<typeof contract.decideRequest>['body'];

const viewableKinds = ({ permissions }: Pick<Actor, 'permissions'>): RequestKind[] =>
  contract.REQUEST_KINDS.filter((kind) => permits(permissions, contract.requestPermission(kind, 'view')));

export async function listRequests(
  db: Queryable,
  actor: Actor,
  query: Parsed<typeof contract.listRequests>['query'],
): Promise<Paged<Request>> {
  const page = readPage(query);
  const requested = query.filter?.kinds;
  const kinds = viewableKinds(actor).filter((kind) => !requested?.length || requested.includes(kind));
  if (kinds.length === 0) return paged<Request>(page, [], 0);
  const filter = { ...query.filter, kinds };
  return paged(page, await queries.listRequestRows(db, filter, page), await queries.countRequests(db, filter));
}

/** Throws REQUEST_NOT_FOUND if the request does not exist or the actor may not view its kind. */
export async function requireRequest(db: Queryable, actor: Pick<Actor, 'permissions'>, id: string): Promise<Request> {
  const kinds = viewableKinds(actor);
  const request = kinds.length > 0 && (await queries.findRequest(db, id, kinds));
  if (!request) throw new Problem('REQUEST_NOT_FOUND');
  return request;
}

export async function getRequest(kernel: Kernel, actor: Actor, id: string): Promise<Detail> {
  const { db } = kernel;
  const request = await requireRequest(db, actor, id);
  const others = await queries.listOtherRequests(db, request, viewableKinds(actor));
  const { findings, ...content } = await loadContent(kernel, request);
  return {
    ...request,
    revision: 1,
    documents: [],
    company: null,
    sender: null,
    template: null,
    ...content,
    findings: [...findings, ...check.earlierFinding(others, request.kind)],
    history: await queries.listRequestHistory(db, request.account_id, request.target_id),
    others,
  };
}

type Content = Partial<Omit<Detail, 'findings'>> & Pick<Detail, 'findings'>;

async function loadContent(kernel: Kernel, { id, kind, account_id, company_name }: Request): Promise<Content> {
  if (kind === 'company') return readCompanyRequest(kernel, id);
  if (kind === 'template') {
    const content = await readTemplateRequest(kernel, id);
    const website = (await findCustomer(kernel.db, account_id))?.company_website ?? '';
    return {
      ...content,
      findings: await findTextProblems(kernel, content.template.template, company_name, website),
    };
  }
  const { findings, ...content } = await readSenderRequest(kernel, id);
  return {
    ...content,
    findings:
      findings.length === 0
        ? [check.good('The preflight check found no problems, and the website responds')]
        : findings.map(({ title }) => check.warning(title)),
  };
}

/**
 * Throws PERMISSION_REQUIRED if the actor has view permission only, and ALREADY_DECIDED with the name of the operator
 * who decided first.
 */
export async function decideRequest(ctx: Ctx, id: string, decision: Decision): Promise<Request> {
  const { kernel, actor } = ctx;
  const { kind } = await requireRequest(kernel.db, actor, id);
  const need = contract.requestPermission(kind, 'edit');
  if (!permits(actor.permissions, need)) throw new Problem('PERMISSION_REQUIRED', { message: needReason(need) });
  try {
    await decide(ctx, kind, id, decision);
  } catch (error) {
    throw error instanceof Problem && error.name === 'ALREADY_DECIDED'
      ? await readEarlierDecision(kernel.db, actor, id, error)
      : error;
  }
  return requireRequest(kernel.db, actor, id);
}

const decide = (ctx: Ctx, kind: RequestKind, id: string, decision: Decision): Promise<void> => {
  if (kind !== 'company' && kind !== 'template') return decideSender(ctx, id, decision);
  const decideKind = kind === 'company' ? decideCompany : decideTemplate;
  return ctx.kernel.db.tx((tx) => decideKind({ ...ctx, tx }, id, decision));
};

const DECISIONS = {
  approved: 'approved this request',
  rejected: 'rejected this request',
  asked: 'requested more information',
} as const;

async function readEarlierDecision(db: Queryable, actor: Actor, id: string, problem: Problem): Promise<Problem> {
  const { kind, status, reviewer_name } = await requireRequest(db, actor, id);
  if (status === 'withdrawn') return new Problem('ALREADY_DECIDED', { message: 'The customer withdrew this request' });
  // A sender request stays open while the customer answers a question, but a company form or template must be submitted
  // again. If the request is still open, the original problem is returned.
  const is_decided = status === 'asked' ? kind === 'company' || kind === 'template' : status !== 'waiting';
  if (!is_decided || !reviewer_name) return problem;
  return new Problem('ALREADY_DECIDED', {
    message: `${reviewer_name} already ${DECISIONS[status as keyof typeof DECISIONS]}`,
  });
}
