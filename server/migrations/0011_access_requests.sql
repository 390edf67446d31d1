-- WhatsApp and Viber senders as companies ask for them, and numbers that a company has shown to be its own.

-- Kept part by part: shapes in contract/src/sender_access_form.ts.
alter table sender_registrations add column whatsapp jsonb, add column viber jsonb;

alter table sender_requests drop constraint sender_requests_kind_check;
alter table sender_requests add constraint sender_requests_kind_check
  check (kind in ('sender_id', 'short_code', 'toll_free', 'tcr', 'whatsapp', 'viber'));

alter table verifications drop constraint verifications_purpose_check;
alter table verifications add constraint verifications_purpose_check
  check (purpose in ('sign_up', 'password_reset', 'email_change', 'phone', 'login', 'sender_number'));

-- A code that came to the number was given back: it may become a sender of a channel that wants a number.
create table own_numbers (
  account_id uuid not null references accounts,
  number text not null,
  user_id uuid,
  verify_date timestamptz not null,
  primary key (account_id, number)
);

-- Viber can be had to send only. Its address is taken all the same: what people want no more is told by it.
alter table senders add column one_way boolean not null default false;
-- Whether a number or a name is somebody's already, whoever asks.
create index senders_code_anywhere on senders (channel, lower(code)) where channel <> 'SMS' and delete_date is null;
