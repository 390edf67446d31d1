/** Companies that wait to be let send, as the queue has them. Deciding is accounts' business; here they are looked at. */

import type { decideRequest, RequestDetail, RequestFinding } from '@parley/contract/admin/requests.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { z } from 'zod';
import { approveAccount, rejectAccount, requestMoreInfo, review } from '../accounts/accounts.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { createOutbound } from '../kernel/http/outbound.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { customer } from './customer_queries.ts';
import { toCustomer } from './customers.ts';
import * as check from './findings.ts';
import { namesLike } from './request_queries.ts';

export async function companyRequest(
  { db, config }: Pick<Kernel, 'db' | 'config'>,
  id: string,
): Promise<{ findings: RequestFinding[]; company: NonNullable<z.input<typeof RequestDetail>['company']> }> {
  const found = await review(db, id);
  const row = found && (await customer(db, found.account_id));
  if (!found || !row) throw new Problem('REQUEST_NOT_FOUND');
  const { form } = found;
  // As it is written, and as it looks.
  const words = new Set([form.company_name, check.look(form.company_name)].map(longestWord).filter(Boolean));
  const [website, alike] = await Promise.all([
    check.websiteFindings(createOutbound(config), form.company_website, row.owner_email),
    Promise.all([...words].map((word) => namesLike(db, found.account_id, word.slice(0, 4)))),
  ]);
  return {
    company: { form, customer: toCustomer(row) },
    findings: [
      check.phoneFinding(row.owner_phone, form.country_code),
      check.mailFinding(row.owner_email),
      ...website,
      ...check.nameFindings(form.company_name, [
        ...new Map(alike.flat().map((other) => [other.company_name, other])).values(),
      ]),
      ...check.alphabetFinding(form.company_name),
    ],
  };
}

const longestWord = (name: string): string => check.distinctive(name).sort((a, b) => b.length - a.length)[0] ?? '';

/** A refusal or a question without words is REASON_REQUIRED; the second of two is ALREADY_DECIDED. */
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
