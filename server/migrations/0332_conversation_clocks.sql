-- Targets for the first response and the resolution of conversations, and the clocks of open conversations. A trigger
-- keeps the clocks. Only accounts with targets have rows, and only for open conversations.
alter table inbox_settings
  -- Null: no target.
  add column response_target_minutes integer,
  add column resolution_target_minutes integer,
  -- Whether the targets count only office hours.
  add column targets_in_office_hours boolean not null default true,
  -- Added to conversations that miss a target.
  add column overdue_label_id uuid;
alter table inbox_teams
  -- The targets of conversations that are assigned to users of the team. Null: those of the account.
  add column response_target_minutes integer,
  add column resolution_target_minutes integer;
alter table conversation_episodes
  -- When the targets were due, for the reports. The resolution is due later if the conversation was snoozed.
  add column response_due timestamptz,
  add column resolution_due timestamptz;

create table conversation_clocks (
  account_id uuid not null,
  conversation_id uuid not null,
  episode_id uuid not null,
  -- Null: no target, no message of the contact, or a user has replied.
  response_due timestamptz,
  -- The same until the miss of the target is recorded.
  response_check timestamptz,
  -- Null: no target, or the clock is paused.
  resolution_due timestamptz,
  resolution_check timestamptz,
  -- The target of the resolution.
  resolution_minutes integer,
  -- The time that counted until the clock was last paused, and since when it has been running again. Null: paused.
  resolution_seconds integer not null default 0,
  resolution_since timestamptz,
  -- What is due next, and what has to be recorded next.
  due_date timestamptz generated always as (least(response_due, resolution_due)) stored,
  check_date timestamptz generated always as (least(response_check, resolution_check)) stored,
  primary key (account_id, conversation_id)
);
create index conversation_clocks_due on conversation_clocks (account_id, due_date) where due_date is not null;
create index conversation_clocks_account_check on conversation_clocks (account_id, check_date)
  where check_date is not null;
create index conversation_clocks_check on conversation_clocks (check_date) where check_date is not null;

-- The office hours of a day, without overlaps.
create function office_hours_on(day date, hours jsonb, zone text)
returns table (opens timestamptz, closes timestamptz) language sql stable as $function$
  select lower(open), upper(open) from (
    select unnest(range_agg(tstzrange(h.opens, h.closes))) as open from (
      select (day + (one->>'from')::time) at time zone zone as opens,
             (day + (one->>'until')::time) at time zone zone as closes
      from jsonb_array_elements(hours) as one
      where one->'days' @> to_jsonb(extract(isodow from day)::int)) h
    where h.opens < h.closes) merged
  order by 1;
$function$;

-- The time after so many seconds of office hours. Without hours, every second counts. At most a year later.
create function add_office_seconds(start timestamptz, seconds double precision, hours jsonb, zone text)
returns timestamptz language plpgsql stable as $function$
declare
  remaining double precision := greatest(seconds, 0);
  day date;
  span record;
  part double precision;
begin
  if hours is null then
    return start + remaining * interval '1 second';
  end if;
  day := (start at time zone zone)::date;
  for step in 0..366 loop
    for span in select * from office_hours_on(day + step, hours, zone) where closes > start loop
      part := extract(epoch from span.closes - greatest(span.opens, start));
      if remaining <= part then
        return greatest(span.opens, start) + remaining * interval '1 second';
      end if;
      remaining := remaining - part;
    end loop;
  end loop;
  return start + interval '1 year';
end $function$;

-- The seconds between two times, or those of office hours. Counts at most a year.
create function count_office_seconds(start timestamptz, finish timestamptz, hours jsonb, zone text)
returns double precision language sql stable as $function$
  select case when hours is null then greatest(0, extract(epoch from finish - start)) else coalesce((
    select sum(extract(epoch from least(h.closes, finish) - greatest(h.opens, start)))
    from generate_series(0, least(366, (finish at time zone zone)::date - (start at time zone zone)::date)) as step
    cross join lateral office_hours_on((start at time zone zone)::date + step, hours, zone) h
    where h.closes > start and h.opens < finish), 0) end;
$function$;

-- Computes the clock of a conversation from its episode, its status, and the targets. Safe to repeat.
create function set_clock(of_account uuid, of_conversation uuid) returns void language plpgsql as $function$
declare
  episode conversation_episodes;
  clock conversation_clocks;
  settings inbox_settings;
  of_status text;
  zone text;
  hours jsonb;
  response integer;
  resolution integer;
  is_known boolean;
  pauses boolean;
  has_missed_response boolean;
  has_missed_resolution boolean;
