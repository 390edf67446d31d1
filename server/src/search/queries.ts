import type { Bucket } from '@parley/contract/inbox/inbox.ts';
import type { SearchKind, SearchResult } from '@parley/contract/search/search.ts';
import { customPlan, join, type Queryable, type Sql, sql } from '../kernel/db/db.ts';
import { likePattern, numberRange, prefixPattern } from '../kernel/db/list.ts';

interface Scope {
  account_id: string;
  user_id: string | null;
  /** The buckets of the inbox that the caller may view. */
  buckets: readonly Bucket[];
}

export interface Search extends Scope {
  text: string;
  /** A `like` pattern for each word; a name must match all of them. */
  words: readonly string[];
  /** The pattern of names that begin with the text, in lower case. */
  prefix: string;
  /** The first digits of a phone number; null if the text is not a number. */
  digits: string | null;
  /** The text if it is the id of a record. */
  id: string | null;
}

/** Results of each kind. */
const LIMIT = 5;
/** The conversations in which profile names are searched, newest first: they have no index. */
const RECENT_CONVERSATIONS = 2_000;
/** The people whose conversations are looked up by name. */
const PEOPLE = 20;
const MIN_DIGITS = 3;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function readText(scope: Scope, given: string): Search {
  const text = given.trim().replace(/\s+/g, ' ').toLowerCase();
  const digits = /^[\d\s+().-]+$/.test(text) ? text.replace(/\D/g, '').replace(/^00/, '') : '';
  return {
    ...scope,
    text,
    words: text.split(' ').map(likePattern),
    prefix: prefixPattern(text),
    digits: digits.length >= MIN_DIGITS ? digits : null,
    id: UUID.test(text) ? text : null,
  };
}

export const findRecords = async (
  db: Queryable,
  search: Search,
  kinds: readonly SearchKind[],
): Promise<SearchResult[]> => {
  const parts = kinds.map((kind) => FINDERS[kind](search)).filter((part) => part !== null);
  if (parts.length === 0) return [];
  return db.rows<SearchResult>(
    customPlan(
      join(
        parts.map((part) => sql`(${part})`),
        ' union all ',
      ),
    ),
  );
};

interface Columns {
  id: Sql;
  title: Sql;
  detail?: Sql;
  channel?: Sql;
  number?: Sql;
  audience_id?: Sql;
  bucket?: Sql;
}
const NONE = sql`null::text`;

const select = (kind: SearchKind, columns: Columns): Sql => sql`
  select ${kind}::text as kind, ${columns.id}::text as id, ${columns.title}::text as title,
         ${columns.detail ?? sql`''`}::text as detail, ${columns.channel ?? NONE} as channel,
         ${columns.number ?? NONE} as number, ${columns.audience_id ?? NONE}::text as audience_id,
         ${columns.bucket ?? NONE} as bucket`;

/** Rows whose `column` contains every word, or that have the id. */
const named = ({ words, id }: Search, column: Sql, key: Sql): Sql =>
  id === null ? sql`${column} ilike all(${words}::text[])` : sql`${key} = ${id}`;
const bestFirst = ({ prefix }: Search, name: Sql, date: Sql): Sql =>
  sql`order by lower(${name}) like ${prefix} desc, ${date} desc limit ${LIMIT}`;

const campaigns = (search: Search): Sql => sql`
  ${select('campaign', { id: sql`c.id`, title: sql`c.name`, channel: sql`c.channel` })}
  from campaigns c where c.account_id = ${search.account_id} and ${named(search, sql`c.name`, sql`c.id`)}
  ${bestFirst(search, sql`c.name`, sql`c.update_date`)}`;

const audiences = (search: Search): Sql => sql`
  ${select('audience', { id: sql`a.id`, title: sql`a.name` })}
  from audiences a where a.account_id = ${search.account_id} and ${named(search, sql`a.name`, sql`a.id`)}
  ${bestFirst(search, sql`a.name`, sql`a.update_date`)}`;

const templates = (search: Search): Sql => sql`
  ${select('template', {
    id: sql`t.id`,
    title: sql`t.name`,
    detail: sql`left(t.text, 80)`,
    channel: sql`t.channel`,
  })}
  from templates t
  where t.account_id = ${search.account_id} and t.delete_date is null
    and ${named(search, sql`t.name || ' ' || t.text`, sql`t.id`)}
  ${bestFirst(search, sql`t.name`, sql`t.update_date`)}`;

const senders = (search: Search): Sql => sql`
  ${select('sender', { id: sql`s.id`, title: sql`s.name`, detail: sql`s.code`, channel: sql`s.channel` })}
  from senders s
  where s.account_id = ${search.account_id} and s.delete_date is null and s.shared_from is null
    and ${
      search.digits === null
        ? named(search, sql`s.name || ' ' || s.code || ' ' || s.business_name`, sql`s.id`)
        : sql`s.code like ${likePattern(search.digits)}`
    }
  ${bestFirst(search, sql`s.name`, sql`s.update_date`)}`;

/** Contacts whose full name or last name begins with the text, from the two indexes of names. */
const peopleByName = ({ account_id, prefix }: Search, limit: number): Sql => sql`
  (select k.* from contacts k
   where k.account_id = ${account_id} and k.first_name <> ''
     and lower(k.first_name || ' ' || k.last_name) like ${prefix}
   limit ${limit})
  union all
  (select k.* from contacts k
   where k.account_id = ${account_id} and k.last_name <> '' and lower(k.last_name) like ${prefix}
   limit ${limit})`;

