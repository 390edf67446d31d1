import type { OptInForm } from '@parley/contract/opt_in_forms/opt_in_forms.ts';
import { type Queryable, raw, sql, type Tx } from '../kernel/db/db.ts';

/** The parts of a form that its public page needs. */
export interface PublicForm
  extends Pick<
    OptInForm,
    | 'account_id'
    | 'id'
    | 'audience_id'
    | 'status'
    | 'sender_id'
    | 'texts'
    | 'fields'
    | 'purpose'
    | 'country'
    | 'domain'
    | 'origins'
    | 'tags'
    | 'welcome_text'
  > {
  code: string;
  company_name: string;
  channel: string;
  /** The number to which people can write; null if they cannot. */
  reply_number: string | null;
  is_open: boolean;
}

/** Finds the form for a code in a URL. On the domain of an account, only its own forms open. */
export const findPublicForm = (db: Queryable, code: string, host: string) =>
  db.maybeOne<PublicForm>(sql`
    select f.account_id, f.id, f.audience_id, f.status, f.sender_id, f.texts, f.fields, f.purpose, f.country, f.domain,
      f.origins, f.tags, f.welcome_text, f.code, a.company_name, s.channel,
      case when i.address is not null then s.code end as reply_number,
      f.status = 'active' and a.status = 'VERIFIED' and s.status = 'available' as is_open
    from opt_in_form_codes c
    join opt_in_forms f on f.account_id = c.account_id and f.id = c.form_id
    join accounts a on a.id = f.account_id
    join senders s on s.account_id = f.account_id and s.id = f.sender_id
    left join lateral (
      select address from inbound_addresses where channel = s.channel and address = s.code and sender_id = s.id limit 1
    ) i on true
    left join link_domains d on d.host = ${host} and d.verified
    where c.code = ${code} and (d.account_id is null or d.account_id = f.account_id)`);

export type Figure = 'views' | 'started' | 'confirmed' | 'refused';

const FIGURES = { views: raw('views'), started: raw('started'), confirmed: raw('confirmed'), refused: raw('refused') };

/** Adds to the figures of today. */
export const addFigure = (tx: Queryable, { account_id, id }: Pick<PublicForm, 'account_id' | 'id'>, figure: Figure) =>
  tx.run(sql`
    insert into opt_in_form_days as d (account_id, form_id, day, ${FIGURES[figure]})
    values (${account_id}, ${id}, (now() at time zone 'UTC')::date, 1)
    on conflict (account_id, form_id, day) do update set ${FIGURES[figure]} = d.${FIGURES[figure]} + 1`);

export const storeRefusal = (tx: Tx, { account_id, id }: Pick<PublicForm, 'account_id' | 'id'>, text: string) =>
  tx.run(sql`
    update opt_in_forms set last_refusal = ${text}, last_refusal_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);

export interface Submission {
  account_id: string;
  id: string;
  form_id: string;
  token_hash: Buffer;
  number: string;
  country: string;
  entries: Record<string, string>;
  language: string;
  consent: string;
  page: string;
  address: string;
  network: string;
  status: 'pending' | 'confirmed' | 'stopped';
  person_id: string | null;
  welcome_message_id: string | null;
}

export const insertSubmission = (tx: Tx, row: Omit<Submission, 'status' | 'person_id' | 'welcome_message_id'>) =>
  tx.run(sql`
    insert into opt_in_submissions (account_id, id, form_id, token_hash, number, country, entries, language, consent,
      page, address, network, create_date)
    values (${row.account_id}, ${row.id}, ${row.form_id}, ${row.token_hash}, ${row.number}, ${row.country},
      ${JSON.stringify(row.entries)}::jsonb, ${row.language}, ${row.consent}, ${row.page}, ${row.address},
      ${row.network}, ${tx.now})`);

const submissionColumns = raw(`account_id, id, form_id, token_hash, number, country, entries, language, consent, page,
  address, network, status, person_id, welcome_message_id`);

export const findSubmission = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<Submission>(sql`
    select ${submissionColumns} from opt_in_submissions where account_id = ${account_id} and id = ${id}`);

export const lockSubmission = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<Submission>(sql`
    select ${submissionColumns} from opt_in_submissions
    where account_id = ${account_id} and id = ${id} for update`);

export const closeSubmission = (
  tx: Tx,
  { account_id, id }: Pick<Submission, 'account_id' | 'id'>,
  status: Submission['status'],
  person_id: string | null,
) =>
  tx.run(sql`
    update opt_in_submissions set status = ${status}, person_id = ${person_id}::uuid
    where account_id = ${account_id} and id = ${id}`);

export const storeWelcome = (tx: Tx, { account_id, id }: Pick<Submission, 'account_id' | 'id'>, message_id: string) =>
  tx.run(sql`
    update opt_in_submissions set welcome_message_id = ${message_id}
    where account_id = ${account_id} and id = ${id}`);

/** How many numbers a network has entered in the last hour. */
export const countFromNetwork = async (tx: Tx, account_id: string, network: string): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
      select count(*)::int as count from opt_in_submissions
      where account_id = ${account_id} and network = ${network}
        and create_date > ${tx.now}::timestamptz - interval '1 hour'`)
  ).count;

/** Deletes entries that are more than a day old. Confirmed consents are kept. */
export const deleteOldSubmissions = (db: Queryable, limit: number) =>
  db.run(sql`
    delete from opt_in_submissions where (account_id, id) in (
      select account_id, id from opt_in_submissions
      where create_date < now() - interval '1 day' order by create_date limit ${limit})`);

export const readSenderChannel = (db: Queryable, account_id: string, id: string) =>
  db.one<{ channel: string }>(sql`select channel from senders where account_id = ${account_id} and id = ${id}`);
