/**
 * Requests from companies for approval. The accounts module makes the decision; this file shows the request and its
 * findings.
 */

import type { decideRequest, RequestDetail, RequestFinding } from '@parley/contract/admin/requests.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { z } from 'zod';
import { approveAccount, rejectAccount, requestMoreInfo, review } from '../../accounts/accounts.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { createOutbound } from '../../kernel/http/outbound.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { findCustomer } from '../customers/customer_queries.ts';
import { toCustomer } from '../customers/customers.ts';
import * as check from './findings.ts';
import { listSimilarNames } from './request_queries.ts';

export async function readCompanyRequest(
  { db, config }: Pick<Kernel, 'db' | 'config'>,
  id: string,
): Promise<{ findings: RequestFinding[]; company: NonNullable<z.input<typeof RequestDetail>['company']> }> {
  const open = await review(db, id);
  const row = open && (await findCustomer(db, open.account_id));
  if (!open || !row) throw new Problem('REQUEST_NOT_FOUND');
  const { form } = open;
  // Searches for the name as written and for the name as it looks in Latin letters.
  const words = new Set([form.company_name, check.latinized(form.company_name)].map(longestWord).filter(Boolean));
  const [website, similar] = await Promise.all([
    check.findWebsiteProblems(createOutbound(config), form.company_website, row.owner_email),
    Promise.all([...words].map((word) => listSimilarNames(db, open.account_id, word.slice(0, 4)))),
  ]);
  return {
    company: { form, customer: toCustomer(row) },
    findings: [
      check.phoneFinding(row.owner_phone, form.country_code),
      check.mailFinding(row.owner_email),
      ...website,
      ...check.nameFindings(form.company_name, [
        ...new Map(similar.flat().map((other) => [other.company_name, other])).values(),
      ]),
      ...check.alphabetFinding(form.company_name),
    ],
  };
}

const longestWord = (name: string): string => check.distinctive(name).sort((a, b) => b.length - a.length)[0] ?? '';

/**
 * Throws REASON_REQUIRED for a rejection or a question without text, and ALREADY_DECIDED if the request has already
 * been decided.
 */
export async function decideCompany(
  ctx: Ctx,
  id: string,
  { decision, reasons, note }: Parsed<typeof decideRequest>['body'],
): Promise<void> {
  const words = [...reasons.map(({ text }) => text), note].filter(Boolean).join(' ');
  if (decision === 'approve') await approveAccount(ctx.tx, ctx, id);
  else if (decision === 'reject') await rejectAccount(ctx.tx, ctx, id, words);
  else await requestMoreInfo(ctx.tx, ctx, id, words);
}
