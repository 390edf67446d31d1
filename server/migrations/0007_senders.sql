-- Requests for senders, and the purchase, monthly rental and release of numbers.

alter table senders
  -- Set when the sender is released or deleted. The row stays, because messages refer to it.
  add column delete_date timestamptz,
  -- Short codes: the requested codes.
  add column wish jsonb;
alter table senders drop constraint senders_account_id_channel_name_key;
-- The name becomes available when the sender is deleted.
create unique index senders_named on senders (account_id, channel, name) where delete_date is null;

-- The registration form of a sender, saved section by section.
create table sender_registrations (
  account_id uuid not null,
  sender_id uuid not null,
  company jsonb,
  sms_campaign jsonb,
  signup_options jsonb,
  example_messages jsonb,
  compliance_keyword_responses jsonb,
  toll_free jsonb,
  tcr jsonb,
  update_date timestamptz not null default now(),
  primary key (account_id, sender_id),
  foreign key (account_id, sender_id) references senders
);

create table sender_attachments (
  account_id uuid not null,
  id uuid not null,
  sender_id uuid not null,
  kind text not null,
  file_name text not null,
  content_type text not null check (content_type in ('application/pdf', 'image/jpeg', 'image/png')),
  bytes integer not null,
  storage_key text not null,
  create_date timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, sender_id) references senders
);
create index sender_attachments_sender on sender_attachments (account_id, sender_id);

-- One row per submitted request, with the form as submitted.
create table sender_requests (
  account_id uuid not null,
  id uuid not null,
  sender_id uuid not null,
  kind text not null check (kind in ('sender_id', 'short_code', 'toll_free', 'tcr')),
  status text not null check (status in ('IN_PROCESS', 'COMPLETED', 'CANCELED', 'DELETED')),
  -- True: more information was requested in `note`, and the customer has not resubmitted yet.
  asked boolean not null default false,
  form jsonb not null,
  -- [{field, text}]
  reasons jsonb not null default '[]',
  note text not null default '',
  reviewer_id uuid,
  reviewer_name text not null default '',
  create_date timestamptz not null,
  decide_date timestamptz,
  expected_date timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, sender_id) references senders
);
create unique index sender_requests_open on sender_requests (account_id, sender_id) where status = 'IN_PROCESS';
create index sender_requests_sender on sender_requests (account_id, sender_id, id);
create index sender_requests_queue on sender_requests (status, id);
create index sender_requests_id on sender_requests (id);

-- The timeline of a sender, visible to the customer.
create table sender_timeline (
  account_id uuid not null,
  id uuid not null,
  sender_id uuid not null,
  kind text not null,
  text text not null default '',
  create_date timestamptz not null,
  primary key (account_id, id)
);
create index sender_timeline_sender on sender_timeline (account_id, sender_id, id);

-- The number inventory of the operators.
create table numbers (
  number text primary key,
  type text not null check (type in ('local', 'mobile', 'toll_free')),
  country text not null,
  city text not null default '',
  status text not null check (status in ('free', 'taken', 'cooling', 'retired')),
  account_id uuid,
  sender_id uuid,
  free_date timestamptz,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  check ((status = 'taken') = (account_id is not null and sender_id is not null)),
  check ((status = 'cooling') = (free_date is not null))
);
create index numbers_offered on numbers (country, type, city, number) where status = 'free';
create index numbers_cooling on numbers (free_date) where status = 'cooling';

create table number_prices (
  country text not null,
  type text not null check (type in ('local', 'mobile', 'toll_free')),
  currency text not null,
  setup_micros bigint not null check (setup_micros >= 0),
  monthly_micros bigint not null check (monthly_micros >= 0),
  update_date timestamptz not null default now(),
  primary key (country, type, currency)
);

-- The rentals of numbers. The price is fixed at the purchase.
create table number_rentals (
  account_id uuid not null,
  sender_id uuid not null,
  number text not null,
  currency text not null,
  monthly_micros bigint not null check (monthly_micros >= 0),
  -- The number of paid months.
  months integer not null check (months >= 1),
  start_date timestamptz not null,
  renewal_date timestamptz not null,
  -- Set while the rent is overdue. The number is released at this time.
  grace_date timestamptz,
  end_date timestamptz,
  primary key (account_id, sender_id),
  foreign key (account_id, sender_id) references senders
);
create index number_rentals_due on number_rentals (renewal_date) where end_date is null;

alter table ledger drop constraint ledger_kind_check;
alter table ledger add constraint ledger_kind_check
  check (kind in ('top_up', 'bonus', 'compensation', 'hold', 'settle', 'release', 'refund', 'charge'));
