import type { OptInForm, OptInFormStat } from '@parley/contract/opt_in_forms/opt_in_forms.ts';
import { type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { CAP, type Page } from '../kernel/db/list.ts';

/** A form with the code of its address instead of the address. */
export type FormRow = Omit<OptInForm, 'url'> & { code: string };

const columns = raw(`
  f.id, f.account_id, f.audience_id, a.name as audience_name, f.name, f.status, f.sender_id,
  coalesce(s.name, '') as sender_name, f.texts, f.fields, f.purpose, f.country, f.domain, f.origins, f.tags,
  f.welcome_text, f.code, f.last_refusal, f.last_refusal_date, f.create_date, f.update_date,
  coalesce(d.views, 0)::int as views, coalesce(d.started, 0)::int as started,
  coalesce(d.confirmed, 0)::int as confirmed, coalesce(d.refused, 0)::int as refused`);
const withNames = raw(`
  opt_in_forms f join audiences a on a.account_id = f.account_id and a.id = f.audience_id
  left join senders s on s.account_id = f.account_id and s.id = f.sender_id
  left join lateral (
    select sum(views) as views, sum(started) as started, sum(confirmed) as confirmed, sum(refused) as refused
    from opt_in_form_days where account_id = f.account_id and form_id = f.id) d on true`);

const matches = (account_id: string, audience_id: string | undefined): Sql =>
  sql`f.account_id = ${account_id} ${audience_id ? sql`and f.audience_id = ${audience_id}` : sql``}`;

export const listForms = (db: Queryable, account_id: string, audience_id: string | undefined, page: Page) =>
  db.rows<FormRow>(sql`
    select ${columns} from ${withNames} where ${matches(account_id, audience_id)}
    order by f.id desc offset ${page.offset} limit ${page.size + 1}`);

export const countForms = async (db: Queryable, account_id: string, audience_id: string | undefined): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select 1 from opt_in_forms f where ${matches(account_id, audience_id)} limit ${CAP + 1}) capped`)
  ).count;

export const findForm = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<FormRow>(sql`
    select ${columns} from ${withNames} where f.account_id = ${account_id} and f.id = ${id}`);

export const lockForm = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne(sql`select from opt_in_forms where account_id = ${account_id} and id = ${id} for update`);

/** The settings that an account can change. */
type Settings = Pick<
  FormRow,
  | 'sender_id'
  | 'name'
  | 'status'
  | 'texts'
  | 'fields'
  | 'purpose'
  | 'country'
  | 'domain'
  | 'origins'
  | 'tags'
  | 'welcome_text'
>;

export async function insertForm(
  tx: Tx,
  form: Settings & Pick<FormRow, 'account_id' | 'id' | 'audience_id' | 'code'>,
): Promise<void> {
  const { account_id, id, audience_id, code } = form;
  await tx.run(sql`
    insert into opt_in_forms (account_id, id, audience_id, sender_id, name, status, texts, fields, purpose, country,
      domain, origins, tags, welcome_text, code, create_date, update_date)
    values (${account_id}, ${id}, ${audience_id}, ${form.sender_id}, ${form.name}, ${form.status},
      ${JSON.stringify(form.texts)}::jsonb, ${JSON.stringify(form.fields)}::jsonb, ${form.purpose}, ${form.country},
      ${form.domain}, ${form.origins}::text[], ${form.tags}::text[], ${form.welcome_text}, ${code}, ${tx.now},
      ${tx.now})`);
  await tx.run(sql`
    insert into opt_in_form_codes (code, account_id, form_id) values (${code}, ${account_id}, ${id})`);
}

export const updateForm = (tx: Tx, form: Settings & Pick<FormRow, 'account_id' | 'id'>) =>
  tx.run(sql`
    update opt_in_forms set sender_id = ${form.sender_id}, name = ${form.name}, status = ${form.status},
      texts = ${JSON.stringify(form.texts)}::jsonb, fields = ${JSON.stringify(form.fields)}::jsonb,
      purpose = ${form.purpose}, country = ${form.country}, domain = ${form.domain},
      origins = ${form.origins}::text[], tags = ${form.tags}::text[], welcome_text = ${form.welcome_text},
      update_date = ${tx.now}
    where account_id = ${form.account_id} and id = ${form.id}`);

/** Deletes the form with its figures and entries. Consents are kept. */
export async function deleteForm(tx: Tx, account_id: string, id: string): Promise<boolean> {
  const deleted = await tx.run(sql`delete from opt_in_forms where account_id = ${account_id} and id = ${id}`);
  if (deleted === 0) return false;
  await tx.run(sql`delete from opt_in_form_codes where account_id = ${account_id} and form_id = ${id}`);
  await tx.run(sql`delete from opt_in_form_days where account_id = ${account_id} and form_id = ${id}`);
  await tx.run(sql`delete from opt_in_submissions where account_id = ${account_id} and form_id = ${id}`);
  return true;
}

export const listFormDays = (db: Queryable, account_id: string, id: string, since: Date) =>
  db.rows<OptInFormStat['days'][number]>(sql`
    select to_char(day, 'YYYY-MM-DD') as date, views, started, confirmed, refused from opt_in_form_days
    where account_id = ${account_id} and form_id = ${id} and day >= ${since} order by day`);

/** A sender that can send codes: its channel and its number, if people can reply to it. */
export const findSender = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<{ channel: string; status: string }>(
    sql`select channel, status from senders where account_id = ${account_id} and id = ${id}`,
  );
