-- The sender as it was when the request was rejected, because it can be edited and resubmitted afterwards.
alter table sender_requests
  add column refused_name text,
  add column refused_code text,
  add column refused_countries text[];
