-- Identity: a login is a person, a user is that person in one account. One person can belong to several accounts.

create table logins (
  id uuid primary key,
  email text not null,
  -- Null: the person signs in only with a sign-in provider or a passkey.
  password_hash text,
  password_change_date timestamptz,
  phone_number text,
  status text not null default 'NEW' check (status in ('NEW', 'EMAIL_VERIFIED', 'PHONE_VERIFIED')),
  -- Encrypted. Null until the person has entered a code of the authenticator.
  totp_secret text,
  totp_date timestamptz,
  -- The last used time step, so that a code works once.
  totp_step bigint not null default 0,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now()
);
create unique index logins_email on logins (lower(email));
create unique index logins_phone on logins (phone_number) where status = 'PHONE_VERIFIED';

insert into logins (id, email, password_hash, phone_number, status, create_date)
select id, email, password_hash, phone_number, case status when 'BLOCKED' then 'PHONE_VERIFIED' else status end,
  create_date
from users;

alter table users add column login_id uuid references logins;
alter table users add column blocked boolean not null default false;
alter table users add column block_reason text not null default '';
-- True: other users of the account cannot unblock the user.
alter table users add column blocked_by_operator boolean not null default false;
alter table users add column last_seen_date timestamptz;
-- Set when the user is removed. The row keeps only the name, for the logs and messages that refer to it.
alter table users add column remove_date timestamptz;
update users set login_id = id, blocked = status = 'BLOCKED';
-- A user without a login who is not removed has not accepted the invitation yet.
alter table users add constraint users_removed check (remove_date is null or login_id is null);
alter table users drop column password_hash, drop column phone_number, drop column status;
drop index users_email;
create unique index users_email on users (account_id, lower(email)) where remove_date is null;
create unique index users_login on users (account_id, login_id);
create index users_of_login on users (login_id);

alter table accounts
  add column parent_id uuid references accounts,
  add column admin_created boolean not null default false,
  add column company_address text not null default '',
  add column company_website text not null default '',
  add column company_size text not null default '',
  add column vat_number text not null default '',
  add column use_case text not null default '',
  add column interests text[] not null default '{}',
  add column tax_rate numeric(6, 3) not null default 0,
  add column invoice_company text not null default '',
  add column invoice_emails text[] not null default '{}',
  add column invoice_entity smallint not null default 1,
  -- Preferences for the product: onboarding, insights, templates.
  add column preference jsonb not null default '{}',
  -- True: all users of the account need two-factor authentication.
  add column second_factor_required boolean not null default false,
  add column block_reason text not null default '',
  -- Who blocked the account and can unblock it: an operator, the parent account, or the block of the parent (cascade).
  add column blocked_by text check (blocked_by in ('operator', 'parent', 'cascade')),
  -- The status to restore when the account is unblocked.
  add column status_before_block text check (status_before_block in ('UNVERIFIED', 'FORM_SUBMITTED', 'VERIFIED')),
  add column close_date timestamptz,
  -- Set 30 days after the account was closed, when personal data is erased. The account cannot be reopened then.
  add column erase_date timestamptz;
alter table accounts add constraint accounts_blocked check (blocked_by is null or status = 'BLOCKED');
create index accounts_parent on accounts (parent_id) where parent_id is not null;
create index accounts_operators on accounts (id) where kind = 'OPERATOR';
create index accounts_closed on accounts (close_date) where close_date is not null and erase_date is null;
create unique index accounts_sibling on accounts (parent_id, lower(company_name))
  where parent_id is not null and close_date is null;
create unique index accounts_company on accounts (lower(company_name))
  where parent_id is null and close_date is null and kind = 'CUSTOMER';

alter table sessions
  add column login_id uuid,
  add column method text not null default 'password'
    check (method in ('password', 'social', 'passkey', 'invitation', 'email', 'switch', 'impersonation')),
  -- True: the session was opened with two-factor authentication.
  add column second_factor boolean not null default false,
  -- The encrypted secret of an authenticator during setup. It becomes active when the person enters a code.
  add column totp_setup text,
  add column totp_setup_date timestamptz,
  -- For an entered account: the reason. `real_account_id` is the account of the real user.
  add column reason text not null default '',
  add column real_account_id uuid;
update sessions s set login_id = u.login_id from users u where u.account_id = s.account_id and u.id = s.user_id;
create index sessions_login on sessions (login_id, create_date);
create index sessions_real on sessions (real_account_id, real_user_id) where real_user_id is not null;

-- Verification codes and links sent by email or text message. They are bound to a purpose and stored as hashes.
create table verifications (
  id uuid primary key,
  purpose text not null check (purpose in ('sign_up', 'password_reset', 'email_change', 'phone', 'login')),
  -- Null: the address is unknown. The row exists so that responses do not reveal this.
  login_id uuid references logins on delete cascade,
  account_id uuid,
  user_id uuid,
  target text not null,
  network text not null,
  code_hash bytea not null,
  -- The secret of the link. For a password reset, also the secret that a correct code is exchanged for.
  link_hash bytea unique,
  tries smallint not null default 0,
  sends smallint not null default 1,
  detail jsonb not null default '{}',
  create_date timestamptz not null default now(),
  send_date timestamptz not null default now(),
  expire_date timestamptz not null,
  use_date timestamptz
);
create index verifications_login on verifications (login_id, purpose);
create index verifications_target on verifications (target, purpose, create_date);
create index verifications_date on verifications (create_date);

