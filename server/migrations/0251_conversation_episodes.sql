-- Each time that a conversation is open, from its opening until it is closed or removed, for the reports of the inbox.
-- A trigger keeps the rows, so that they are exact in every process and every release.
create table conversation_episodes (
  account_id uuid not null,
  id uuid not null default gen_random_uuid(),
  conversation_id uuid not null,
  channel text not null,
  open_date timestamptz not null,
  -- The first message of the contact in the episode, and the first reply of a user to it.
  waiting_date timestamptz,
  reply_date timestamptz,
  reply_user_id uuid,
  reply_message_id uuid,
  -- Null: the conversation is open.
  close_date timestamptz,
  -- The user to whom the conversation is assigned, or was when it was closed.
  assignee_id uuid,
  -- The labels of the conversation when it was closed.
  label_ids uuid[],
  -- The episode took at most two to this power hours. The episodes that were open at a time are found by it.
  length_step smallint generated always as (case when close_date is null then null
    else least(20, greatest(0, ceil(log(2.0, extract(epoch from close_date - open_date) / 3600 + 0.0001)))) end) stored,
  primary key (account_id, id),
  unique (account_id, conversation_id, open_date)
);
create unique index conversation_episodes_current on conversation_episodes (account_id, conversation_id)
  where close_date is null;
create index conversation_episodes_opened on conversation_episodes (account_id, open_date);
create index conversation_episodes_replied on conversation_episodes (account_id, reply_date)
  where reply_date is not null;
create index conversation_episodes_closed on conversation_episodes (account_id, close_date)
  where close_date is not null;
create index conversation_episodes_length on conversation_episodes (account_id, length_step, open_date);

-- How far a job has added the episodes from before this table existed. The last conversation; null: none yet.
create table conversation_episode_marks (
  singleton boolean primary key default true check (singleton),
  account_id uuid,
  conversation_id uuid,
  done boolean not null default false
);
insert into conversation_episode_marks default values;

create function keep_episodes() returns trigger language plpgsql as $function$
declare
  was_open boolean := tg_op = 'UPDATE' and old.status <> 'closed' and old.delete_date is null;
  is_open boolean := new.status <> 'closed' and new.delete_date is null;
begin
  if is_open and not was_open then
    insert into conversation_episodes (account_id, conversation_id, channel, open_date, waiting_date, assignee_id)
    values (new.account_id, new.id, new.channel,
            -- A message that arrives late does not open the conversation before it was last closed.
            greatest(coalesce(new.waiting_since, case tg_op when 'INSERT' then new.create_date else now() end),
                     (select max(e.close_date) from conversation_episodes e
                      where e.account_id = new.account_id and e.conversation_id = new.id)),
            new.waiting_since, new.assignee_id)
    on conflict do nothing;
  elsif was_open and not is_open then
    update conversation_episodes e
    set close_date = greatest(e.open_date, now()), assignee_id = new.assignee_id,
        label_ids = array(select l.label_id from conversation_labels l
                          where l.account_id = new.account_id and l.conversation_id = new.id)
    where e.account_id = new.account_id and e.conversation_id = new.id and e.close_date is null;
  elsif was_open then
    update conversation_episodes e
    set assignee_id = new.assignee_id, waiting_date = coalesce(e.waiting_date, new.waiting_since)
    where e.account_id = new.account_id and e.conversation_id = new.id and e.close_date is null;
  end if;
  return null;
end $function$;
create trigger conversations_open_episodes after insert on conversations
  for each row when (new.status <> 'closed' and new.delete_date is null) execute function keep_episodes();
create trigger conversations_keep_episodes after update on conversations
  for each row when (old.status is distinct from new.status
    or (old.delete_date is null) <> (new.delete_date is null)
    or old.assignee_id is distinct from new.assignee_id
    or old.waiting_since is distinct from new.waiting_since)
  execute function keep_episodes();
