alter table exports drop constraint exports_format_check;
alter table exports add constraint exports_format_check check (format in ('csv', 'xlsx', 'jsonl', 'parquet'));
