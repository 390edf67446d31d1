-- Renames tables, columns, indexes and constraints to the terms of the glossary (docs/glossary.md). The data stays.

alter table sender_members rename to number_pool_members;
alter index sender_members_pool rename to number_pool_members_pool;
alter table sender_pairs rename to number_pool_contacts;
alter table sender_member_days rename to number_pool_days;

alter table senders rename column lent_from to shared_from;
alter index senders_lent rename to senders_shared;
alter table lent_answers rename to shared_sender_replies;

alter table sender_requests rename column asked to info_requested;
alter table sender_requests rename column refused_name to rejected_name;
alter table sender_requests rename column refused_code to rejected_code;
alter table sender_requests rename column refused_countries to rejected_countries;
alter table sender_profiles rename column taken to synced_revision;

alter table request_looks rename to request_presence;
alter table request_presence rename column look_date to seen_date;
alter table request_mails rename column told_date to notified_date;

alter table fallbacks rename column legs to steps;
alter table dispatch rename column line_id to bind_id;
alter table binds rename column line_window to window_size;
alter table inbound_seen rename to inbound_digests;
alter index inbound_seen_date rename to inbound_digests_date;

alter table media rename column wanted_width to declared_width;
alter table media rename column wanted_height to declared_height;

alter table sign_up_tries rename to sign_up_passwords;
alter index sign_up_tries_date rename to sign_up_passwords_date;

-- PostgreSQL names primary keys, checks and, since version 18, not-null constraints after the table and column. The
-- loop gives these constraints the name that they would have in a table created under the new name.
do $$
declare
  item record;
begin
  for item in
    select distinct on (c.oid) c.conrelid::regclass as table_name, c.conname as old_name,
      new_prefix || substr(c.conname, length(old_prefix) + 1) as new_name
    from (values
      ('number_pool_members', 'sender_members', 'number_pool_members'),
      ('number_pool_contacts', 'sender_pairs', 'number_pool_contacts'),
      ('number_pool_days', 'sender_member_days', 'number_pool_days'),
      ('shared_sender_replies', 'lent_answers', 'shared_sender_replies'),
      ('sender_requests', 'sender_requests_asked', 'sender_requests_info_requested'),
      ('sender_profiles', 'sender_profiles_taken', 'sender_profiles_synced_revision'),
      ('request_presence', 'request_looks', 'request_presence'),
      ('request_presence', 'request_looks_look_date', 'request_presence_seen_date'),
      ('request_mails', 'request_mails_told_date', 'request_mails_notified_date'),
      ('fallbacks', 'fallbacks_legs', 'fallbacks_steps'),
      ('binds', 'binds_line_window', 'binds_window_size'),
      ('inbound_digests', 'inbound_seen', 'inbound_digests'),
      ('sign_up_passwords', 'sign_up_tries', 'sign_up_passwords')
    ) as names(table_name, old_prefix, new_prefix)
    join pg_constraint c on c.conrelid = names.table_name::regclass and starts_with(c.conname, old_prefix || '_')
    order by c.oid, length(old_prefix) desc
  loop
    execute format('alter table %s rename constraint %I to %I', item.table_name, item.old_name, item.new_name);
  end loop;
end
$$;
