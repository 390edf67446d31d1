-- People: one row for each number of an account, however many audiences the number is in. A contact holds the texts
-- that one audience gave; a person holds what is true for all of them.
create table people (
  account_id uuid not null,
  id uuid not null,
  number text not null,
  country text not null,
  -- The texts that any audience gave last.
  first_name text not null default '',
  last_name text not null default '',
  custom1 text not null default '',
  custom2 text not null default '',
  -- A language tag, such as en or pt-BR. Empty: unknown.
  language text not null default '',
  -- An IANA time zone. Empty: unknown.
  timezone text not null default '',
  tags text[] not null default '{}',
  -- The values of the account's own fields by their keys: texts, numbers, booleans, and dates as yyyy-MM-dd.
  fields jsonb not null default '{}',
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index people_number on people (account_id, number text_pattern_ops);

-- The account's own fields for people.
create table contact_fields (
  account_id uuid not null,
  id uuid not null,
  -- The name in variables, files, and calls. It never changes.
  key text not null,
  label text not null,
  kind text not null check (kind in ('text', 'number', 'date', 'boolean', 'choice')),
  choices text[] not null default '{}',
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index contact_fields_key on contact_fields (account_id, key);

-- Accounts whose contacts from before this release do not all have a person yet, and the last contact that was read.
create table people_fills (
  account_id uuid primary key,
  audience_id uuid,
  contact_id uuid
);
insert into people_fills (account_id) select distinct account_id from audiences;

-- Every contact has a person. A text that a contact has replaces the text of the person; an empty one replaces nothing.
-- The order of the numbers keeps two imports of one account from deadlocking. Joins are disabled because the planner
-- knows nothing about the size of the changed rows.
create function keep_people() returns trigger language plpgsql as $$
begin
  insert into people as p (account_id, id, number, country, first_name, last_name, custom1, custom2, create_date,
    update_date)
  select distinct on (account_id, number) account_id, case when tg_op = 'INSERT' then id else gen_random_uuid() end,
         number, country, first_name, last_name, custom1, custom2, update_date, update_date
  from changed
  order by account_id, number, update_date desc
  on conflict (account_id, number) do update set
    first_name = coalesce(nullif(excluded.first_name, ''), p.first_name),
    last_name = coalesce(nullif(excluded.last_name, ''), p.last_name),
    custom1 = coalesce(nullif(excluded.custom1, ''), p.custom1),
    custom2 = coalesce(nullif(excluded.custom2, ''), p.custom2),
    update_date = excluded.update_date
  where excluded.first_name not in ('', p.first_name) or excluded.last_name not in ('', p.last_name)
     or excluded.custom1 not in ('', p.custom1) or excluded.custom2 not in ('', p.custom2);
  return null;
end $$;
create trigger contacts_have_people after insert on contacts
  referencing new table as changed for each statement execute function keep_people();
create trigger contacts_keep_people after update on contacts
  referencing new table as changed for each statement execute function keep_people();

-- A person who leaves the last audience goes, unless the account stored something about the person.
create function drop_people() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from people p using (select distinct account_id, number from removed) r
  where p.account_id = r.account_id and p.number = r.number and p.tags = '{}' and p.fields = '{}'
    and p.language = '' and p.timezone = ''
    and not exists (select from contacts c where c.account_id = r.account_id and c.number = r.number);
  return null;
end $$;
create trigger contacts_leave_people after delete on contacts
  referencing old table as removed for each statement execute function drop_people();
