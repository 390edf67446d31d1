-- Codes by text message are counted by destination: by country and by number range (the number without its last six
-- digits). Entered codes are recorded, because fraud does not enter them.

alter table code_sends
  add column address text,
  add column country text,
  add column range text,
  add column confirm_date timestamptz;
create index code_sends_address on code_sends (address, create_date) where address is not null;
create index code_sends_range on code_sends (range, create_date) where range is not null;
create index code_sends_country on code_sends (country, create_date) where country is not null;

-- Code stops: number ranges and countries that get no codes until an operator allows them.
create table code_stops (
  id uuid primary key,
  kind text not null check (kind in ('range', 'country')),
  -- The prefix of the number range, or the country.
  place text not null,
  country text not null,
  -- Unused codes of the last hour. `usual` is the maximum per hour in the week before.
  sends integer not null,
  usual integer not null,
  stop_date timestamptz not null,
  lift_date timestamptz,
  lift_user_id uuid
);
create unique index code_stops_open on code_stops (place) where lift_date is null;
create index code_stops_place on code_stops (place, lift_date);
