-- The same figures as before, for the expressions that back-tests now use to add up messages by interval.
drop statistics messages_hours_ranges;
drop statistics messages_hours;
drop statistics messages_days;
drop statistics messages_weeks;
create statistics messages_hours_ranges (ndistinct)
  on (date_bin('1 hour', create_date, timestamptz '2000-01-03 00:00:00+00')), (left(number, -6)) from messages;
create statistics messages_minutes
  on (date_bin('1 minute', create_date, timestamptz '2000-01-03 00:00:00+00')) from messages;
create statistics messages_hours
  on (date_bin('1 hour', create_date, timestamptz '2000-01-03 00:00:00+00')) from messages;
create statistics messages_days
  on (date_bin('1 day', create_date, timestamptz '2000-01-03 00:00:00+00')) from messages;
create statistics messages_weeks
  on (date_bin('7 days', create_date, timestamptz '2000-01-03 00:00:00+00')) from messages;