-- All sent codes, for the rate limits by target, network and prefix.
create table code_sends (
  id uuid primary key,
  channel text not null check (channel in ('mail', 'sms')),
  target text not null,
  -- The phone number without its last four digits, because fraud uses adjacent numbers.
  prefix text,
  network text not null,
  login_id uuid,
  create_date timestamptz not null default now()
);
create index code_sends_target on code_sends (target, create_date);
create index code_sends_network on code_sends (network, create_date);
create index code_sends_prefix on code_sends (prefix, create_date) where prefix is not null;
create index code_sends_date on code_sends (channel, create_date);

create table recovery_codes (
  login_id uuid not null references logins on delete cascade,
  code_hash bytea not null,
  use_date timestamptz,
  primary key (login_id, code_hash)
);

create table passkeys (
  id uuid primary key,
  login_id uuid not null references logins on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null default 0,
  transports text[] not null default '{}',
  name text not null,
  create_date timestamptz not null default now(),
  last_used_date timestamptz
);
create index passkeys_login on passkeys (login_id);

create table passkey_challenges (
  id uuid primary key,
  -- Null: for sign-in.
  login_id uuid references logins on delete cascade,
  challenge text not null,
  expire_date timestamptz not null
);
create index passkey_challenges_date on passkey_challenges (expire_date);

create table social_networks (
  issuer text not null,
  subject text not null,
  login_id uuid not null references logins on delete cascade,
  provider text not null,
  email text not null default '',
  create_date timestamptz not null default now(),
  last_used_date timestamptz,
  primary key (issuer, subject)
);
create unique index social_networks_login on social_networks (login_id, provider);

-- The identity that a sign-in provider reported. The browser redeems it once, within a minute, as the social token.
create table social_tickets (
  ticket_hash bytea primary key,
  provider text not null,
  issuer text not null,
  subject text not null,
  email text not null,
  email_verified boolean not null,
  first_name text not null default '',
  last_name text not null default '',
  expire_date timestamptz not null,
  use_date timestamptz
);

create table invitations (
  account_id uuid not null references accounts,
  id uuid not null,
  email text not null,
  first_name text not null default '',
  last_name text not null default '',
  position text not null default '',
  permissions jsonb not null,
  token_hash bytea not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'ACCEPTED', 'REVOKED')),
  invited_by uuid,
  -- The account of the inviter. For the owner of a sub-account, this is the parent account.
  inviter_account_id uuid not null,
  -- The user created with the invitation or by its acceptance.
  user_id uuid,
  sends smallint not null default 1,
  send_date timestamptz not null default now(),
  expire_date timestamptz not null,
  accept_date timestamptz,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index invitations_token on invitations (token_hash);
create unique index invitations_pending on invitations (account_id, lower(email)) where status = 'PENDING';
create index invitations_sent on invitations (inviter_account_id, send_date);
create index invitations_email on invitations (lower(email)) where status = 'PENDING';

-- One-time keys that let an operator enter a customer account.
create table auth_sessions (
  id uuid primary key,
  secret_hash bytea not null unique,
  operator_account_id uuid not null,
  operator_user_id uuid not null,
  account_id uuid not null,
  user_id uuid not null,
  reason text not null,
  create_date timestamptz not null default now(),
  expire_date timestamptz not null,
  use_date timestamptz
);

-- Company forms submitted for review, and the decisions of operators.
create table account_reviews (
  account_id uuid not null references accounts,
  id uuid not null,
  status text not null default 'OPEN' check (status in ('OPEN', 'APPROVED', 'REJECTED', 'INFO_NEEDED')),
  form jsonb not null,
  submitted_by uuid not null,
  reviewer_id uuid,
  reviewer_name text not null default '',
  -- A predefined reason of the contract, or `other`.
  reason_code text,
  reason text not null default '',
  create_date timestamptz not null default now(),
  decide_date timestamptz,
  primary key (account_id, id)
);
create unique index account_reviews_open on account_reviews (account_id) where status = 'OPEN';
-- Operators look up a form by its ID alone.
create index account_reviews_id on account_reviews (id);
create index account_reviews_queue on account_reviews (status, create_date);

-- The audit log. Each hash covers the hash of the previous row, so that removed or changed rows are detected.
create table audit_log (
  account_id uuid not null,
  id uuid not null,
  number bigint not null,
  action text not null,
  user_id uuid,
  real_user_id uuid,
  key_id uuid,
  actor_name text not null default '',
  target_type text not null default '',
  target_id text not null default '',
  target_name text not null default '',
  detail jsonb not null default '{}',
  address text not null default '',
  agent text not null default '',
  request_id text not null default '',
  create_date timestamptz not null,
  hash bytea not null,
  primary key (account_id, id),
  unique (account_id, number)
);
create index audit_log_date on audit_log (account_id, create_date);
-- The hashed text of a row: all columns except the hash. Times are in seconds, so that session settings have no effect.
create function audit_text(entry jsonb) returns text language sql immutable as $$
  select ((entry - 'hash' - 'create_date')
    || jsonb_build_object('at', extract(epoch from (entry->>'create_date')::timestamptz)))::text
$$;
create trigger audit_log_append_only before update or delete on audit_log
  for each statement execute function refuse_change();

alter table messages drop constraint messages_source_check;
alter table messages add constraint messages_source_check
  check (source in ('api', 'campaign', 'inbox', 'reply', 'test', 'phone', 'verification'));
