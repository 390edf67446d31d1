-- One queue of all that operators decide on: companies, senders, templates.

-- Who decided on a template, and when: what happened to it later is in update_date.
alter table templates add column decide_date timestamptz, add column reviewer_name text not null default '';
-- Operators name one by its id alone.
create index templates_id on templates (id);

-- The words are kept, as of all requests; which of them were canned is nothing to anybody.
alter table account_reviews drop column reason_code;

-- Operators who have a request open, so that a second one is told. Forgotten a minute after they were last heard of.
create table request_looks (
  request_id uuid not null,
  user_id uuid not null,
  user_name text not null,
  start_date timestamptz not null,
  look_date timestamptz not null,
  primary key (request_id, user_id)
);

-- What waited up to then, operators have been told by mail.
create table request_mails (
  sole boolean default true primary key check (sole),
  told_date timestamptz not null
);

-- What was done about a company, a sender or a template, for whoever decides on it.
create index audit_log_target on audit_log (account_id, target_id, number) where target_type in ('account', 'sender', 'template');

-- What waits, longest first.
create index account_reviews_waiting on account_reviews (create_date, id) where status = 'OPEN';
create index sender_requests_waiting on sender_requests (create_date, id) where status = 'IN_PROCESS' and not asked;
create index templates_waiting on templates (update_date, id) where channel = 'VIBER' and status = 'IN_PROCESS' and delete_date is null;
-- Read by nobody any more.
drop index sender_requests_queue;
drop index account_reviews_queue;
