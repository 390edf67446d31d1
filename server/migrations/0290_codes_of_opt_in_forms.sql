-- no transaction
-- Codes of the API and of each opt-in form are separate: none replaces another.
create unique index concurrently if not exists sent_codes_open_by_form on sent_codes (account_id, phone, form_id)
  nulls not distinct where status = 'pending';
drop index concurrently if exists sent_codes_open;
