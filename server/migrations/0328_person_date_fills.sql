-- A job stores the dates of the people from before this release.
insert into person_date_fills (account_id)
select distinct account_id from contact_fields where kind = 'date'
on conflict do nothing;
