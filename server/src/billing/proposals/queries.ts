import type { BalanceProposal, ProposalKind } from '@parley/contract/admin/balance_proposals.ts';
import { and, type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP, type Page } from '../../kernel/db/list.ts';

/** Proposals that have expired keep the status `waiting` until the next one of the account is stored. */
const status: Sql = sql`case when p.status = 'waiting' and p.expire_date <= now() then 'expired' else p.status end`;
const name = (id: Sql): Sql => sql`(select trim(u.first_name || ' ' || u.last_name) from users u where u.id = ${id})`;

const columns = (caller: string | null): Sql => sql`
  p.id, p.account_id, a.company_name, p.kind, ${status} as status, p.amount_micros, a.currency, p.reason, p.reference,
  p.payment_id, coalesce(${name(sql`p.user_id`)}, '') as proposed_by,
  coalesce(p.user_id = ${caller}::uuid, false) as is_own, ${name(sql`p.decide_user_id`)} as decided_by,
  p.decision_reason, p.decide_date, p.expire_date, p.create_date`;
const joined: Sql = sql`balance_proposals p join accounts a on a.id = p.account_id`;

interface ProposalFilter {
  statuses?: readonly string[] | undefined;
  account_id?: string | undefined;
}

const matches = ({ statuses, account_id }: ProposalFilter): Sql =>
  and([statuses?.length && sql`${status} = any(${statuses}::text[])`, account_id && sql`p.account_id = ${account_id}`]);

export const listProposals = (db: Queryable, caller: string | null, filter: ProposalFilter, page: Page) =>
  db.rows<BalanceProposal>(sql`
    select ${columns(caller)} from ${joined} where ${matches(filter)}
    order by p.id desc limit ${page.size + 1} offset ${page.offset}`);

export const countProposals = async (db: Queryable, filter: ProposalFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from balance_proposals p where ${matches(filter)} limit ${CAP + 1}) capped`)
  ).count;

export const readProposal = (db: Queryable, caller: string | null, account_id: string, id: string) =>
  db.one<BalanceProposal>(sql`
    select ${columns(caller)} from ${joined} where p.account_id = ${account_id} and p.id = ${id}`);

interface NewProposal {
  account_id: string;
  id: string;
  kind: ProposalKind;
  amount_micros: number;
  reason: string;
  reference: string | null;
  payment_id: string | null;
  user_id: string;
  expire_date: Date;
}

/** Returns false if a proposal with the same payment or reference waits. */
export const insertProposal = async (tx: Tx, row: NewProposal): Promise<boolean> =>
  (await tx.run(sql`
    insert into balance_proposals (account_id, id, kind, amount_micros, reason, reference, payment_id, user_id,
      expire_date, create_date)
    values (${row.account_id}, ${row.id}, ${row.kind}, ${row.amount_micros}, ${row.reason}, ${row.reference},
            ${row.payment_id}, ${row.user_id}, ${row.expire_date}, ${tx.now})
    on conflict do nothing`)) > 0;

/** Stores the status of the proposals of an account that have expired, so that they no longer block new ones. */
export const expireProposals = (tx: Tx, account_id: string) =>
  tx.run(sql`
    update balance_proposals set status = 'expired'
    where account_id = ${account_id} and status = 'waiting' and expire_date <= ${tx.now}`);

/** The waiting proposal of the same caller for the same change, which a double click finds. */
export const findSameProposal = (
  tx: Tx,
  { account_id, kind, amount_micros, reference, payment_id, user_id }: Omit<NewProposal, 'id'>,
) =>
  tx.maybeOne<{ id: string }>(sql`
    select id from balance_proposals
    where account_id = ${account_id} and kind = ${kind} and amount_micros = ${amount_micros} and status = 'waiting'
      and reference is not distinct from ${reference}::text and payment_id is not distinct from ${payment_id}::uuid
      and user_id = ${user_id}`);

export interface ProposalRow extends Omit<NewProposal, 'expire_date'> {
  status: BalanceProposal['status'];
  refund_micros: number | null;
  decide_user_id: string | null;
  /** True if both users are the same person, who can be in several companies. */
  is_own: boolean;
  proposed_by: string;
}

export const lockProposal = (tx: Tx, caller: string, account_id: string, id: string) =>
  tx.maybeOne<ProposalRow>(sql`
    select p.account_id, p.id, p.kind, ${status} as status, p.amount_micros, p.reason, p.reference, p.payment_id,
      p.user_id, p.refund_micros, p.decide_user_id, coalesce(${name(sql`p.user_id`)}, '') as proposed_by,
      p.user_id = ${caller} or exists (
        select from users mine join users theirs on theirs.login_id = mine.login_id
        where mine.id = ${caller} and theirs.id = p.user_id) as is_own
    from balance_proposals p where p.account_id = ${account_id} and p.id = ${id} for update of p`);

interface Decision {
  account_id: string;
  id: string;
  status: 'applied' | 'processing' | 'rejected';
  user_id: string;
  reason?: string | undefined;
  refund_micros?: number;
}

export const storeDecision = (tx: Tx, { account_id, id, status, user_id, reason, refund_micros }: Decision) =>
  tx.run(sql`
    update balance_proposals set status = ${status}, decide_user_id = ${user_id}, decide_date = ${tx.now},
      decision_reason = ${reason ?? null}, refund_micros = ${refund_micros ?? null}
    where account_id = ${account_id} and id = ${id}`);

/** The account of the operator who approved it, for the audit log. */
export const findProcessing = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<ProposalRow & { refund_micros: number; decide_user_id: string; operators_id: string }>(sql`
    select p.account_id, p.id, p.kind, p.status, p.amount_micros, p.reason, p.reference, p.payment_id, p.user_id,
      p.refund_micros, p.decide_user_id, coalesce(${name(sql`p.user_id`)}, '') as proposed_by, false as is_own,
      (select u.account_id from users u where u.id = p.decide_user_id) as operators_id
    from balance_proposals p where p.account_id = ${account_id} and p.id = ${id} and p.status = 'processing'`);

/** Returns false if the refund has ended before. */
export const endProcessing = async (
  tx: Tx,
  { account_id, id }: Pick<ProposalRow, 'account_id' | 'id'>,
  status: 'applied' | 'failed',
  reason: string | null = null,
): Promise<boolean> =>
  (await tx.run(sql`
    update balance_proposals set status = ${status}, decision_reason = ${reason}
    where account_id = ${account_id} and id = ${id} and status = 'processing'`)) > 0;
