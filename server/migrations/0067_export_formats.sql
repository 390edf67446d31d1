-- Exports as JSON Lines, and with times in a zone of the user's choice.
alter table exports drop constraint exports_format_check;
alter table exports add constraint exports_format_check check (format in ('csv', 'xlsx', 'jsonl'));
alter table exports add column time_zone text not null default 'UTC';
