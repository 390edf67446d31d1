import { DEFAULT_STEPS, type DunningSettings, type OverdueAccount } from '@parley/contract/admin/dunning.ts';
import type { Overdue } from '@parley/contract/billing/overdue.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import type { Page } from '../../kernel/db/list.ts';

export interface Case {
  account_id: string;
  id: string;
  owes: boolean;
  card_refused: boolean;
  step: number;
  next_date: string | null;
  pause_date: string | null;
  is_exempt: boolean;
  timezone: string;
  company_name: string;
}

export async function readSettings(db: Queryable): Promise<DunningSettings> {
  const row = await db.maybeOne<DunningSettings>(sql`select enabled, steps from dunning_settings`);
  return row ?? { enabled: false, steps: DEFAULT_STEPS };
}

export const writeSettings = (tx: Tx, { enabled, steps }: DunningSettings) =>
  tx.run(sql`
    insert into dunning_settings (enabled, steps, update_date)
    values (${enabled}, ${JSON.stringify(steps)}::jsonb, ${tx.now})
    on conflict (sole) do update set enabled = excluded.enabled, steps = excluded.steps,
      update_date = excluded.update_date`);

const caseColumns: Sql = sql`
  c.account_id, c.id, c.owes, c.card_refused, c.step, c.next_date, c.pause_date, a.timezone, a.company_name,
  exists (select from dunning_exemptions e where e.account_id = c.account_id) as is_exempt`;

/** The caller has locked the balance. */
export const openCase = (tx: Tx, account_id: string) =>
  tx.maybeOne<Case>(sql`
    select ${caseColumns} from dunning_cases c join accounts a on a.id = c.account_id
    where c.account_id = ${account_id} and c.close_date is null for update of c`);

export const insertCase = (tx: Tx, account_id: string, facts: { owes: boolean; card_refused: boolean }) =>
  tx.run(sql`
    insert into dunning_cases (account_id, id, owes, card_refused, since)
    values (${account_id}, ${newId()}, ${facts.owes}, ${facts.card_refused}, ${tx.now})`);

export const updateFacts = (tx: Tx, { account_id, id }: Case, facts: { owes: boolean; card_refused: boolean }) =>
  tx.run(sql`
    update dunning_cases set owes = ${facts.owes}, card_refused = ${facts.card_refused}
    where account_id = ${account_id} and id = ${id}`);

export const closeCase = (tx: Tx, { account_id, id }: Case) =>
  tx.run(sql`
    update dunning_cases set close_date = ${tx.now}, next_date = null where account_id = ${account_id} and id = ${id}`);

/** Steps are due in the morning of the account. */
const MORNING = '09:00';

/** `days` counts from the local day on which the case began. Null: no step is left. */
export const setNext = (
  tx: Tx,
  { account_id, id, timezone }: Case,
  days: number | null,
  not_before: Date | null = null,
) =>
  tx.run(sql`
    update dunning_cases set next_date = case when ${days}::int is not null then greatest(
      (((since at time zone ${zone(timezone)})::date + ${days}::int) + ${MORNING}::time) at time zone ${zone(timezone)},
      extend_date, ${not_before}::timestamptz) end
    where account_id = ${account_id} and id = ${id}`);

/** An unknown time zone must not keep an account from its reminders. */
function zone(timeZone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return timeZone;
  } catch {
    return 'UTC';
  }
}

export const setPause = async (tx: Tx, { account_id, id }: Case, isPaused: boolean): Promise<void> => {
  await tx.run(sql`
    update dunning_cases set pause_date = ${isPaused ? tx.now : null} where account_id = ${account_id} and id = ${id}`);
};

export const setExtension = (tx: Tx, { account_id, id }: Case, date: Date | null) =>
  tx.run(sql`
    update dunning_cases set extend_date = ${date} where account_id = ${account_id} and id = ${id}`);

/** Returns false if the step was done before. */
export const recordStep = async (tx: Tx, { account_id, id }: Case, step: number): Promise<boolean> =>
  (await tx.run(sql`
    insert into dunning_steps (account_id, case_id, step, send_date) values (${account_id}, ${id}, ${step}, ${tx.now})
    on conflict do nothing`)) > 0 &&
  (await tx.run(sql`
    update dunning_cases set step = ${step} where account_id = ${account_id} and id = ${id}`)) > 0;

/** Repeats the step after `step`, for a pause that was lifted. */
export const reopenStep = async (tx: Tx, { account_id, id }: Case, step: number): Promise<void> => {
  await tx.run(sql`delete from dunning_steps where account_id = ${account_id} and case_id = ${id} and step > ${step}`);
  await tx.run(sql`update dunning_cases set step = ${step} where account_id = ${account_id} and id = ${id}`);
};

export const listDueAccounts = (db: Queryable, now: Date, limit: number) =>
  db.rows<{ account_id: string }>(sql`
    select account_id from dunning_cases where close_date is null and next_date <= ${now}
    order by next_date, account_id limit ${limit}`);

/** Accounts that owe money and have no open case: the balance fell below zero without a level there. */
export const listUnfollowedAccounts = (db: Queryable, after: string | null, limit: number) =>
  db.rows<{ account_id: string; owes: boolean }>(sql`
    select b.account_id, b.available_micros < 0 and not exists (
      select from dunning_cases c where c.account_id = b.account_id and c.close_date is null) as owes
    from balances b where ${after === null ? sql`true` : sql`b.account_id > ${after}::uuid`}
    order by b.account_id limit ${limit}`);

const listColumns: Sql = sql`
  c.account_id, a.company_name, b.currency, greatest(0, -b.available_micros) as owed_micros, c.card_refused, c.since,
  c.step, c.next_date, c.extend_date, c.pause_date, e.reason as exempt_reason`;
const fromCases: Sql = sql`
  from dunning_cases c join accounts a on a.id = c.account_id join balances b on b.account_id = c.account_id
  left join dunning_exemptions e on e.account_id = c.account_id
  where c.close_date is null`;

export const listOverdue = (db: Queryable, page: Page) =>
  db.rows<OverdueAccount>(sql`
    select ${listColumns} ${fromCases} order by c.since, c.account_id limit ${page.size + 1} offset ${page.offset}`);
export const countOverdue = async (db: Queryable): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from dunning_cases where close_date is null`)).count;
export const findOverdueAccount = (db: Queryable, account_id: string) =>
  db.maybeOne<OverdueAccount>(sql`select ${listColumns} ${fromCases} and c.account_id = ${account_id}`);

export const readOverdue = (db: Queryable, account_id: string) =>
  db.maybeOne<Overdue>(sql`
    select c.account_id, greatest(0, -b.available_micros) as owed_micros, b.currency, c.card_refused, c.since,
           c.next_date, c.pause_date is not null as paused
    from dunning_cases c join balances b on b.account_id = c.account_id
    where c.account_id = ${account_id} and c.close_date is null
      and not exists (select from dunning_exemptions e where e.account_id = c.account_id)`);

export const exempt = (tx: Tx, account_id: string, user_id: string, reason: string) =>
  tx.run(sql`
    insert into dunning_exemptions (account_id, user_id, reason, create_date)
    values (${account_id}, ${user_id}, ${reason}, ${tx.now})
    on conflict (account_id) do update set user_id = excluded.user_id, reason = excluded.reason`);
export const endExemption = (tx: Tx, account_id: string) =>
  tx.run(sql`delete from dunning_exemptions where account_id = ${account_id}`);
