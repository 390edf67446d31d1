-- People have IDs on channels, beside or instead of a phone number. An ID is a further number of its person.

-- The channel of an ID; null for a number that came from a merge.
alter table person_numbers add column channel text;

-- A person who leaves the last audience stays if the account stored an ID.
create or replace function drop_people() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from people p using (select distinct account_id, number from removed) r
  where p.account_id = r.account_id and p.number = r.number and p.tags = '{}' and p.fields = '{}'
    and p.language = '' and p.timezone = ''
    and not exists (select from contacts c where c.account_id = r.account_id and c.number = r.number)
    and not exists (select from person_numbers n where n.account_id = p.account_id and n.person_id = p.id
      and n.channel is not null);
  return null;
end $$;
