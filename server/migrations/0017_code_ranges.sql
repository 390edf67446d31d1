-- Codes by text message are counted by where they go: the country, and the range of numbers, which is all but the last six digits. What was given back
-- is remembered, since fraud gives nothing back.
alter table code_sends
  add column address text,
  add column country text,
  add column range text,
  add column confirm_date timestamptz;
create index code_sends_address on code_sends (address, create_date) where address is not null;
create index code_sends_range on code_sends (range, create_date) where range is not null;
create index code_sends_country on code_sends (country, create_date) where country is not null;

-- A range or a country that gets no codes until an operator allows it again.
create table code_stops (
  id uuid primary key,
  kind text not null check (kind in ('range', 'country')),
  -- The first digits of the numbers, or the country.
  place text not null,
  country text not null,
  -- Codes of the last hour that nobody had given back, and those of the busiest hour of the week before.
  sends integer not null,
  usual integer not null,
  stop_date timestamptz not null,
  lift_date timestamptz,
  lift_user_id uuid
);
create unique index code_stops_open on code_stops (place) where lift_date is null;
create index code_stops_place on code_stops (place, lift_date);
