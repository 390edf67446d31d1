-- Requests for WhatsApp and Viber senders, and verified numbers of a company.

-- Saved part by part. Shapes: contract/src/registrations/access.ts.
alter table sender_registrations add column whatsapp jsonb, add column viber jsonb;

alter table sender_requests drop constraint sender_requests_kind_check;
alter table sender_requests add constraint sender_requests_kind_check
  check (kind in ('sender_id', 'short_code', 'toll_free', 'tcr', 'whatsapp', 'viber'));

alter table verifications drop constraint verifications_purpose_check;
alter table verifications add constraint verifications_purpose_check
  check (purpose in ('sign_up', 'password_reset', 'email_change', 'phone', 'login', 'sender_number'));

-- Numbers that a company has verified with a code. They can become senders of a channel that needs a number.
create table own_numbers (
  account_id uuid not null references accounts,
  number text not null,
  user_id uuid,
  verify_date timestamptz not null,
  primary key (account_id, number)
);

-- True: a Viber sender that only sends. Its address is reserved all the same, because opt-outs arrive there.
alter table senders add column one_way boolean not null default false;
-- Finds the owner of a number or name across accounts.
create index senders_code_anywhere on senders (channel, lower(code)) where channel <> 'SMS' and delete_date is null;