begin
  select * into clock from conversation_clocks
  where account_id = of_account and conversation_id = of_conversation for update;
  is_known := found;
  select * into settings from inbox_settings where account_id = of_account;
  if not is_known and settings.response_target_minutes is null and settings.resolution_target_minutes is null
    and not exists (select from inbox_teams t where t.account_id = of_account
                      and (t.response_target_minutes is not null or t.resolution_target_minutes is not null)) then
    return;
  end if;
  select * into episode from conversation_episodes
  where account_id = of_account and conversation_id = of_conversation and close_date is null;
  if not found then
    -- A paused clock would have had time left.
    update conversation_episodes set resolution_due = close_date + interval '1 second'
    where account_id = of_account and id = clock.episode_id and clock.resolution_since is null
      and resolution_due is not null;
    delete from conversation_clocks where account_id = of_account and conversation_id = of_conversation;
    return;
  end if;
  select a.timezone into zone from accounts a where a.id = of_account;
  hours := case when settings.targets_in_office_hours then settings.office_hours end;
  select coalesce(min(t.response_target_minutes), settings.response_target_minutes),
         coalesce(min(t.resolution_target_minutes), settings.resolution_target_minutes)
  into response, resolution
  from inbox_teams t
  join inbox_team_users u on u.account_id = t.account_id and u.team_id = t.id and u.user_id = episode.assignee_id
  where t.account_id = of_account
    and (t.response_target_minutes is not null or t.resolution_target_minutes is not null);
  if response is null and resolution is null then
    delete from conversation_clocks where account_id = of_account and conversation_id = of_conversation;
    update conversation_episodes set response_due = null, resolution_due = null
    where account_id = of_account and id = episode.id and (response_due is not null or resolution_due is not null);
    return;
  end if;
  if not is_known or clock.episode_id <> episode.id then
    clock := null;
    clock.resolution_seconds := 0;
    clock.resolution_since := episode.open_date;
  end if;
  has_missed_response := coalesce(clock.response_due is not null and clock.response_check is null, false);
  has_missed_resolution := coalesce(clock.resolution_due is not null and clock.resolution_check is null, false);
  select c.status into of_status from conversations c where c.account_id = of_account and c.id = of_conversation;
  pauses := of_status in ('snoozed', 'pending');
  clock.response_due := case when response is not null and episode.waiting_date is not null
    and episode.reply_date is null then add_office_seconds(episode.waiting_date, response * 60, hours, zone) end;
  -- A resolution that is overdue stays overdue.
  if pauses and clock.resolution_since is not null and (resolution is null or now() < add_office_seconds(
      clock.resolution_since, resolution * 60 - clock.resolution_seconds, hours, zone)) then
    clock.resolution_seconds := clock.resolution_seconds
      + count_office_seconds(clock.resolution_since, now(), hours, zone);
    clock.resolution_since := null;
  elsif not pauses and clock.resolution_since is null then
    clock.resolution_since := now();
  end if;
  clock.resolution_due := case when resolution is not null and clock.resolution_since is not null
    then add_office_seconds(clock.resolution_since, resolution * 60 - clock.resolution_seconds, hours, zone) end;
  insert into conversation_clocks as k (account_id, conversation_id, episode_id, response_due, response_check,
                                        resolution_due, resolution_check, resolution_minutes, resolution_seconds,
                                        resolution_since)
  values (of_account, of_conversation, episode.id, clock.response_due,
          case when not (has_missed_response and clock.response_due <= now()) then clock.response_due end,
          clock.resolution_due,
          case when not (has_missed_resolution and clock.resolution_due <= now()) then clock.resolution_due end,
          resolution, clock.resolution_seconds, clock.resolution_since)
  on conflict (account_id, conversation_id) do update
    set episode_id = excluded.episode_id, response_due = excluded.response_due,
        response_check = excluded.response_check, resolution_due = excluded.resolution_due,
        resolution_check = excluded.resolution_check, resolution_minutes = excluded.resolution_minutes,
        resolution_seconds = excluded.resolution_seconds, resolution_since = excluded.resolution_since;
  update conversation_episodes e
  set response_due = case when response is null then null else coalesce(clock.response_due, e.response_due) end,
      resolution_due = case when resolution is null then null else coalesce(clock.resolution_due, e.resolution_due) end
  where e.account_id = of_account and e.id = episode.id
    and ((response is null) <> (e.response_due is null) or clock.response_due is distinct from e.response_due
      or (resolution is null) <> (e.resolution_due is null)
      or clock.resolution_due is distinct from e.resolution_due);
end $function$;

create function keep_clocks() returns trigger language plpgsql as $function$
begin
  perform set_clock(new.account_id, new.id);
  return null;
end $function$;
-- These run after the triggers that keep the episodes, because triggers run in the order of their names.
create trigger conversations_start_clocks after insert on conversations
  for each row when (new.status <> 'closed' and new.delete_date is null) execute function keep_clocks();
create trigger conversations_set_clocks after update on conversations
  for each row when (old.status is distinct from new.status
    or (old.delete_date is null) <> (new.delete_date is null)
    or old.assignee_id is distinct from new.assignee_id
    or old.waiting_since is distinct from new.waiting_since)
  execute function keep_clocks();

create function keep_reply_clocks() returns trigger language plpgsql as $function$
begin
  perform set_clock(new.account_id, new.conversation_id);
  return null;
end $function$;
create trigger conversation_episodes_set_clocks after update of reply_date on conversation_episodes
  for each row when (old.reply_date is distinct from new.reply_date) execute function keep_reply_clocks();

alter table conversation_entries drop constraint conversation_entries_kind_check;
alter table conversation_entries add constraint conversation_entries_kind_check
  check (kind in ('note', 'status', 'collision', 'rule', 'target')) not valid;