/** Numbers are indexed by audience, and the index does not sort them, so the first ones found are taken. */
const peopleByNumber = ({ account_id }: Search, digits: string, limit: number): Sql => sql`
  select k.* from audiences a cross join lateral (
    select * from contacts k
    where k.account_id = a.account_id and k.audience_id = a.id and k.number like ${prefixPattern(digits)}
    limit ${limit}) k
  where a.account_id = ${account_id} limit ${limit}`;

/** The same person may be in several audiences; the contact that changed last is shown. */
const contacts = (search: Search): Sql | null =>
  search.id === null
    ? sql`
  ${select('contact', {
    id: sql`p.id`,
    title: sql`coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), '+' || p.number)`,
    number: sql`p.number`,
    audience_id: sql`p.audience_id`,
  })}
  from (
    select distinct on (number) * from (${
      search.digits === null ? peopleByName(search, PEOPLE) : peopleByNumber(search, search.digits, PEOPLE)
    }) people
    order by number, update_date desc
  ) p
  order by title limit ${LIMIT}`
    : null;

const bucket = (user_id: string | null): Sql =>
  sql`case when c.assignee_id is null then 'none' when c.assignee_id = ${user_id}::uuid then 'self' else 'others' end`;

/** The conversations that may match: by id, by number, or by the name of a contact or a recent profile. */
function conversationKeys(search: Search): Sql {
  const { account_id, id, digits } = search;
  if (id !== null) return sql`select c.id from conversations c where c.account_id = ${account_id} and c.id = ${id}`;
  if (digits !== null)
    return sql`
      select c.id from senders s cross join lateral (
        select c.id from conversations c
        where c.account_id = s.account_id and c.sender_id = s.id and ${numberRange(sql`c.number`, digits)}
        order by c.number limit ${LIMIT}) c
      where s.account_id = ${account_id} limit ${PEOPLE}`;
  return sql`
    select c.id from (select distinct number from (${peopleByName(search, PEOPLE)}) people limit ${PEOPLE}) k
    cross join senders s
    join conversations c on c.account_id = s.account_id and c.sender_id = s.id and c.number = k.number
    where s.account_id = ${account_id}
    union
    select c.id from (
      select id, profile_name, alias from conversations
      where account_id = ${account_id} and delete_date is null
      order by timestamp desc limit ${RECENT_CONVERSATIONS}) c
    where c.profile_name ilike all(${search.words}::text[]) or c.alias ilike all(${search.words}::text[])`;
}

const conversations = (search: Search): Sql => sql`
  ${select('conversation', {
    id: sql`c.id`,
    title: sql`coalesce(contact.name, nullif(c.profile_name, ''), '+' || c.number)`,
    detail: sql`s.name`,
    channel: sql`c.channel`,
    number: sql`c.number`,
    bucket: bucket(search.user_id),
  })}
  from (${conversationKeys(search)}) found
  join conversations c on c.account_id = ${search.account_id} and c.id = found.id
  join senders s on s.account_id = c.account_id and s.id = c.sender_id
  left join lateral (
    select concat_ws(' ', nullif(k.first_name, ''), nullif(k.last_name, '')) as name
    from audiences a join contacts k on k.account_id = a.account_id and k.audience_id = a.id
    where a.account_id = c.account_id and k.number = c.number and (k.first_name <> '' or k.last_name <> '')
    order by k.update_date desc limit 1
  ) contact on true
  where c.delete_date is null and ${bucket(search.user_id)} = any(${search.buckets}::text[])
  order by c.timestamp desc limit ${LIMIT}`;

const messages = ({ account_id, id }: Search): Sql | null =>
  id === null
    ? null
    : sql`
  ${select('message', {
    id: sql`m.id`,
    title: sql`coalesce(nullif(left(m.text, 80), ''), m.type)`,
    detail: sql`'+' || m.number`,
    channel: sql`m.channel`,
  })}
  from messages m where m.account_id = ${account_id} and m.id = ${id}`;

/** Jumps from number to number in the index, so that its cost does not depend on the number of messages. */
const numbers = ({ account_id, digits }: Search): Sql | null => {
  if (digits === null) return null;
  const next = (after: Sql): Sql => sql`
    (select m.number from messages m
     where m.account_id = ${account_id} and ${numberRange(sql`m.number`, digits)} ${after}
     order by m.number limit 1)`;
  return sql`
  with recursive hits as (
    select n.number, 1 as place from (${next(sql``)}) n
    union all
    select n.number, hits.place + 1
    from hits cross join lateral (${next(sql`and m.number > hits.number`)}) n
    where hits.place < ${LIMIT}
  )
  ${select('number', { id: sql`h.number`, title: sql`'+' || h.number`, number: sql`h.number` })} from hits h`;
};

const FINDERS: Readonly<Record<SearchKind, (search: Search) => Sql | null>> = {
  campaign: campaigns,
  conversation: conversations,
  contact: contacts,
  audience: audiences,
  template: templates,
  sender: senders,
  message: messages,
  number: numbers,
};
