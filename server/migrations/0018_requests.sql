-- One review queue for operators: companies, senders and templates.

-- The time of the decision on a template. `update_date` also covers later changes.
alter table templates add column decide_date timestamptz, add column reviewer_name text not null default '';
-- Operators look up a template by its ID alone.
create index templates_id on templates (id);

-- The text of the reason is kept, as for all requests. No query uses the predefined reason behind it.
alter table account_reviews drop column reason_code;

-- Presence: the operators who view a request. A row expires a minute after its last update.
create table request_looks (
  request_id uuid not null,
  user_id uuid not null,
  user_name text not null,
  start_date timestamptz not null,
  look_date timestamptz not null,
  primary key (request_id, user_id)
);

-- Operators were notified by email of all requests submitted before this time.
create table request_mails (
  sole boolean default true primary key check (sole),
  told_date timestamptz not null
);

-- For the history of a company, sender or template in a review.
create index audit_log_target on audit_log (account_id, target_id, number)
  where target_type in ('account', 'sender', 'template');

-- Requests that wait for a review, oldest first.
create index account_reviews_waiting on account_reviews (create_date, id) where status = 'OPEN';
create index sender_requests_waiting on sender_requests (create_date, id) where status = 'IN_PROCESS' and not asked;
create index templates_waiting on templates (update_date, id)
  where channel = 'VIBER' and status = 'IN_PROCESS' and delete_date is null;
-- No query uses these indexes.
drop index sender_requests_queue;
drop index account_reviews_queue;
