-- The bulk lookup of the recipients' numbers, which the campaign waits for before it sends.
alter table campaigns add column lookup_id uuid;

-- The sweep continues bulk lookups without progress.
create index bulk_lookups_open on bulk_lookups (update_date) where status = 'in_progress';
