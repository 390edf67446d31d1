-- How many hours, days, and number ranges the messages have. Without these, PostgreSQL estimates as many groups as
-- messages when it adds them up for back-tests, and uses one process instead of several.
create statistics messages_hours_ranges (ndistinct)
  on (floor(extract(epoch from create_date) / 3600)::int), (left(number, -6)) from messages;
create statistics messages_hours
  on (date_trunc('hour', create_date at time zone 'UTC') at time zone 'UTC') from messages;
create statistics messages_days
  on (date_trunc('day', create_date at time zone 'UTC') at time zone 'UTC') from messages;
create statistics messages_weeks
  on (date_trunc('week', create_date at time zone 'UTC') at time zone 'UTC') from messages;
create statistics messages_months
  on (date_trunc('month', create_date at time zone 'UTC') at time zone 'UTC') from messages;
