-- Company names are reserved only for confirmed owners, and entered sessions end with the session that opened them.

-- True when the owner has confirmed the email address. Before that, the company name is not reserved.
alter table accounts add column name_held boolean not null default true;
update accounts a set name_held = false
where exists (
  select 1 from users u join logins l on l.id = u.login_id
  where u.account_id = a.id and u.is_owner and l.status = 'NEW');
drop index accounts_company;
create unique index accounts_company on accounts (lower(company_name))
  where parent_id is null and close_date is null and kind = 'CUSTOMER' and name_held;

-- The last password entered at sign-up with an address, so that sign-in responds the same for known and unknown
-- addresses. It grants no access.
create table sign_up_tries (
  email text primary key,
  password_hash text not null,
  create_date timestamptz not null
);
create index sign_up_tries_date on sign_up_tries (create_date);

-- The session from which the account was entered. The entered session ends with it.
alter table sessions add column real_session_id uuid;
create index sessions_entered on sessions (real_session_id) where real_session_id is not null;
alter table auth_sessions add column operator_session_id uuid;
