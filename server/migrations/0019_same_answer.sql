-- The response exactly as sent. jsonb would change the order of its keys for a repeated request.
alter table idempotency_keys alter column response type json using response::json;
