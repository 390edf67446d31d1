-- Contacts that a CRM and an account share, and messages that the stages of deals send.
create table crm_syncs (
  account_id uuid not null,
  provider text not null,
  is_on boolean not null default false,
  direction text not null check (direction in ('to_parley', 'to_crm', 'both')),
  -- Whose change counts if both sides changed the same field.
  rule text not null check (rule in ('crm', 'parley', 'newest')),
  audience_id uuid,
  -- CrmFieldMap, CrmConsentMap, and CrmOptOutMap in the contract.
  fields jsonb not null default '[]',
  consents jsonb not null default '[]',
  opt_out jsonb,
  -- `records` and `contacts`: the parts of a full sync.
  stage text not null default 'idle' check (stage in ('idle', 'records', 'contacts')),
  -- Where the stage continues.
  cursor text,
  processed_count integer not null default 0,
  -- Changes after this time have not been read from the CRM.
  since timestamptz,
  full_date timestamptz,
  sync_date timestamptz,
  last_error text,
  -- The webhooks at the CRM.
  hook_ids text[] not null default '{}',
  has_triggers boolean not null default false,
  -- Deals that changed after this time have not been read.
  deals_since timestamptz,
  -- The CRM asked for a pause until then.
  hold_date timestamptz not null default now(),
  next_date timestamptz not null default now(),
  primary key (account_id, provider)
);
create index crm_syncs_due on crm_syncs (next_date) where is_on or has_triggers;

-- A record of the CRM and the number that it belongs to. Both are unique.
create table crm_links (
  account_id uuid not null,
  provider text not null,
  id uuid not null,
  -- Null: the record is being created.
  record_id text,
  -- Null: the record has no number of its own, or the person was erased.
  number text,
  -- `creating`: the CRM may have the record. `removed`: the contact was removed from the audience. `erased`: the person
  -- was erased, and stays so.
  state text not null check (state in ('synced', 'creating', 'removed', 'erased', 'failed')),
  -- What each side had after the last sync: pairs of values, of the CRM and of Parley, by their keys.
  base jsonb not null default '{}',
  -- The name at the CRM, and what is wrong.
  label text,
  error text,
  update_date timestamptz not null default now(),
  primary key (account_id, provider, id)
);
create unique index crm_links_record on crm_links (account_id, provider, record_id) where record_id is not null;
create unique index crm_links_number on crm_links (account_id, provider, number) where number is not null;
create index crm_links_failed on crm_links (account_id, provider, id) where state = 'failed';

-- What may have changed: records and deals of the CRM by their IDs, and people by their numbers. Rows are only added,
-- and removed after they have been synced, so writers never wait for each other.
create table crm_changes (
  account_id uuid not null,
  provider text not null,
  id bigint generated always as identity,
  kind text not null check (kind in ('record', 'number', 'deal')),
  key text not null,
  primary key (account_id, provider, id)
);

-- Writes of the sync itself are not noted for the CRM that they come from.
create function note_crm_changes(numbers text[], account uuid, audience uuid) returns void language sql as $function$
  insert into crm_changes (account_id, provider, kind, key)
  select s.account_id, s.provider, 'number', n.number
  from crm_syncs s cross join unnest(numbers) as n(number)
  where s.account_id = account and s.is_on and s.direction <> 'to_parley'
    and s.provider is distinct from current_setting('parley.crm_sync', true)
    and (s.audience_id = audience or audience is null and exists (
      select from crm_links l
      where l.account_id = s.account_id and l.provider = s.provider and l.number = n.number))
$function$;

create function note_crm_contacts() returns trigger language plpgsql as $function$
declare
  part record;
begin
  for part in
    select c.account_id, c.audience_id from (select distinct account_id, audience_id from changed) c
    where exists (select from crm_syncs s where s.account_id = c.account_id and s.is_on)
  loop
    perform note_crm_changes(
      array(select number from changed where account_id = part.account_id and audience_id = part.audience_id),
      part.account_id, part.audience_id);
  end loop;
  return null;
end $function$;

create function note_crm_people() returns trigger language plpgsql as $function$
declare
  account uuid;
begin
  for account in
    select c.account_id from (select distinct account_id from changed) c
    where exists (select from crm_syncs s where s.account_id = c.account_id and s.is_on)
  loop
    perform note_crm_changes(array(select number from changed where account_id = account), account, null);
  end loop;
  return null;
end $function$;

create trigger contacts_come_to_crm after insert on contacts referencing new table as changed
  for each statement execute function note_crm_contacts();
create trigger contacts_leave_crm after delete on contacts referencing old table as changed
  for each statement execute function note_crm_contacts();
create trigger people_change_in_crm after update on people referencing new table as changed
  for each statement execute function note_crm_people();
create trigger consents_change_in_crm after insert on consents referencing new table as changed
  for each statement execute function note_crm_people();
