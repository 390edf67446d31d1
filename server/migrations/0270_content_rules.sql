-- Rules of the operators about the content of messages. They apply to all accounts of the installation, so they have no
-- account of their own. Shape: contract/src/guard/content_rules.ts.
create table content_rules (
  id uuid primary key,
  name text not null,
  kind text not null check (kind in ('links', 'lookalikes', 'words', 'new_sender')),
  enabled boolean not null default true,
  action text not null check (action in ('notify', 'hold', 'refuse')),
  -- Empty: all countries.
  countries text[] not null default '{}',
  -- Empty: all channels.
  channels text[] not null default '{}',
  -- Empty: all accounts.
  account_ids uuid[] not null default '{}',
  exempt_account_ids uuid[] not null default '{}',
  links text check (links in ('any', 'domains', 'shorteners')),
  domains text[] not null default '{}',
  brands text[] not null default '{}',
  words text[] not null default '{}',
  exceptions text[] not null default '{}',
  sender_days int,
  links_per_hour int,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now()
);

-- Messages whose content a rule has matched. A message that waits for review has a queue row with the stage `review`.
create table message_reviews (
  account_id uuid not null,
  message_id uuid not null,
  rule_id uuid not null,
  rule_name text not null,
  kind text not null,
  -- `ended`: the message expired or was canceled before a decision. `noted`: the rule only notifies.
  state text not null check (state in ('waiting', 'released', 'rejected', 'ended', 'noted')),
  -- The messages of the batch that the rule matched, if it only notifies.
  message_count int not null default 1,
  campaign_id uuid,
  -- [{rule_id, rule_name, kind, what, start, end}], where `start` and `end` are places in the text.
  matches jsonb not null,
  reason text,
  reviewer_id uuid,
  create_date timestamptz not null default now(),
  decide_date timestamptz,
  -- The time of the email to the account about a rejection.
  mail_date timestamptz,
  primary key (account_id, message_id)
);
-- Operators read the queue of all accounts. The IDs of messages are in the order of time.
create index message_reviews_state on message_reviews (state, message_id);
create index message_reviews_rule on message_reviews (rule_id, state, message_id);
create index message_reviews_group on message_reviews (account_id, rule_id, message_id) where state = 'waiting';
create index message_reviews_unmailed on message_reviews (account_id) where state = 'rejected' and mail_date is null;
create index message_reviews_age on message_reviews (create_date) where state <> 'waiting';

-- The messages with links of a new sender, by hour.
create table sender_link_counts (
  account_id uuid not null,
  sender_id uuid not null,
  hour timestamptz not null,
  sent int not null,
  primary key (account_id, sender_id, hour)
);
create index sender_link_counts_age on sender_link_counts (hour);

-- One row: the last email to the operators about messages that wait for review.
create table review_mails (
  sole boolean primary key default true check (sole),
  notified_date timestamptz not null
);

-- `review`: the message waits for an operator, so no worker claims it.
alter table dispatch drop constraint dispatch_stage_check;
alter table dispatch add constraint dispatch_stage_check
  check (stage in ('queued', 'submitting', 'review')) not valid;

-- A message can leave the queue in many ways: it expires, or a user cancels it. Its review ends with it.
create function end_review() returns trigger language plpgsql as $$
begin
  update message_reviews set state = 'ended', decide_date = now()
  where account_id = old.account_id and message_id = old.message_id and state = 'waiting';
  return null;
end $$;
create trigger dispatch_review_ended after delete on dispatch
  for each row when (old.stage = 'review') execute function end_review();

-- The messages of a campaign that wait for review, as of the last count.
alter table campaigns add column in_review int not null default 0;
