-- Automations: campaigns that start automatically when something happens to a person. Their runs are campaigns of
-- their own, as those of repeating campaigns.
alter table campaigns
  -- See CampaignTrigger in the contract. Null: no automation. A run has the trigger of its automation.
  add column trigger jsonb,
  -- For `no_reply`: the source campaigns that ended until then have had their run.
  add column trigger_date timestamptz,
  -- A run of people who join or write gets further people until then, and does not end before.
  add column open_until timestamptz;

-- What the active automations wait for: an audience, a field, a campaign, or a keyword.
create table campaign_triggers (
  account_id uuid not null,
  campaign_id uuid not null,
  kind text not null check (kind in ('joined', 'date', 'no_reply', 'keyword')),
  target_id uuid not null,
  -- Whether contacts that an import added count.
  imports boolean not null,
  primary key (account_id, campaign_id, target_id)
);
create index campaign_triggers_target on campaign_triggers (account_id, kind, target_id);

-- What happened to people: each row stands for at most one message.
create table campaign_entries (
  account_id uuid not null,
  -- The automation.
  campaign_id uuid not null,
  number text not null,
  -- The ID of the contact, of the keyword message, or of the source campaign, or the day.
  occurrence text not null,
  -- When the run is due; after that, the time of the run. `infinity`: the automation is paused.
  due_date timestamptz not null,
  -- The campaign that has the person as a recipient. Null: the person waits.
  run_id uuid,
  primary key (account_id, campaign_id, number, occurrence)
);
create index campaign_entries_due on campaign_entries (due_date) where run_id is null;
create index campaign_entries_waiting on campaign_entries (account_id, campaign_id, due_date) where run_id is null;
create index campaign_entries_run on campaign_entries (account_id, run_id) where run_id is not null;
create index campaign_entries_number on campaign_entries (account_id, number);

-- The dates in the fields of people, so that those of a day are found without reading all people.
create table person_dates (
  account_id uuid not null,
  person_id uuid not null,
  -- The key of the field.
  key text not null,
  date date not null,
  -- The month and the day, such as 229 for 29 February.
  day smallint not null generated always as (extract(month from date) * 100 + extract(day from date)) stored,
  primary key (account_id, person_id, key)
);
create index person_dates_day on person_dates (account_id, key, day, person_id);
create index person_dates_date on person_dates (account_id, key, date, person_id);

-- Accounts whose people from before this release do not all have their dates yet, and the last person that was read.
create table person_date_fills (
  account_id uuid primary key,
  person_id uuid
);

-- Notes who joined an audience that an automation waits for, whoever wrote the contact.
create function note_joined() returns trigger language plpgsql set enable_hashjoin to 'off' set enable_mergejoin to
  'off' set enable_seqscan to 'off' as $function$
begin
  if not exists (
    select from (select distinct account_id, audience_id from changed) a
    cross join lateral (
      select from campaign_triggers t
      where t.account_id = a.account_id and t.kind = 'joined' and t.target_id = a.audience_id limit 1
    ) t
  ) then
    return null;
  end if;
  insert into campaign_entries (account_id, campaign_id, number, occurrence, due_date)
  select n.account_id, t.campaign_id, n.number, n.id::text, now()
  from changed n
  join campaign_triggers t on t.account_id = n.account_id and t.kind = 'joined' and t.target_id = n.audience_id
  where t.imports or n.import_id is null
  on conflict do nothing;
  return null;
end $function$;
create trigger contacts_start_campaigns after insert on contacts referencing new table as changed
  for each statement execute function note_joined();

-- Keeps the dates of people equal to their fields.
create function keep_person_dates() returns trigger language plpgsql set enable_hashjoin to 'off' set enable_mergejoin
  to 'off' set enable_seqscan to 'off' as $function$
begin
  if not exists (select from changed where fields <> '{}') and (tg_op = 'INSERT') then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    delete from person_dates d using changed n
    where d.account_id = n.account_id and d.person_id = n.id and n.fields ->> d.key is distinct from d.date::text;
  end if;
  insert into person_dates (account_id, person_id, key, date)
  select n.account_id, n.id, f.key, (n.fields ->> f.key)::date
  from changed n
  join contact_fields f on f.account_id = n.account_id and f.kind = 'date'
  where n.fields ->> f.key ~ '^\d{4}-\d\d-\d\d$'
  on conflict (account_id, person_id, key) do update set date = excluded.date where person_dates.date <> excluded.date;
  return null;
end $function$;
create function drop_person_dates() returns trigger language plpgsql as $function$
begin
  delete from person_dates d using removed r
  where d.account_id = r.account_id and d.person_id = r.id;
  return null;
end $function$;
create trigger people_have_dates after insert on people referencing new table as changed
  for each statement execute function keep_person_dates();
create trigger people_keep_dates after update on people referencing new table as changed
  for each statement execute function keep_person_dates();
create trigger people_lose_dates after delete on people referencing old table as removed
  for each statement execute function drop_person_dates();
