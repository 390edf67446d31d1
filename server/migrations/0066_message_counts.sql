-- Figures of the messages by day and by one property, such as the country, so that charts do not read the messages.

-- Counts per quarter of an hour, because midnight in every time zone starts a quarter. Every message counts once per
-- dimension; a message without the property has an empty value.
create table message_counts (
  account_id uuid not null,
  dimension text not null,
  slot timestamptz not null,
  channel text not null,
  value text not null,
  messages integer not null,
  sent integer not null,
  delivered integer not null,
  read integer not null,
  failed integer not null,
  received integer not null,
  segments integer not null,
  spend_micros bigint not null,
  primary key (account_id, dimension, slot, channel, value)
);

-- The end of the counted slots per account. Later messages are counted from `messages`.
create table message_count_marks (
  account_id uuid primary key,
  counted_until timestamptz not null
);

-- Counted slots whose messages have changed. They are counted from `messages` until the job counts them again. A slot
-- may occur several times: writers that share no key never wait for each other.
create table message_count_changes (
  account_id uuid not null,
  slot timestamptz not null,
  id uuid not null default gen_random_uuid(),
  primary key (account_id, slot, id)
);

create function note_counted_message() returns trigger language plpgsql as $$
declare
  one messages := case when tg_op = 'DELETE' then old else new end;
begin
  insert into message_count_changes (account_id, slot)
  values (one.account_id, date_bin('15 minutes', one.create_date, 'epoch'));
  return null;
end $$;

-- A slot is counted at least a day after its messages were created. Triggers therefore ignore newer messages, which are
-- nearly all; the condition costs no call.
create trigger message_counted_update after update on messages for each row
  when (old.create_date < now() - interval '12 hours'
    and (old.status, old.charge, old.channel, old.price_micros, old.segments_count, old.country, old.mccmnc,
         old.sender_id, old.campaign_id, old.source, old.key_id, old.user_id)
      is distinct from
        (new.status, new.charge, new.channel, new.price_micros, new.segments_count, new.country, new.mccmnc,
         new.sender_id, new.campaign_id, new.source, new.key_id, new.user_id))
  execute function note_counted_message();
create trigger message_counted_insert after insert on messages for each row
  when (new.create_date < now() - interval '12 hours')
  execute function note_counted_message();
create trigger message_counted_delete after delete on messages for each row
  when (old.create_date < now() - interval '12 hours')
  execute function note_counted_message();
