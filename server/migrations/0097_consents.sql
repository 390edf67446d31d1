-- What people agreed to and what they withdrew. Rows never change: together they prove the state of a number on a
-- day.
create table consents (
  account_id uuid not null,
  id uuid not null,
  number text not null,
  -- Null: all channels.
  channel text,
  -- Null: all purposes.
  purpose text check (purpose in ('marketing', 'transactional')),
  -- reinstated: a user removed a withdrawal, so the person may get messages but did not agree again.
  change text not null check (change in ('given', 'withdrawn', 'reinstated')),
  method text not null
    check (method in ('import', 'form', 'keyword', 'api', 'double_opt_in', 'manual', 'link', 'carrier', 'operator')),
  -- The exact text that the person saw or wrote.
  text text not null default '',
  -- Where it happened, such as the address of a page or the name of a file.
  source text not null default '',
  -- The IP address of the person.
  address text not null default '',
  -- The only sender that a withdrawal concerns. Null: all senders.
  sender_id uuid,
  message_id uuid,
  -- Who entered it.
  user_id uuid,
  create_date timestamptz not null,
  primary key (account_id, id)
);
create index consents_number on consents (account_id, number, create_date, id);
create trigger consents_append_only before update or delete on consents
  for each row execute function refuse_change();

-- The consent that a campaign message was sent under.
create table message_consents (
  account_id uuid not null,
  message_id uuid not null,
  consent_id uuid not null,
  primary key (account_id, message_id)
);

-- Every change of the stop list is a consent with the ID of its history entry, whoever writes it.
create function note_consent() returns trigger language plpgsql as $$
begin
  insert into consents (account_id, id, number, channel, change, method, text, sender_id, message_id, user_id,
    create_date)
  values (new.account_id, new.id, new.number,
    (select s.channel from senders s where s.account_id = new.account_id and s.id = new.sender_id),
    case when new.change = 'stopped' then 'withdrawn' when new.reason = 'keyword' then 'given' else 'reinstated' end,
    new.reason, new.text, new.sender_id, new.message_id, new.user_id, new.create_date)
  on conflict (account_id, id) do nothing;
  return null;
end $$;
create trigger stop_list_history_is_consent after insert on stop_list_history
  for each row execute function note_consent();
