-- The answer as it was written, to the octet: jsonb would give its fields in another order to whoever asks again.
alter table idempotency_keys alter column response type json using response::json;
