/** The queue of companies that wait for approval. Deciding is accounts' business, which makes it happen once; here it is looked at. */
import type { AccountReview } from '@parley/contract/company.ts';
import type * as contract from '@parley/contract/customers.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { z } from 'zod';
import { approveAccount, askMore, rejectAccount, review } from '../accounts/accounts.ts';
import type { Queryable } from '../kernel/db.ts';
import type { Ctx } from '../kernel/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Paged, paged, pageOf } from '../kernel/list.ts';
import { createOutbound } from '../kernel/outbound.ts';
import { customer } from './customer_queries.ts';
import { toCustomer } from './customers.ts';
import * as check from './findings.ts';
import * as queries from './review_queries.ts';

export async function listReviews(
  db: Queryable,
  query: Parsed<typeof contract.listReviews>['query'],
): Promise<Paged<AccountReview>> {
  const page = pageOf(query);
  const filter = query.filter ?? {};
  return paged(page, await queries.reviewPage(db, filter, page), await queries.countReviews(db, filter));
}

export async function getReview(
  { db, config }: Pick<Kernel, 'db' | 'config'>,
  id: string,
): Promise<z.input<typeof contract.getReview.output>> {
  const found = await review(db, id);
  const row = found && (await customer(db, found.account_id));
  if (!found || !row) throw new Problem(1155);
  const { form } = found;
  const word = check.distinctive(form.company_name).sort((a, b) => b.length - a.length)[0];
  const [earlier, website, alike] = await Promise.all([
    queries.earlierReviews(db, found.account_id, id),
    check.websiteFindings(createOutbound(config), form.company_website, row.owner_email),
    word ? queries.namesLike(db, found.account_id, word.slice(0, 4)) : [],
  ]);
  const before = check.earlierFinding(earlier);
  return {
    ...found,
    customer: toCustomer(row),
    earlier,
    findings: [
      check.phoneFinding(row.owner_phone, form.country_code),
      check.mailFinding(row.owner_email),
      ...website,
      ...check.nameFindings(form.company_name, alike),
      ...(before ? [before] : []),
    ],
  };
}

/** A decision that needs words without any is 1157; the second of two is 1156. */
export function decideReview(
  ctx: Ctx,
  id: string,
  { decision, reason_code, reason }: Parsed<typeof contract.decideReview>['body'],
): Promise<AccountReview> {
  if (decision === 'approve') return approveAccount(ctx.tx, ctx, id);
  if (reason_code === 'other' && reason === '') throw new Problem(1157);
  const decide = decision === 'reject' ? rejectAccount : askMore;
  return decide(ctx.tx, ctx, id, { reason_code, reason });
}
