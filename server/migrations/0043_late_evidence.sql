-- Evidence about messages whose outcome stayed unknown is accepted for three days after the verdict.

-- Submissions that no carrier answered, kept after the message was given up or sent again. A receipt that arrives later
-- finds its message here.
create table unanswered_submissions (
  account_id uuid not null,
  message_id uuid not null,
  -- The number of the submission, as in `dispatch`.
  attempt integer not null,
  connection_id uuid not null,
  number text not null,
  sender_address text not null,
  reference integer not null,
  submit_date timestamptz not null,
  -- The parts of a long message that the carrier had accepted by then.
  sent_parts smallint[] not null default '{}',
  -- The time of the latest verdict about the message: given up, or sent again.
  verdict_date timestamptz not null default now(),
  primary key (account_id, message_id, attempt)
);
create index unanswered_submissions_number on unanswered_submissions (connection_id, number);
create index unanswered_submissions_date on unanswered_submissions (verdict_date);

-- Finds the message of a receipt without a message ID.
alter table submissions
  -- Our reference in the submission. Null for inbound messages.
  add column reference integer;

-- The list of operators sorts by time and searches by connection, ID, and number.
create index unmatched_reports_list on unmatched_reports (connection_id, id);
create index unmatched_reports_any_id on unmatched_reports (external_id text_pattern_ops, id);
create index unmatched_reports_any_number on unmatched_reports (number text_pattern_ops, id);

-- A released charge is settled again if proof arrives later, even if the money has been spent in the meantime.
alter table balances
  -- The sum of the charges that were settled again. The balance may be below its limit by this amount.
  add column resettled_micros bigint not null default 0 check (resettled_micros >= 0);
alter table balances drop constraint balances_check;
alter table balances add constraint balances_check
  check (available_micros >= - (credit_limit_micros + resettled_micros));
alter table ledger drop constraint ledger_kind_check;
alter table ledger add constraint ledger_kind_check
  check (kind in ('top_up', 'bonus', 'compensation', 'hold', 'settle', 'release', 'resettle', 'refund', 'charge'))
  not valid;
