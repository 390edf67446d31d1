-- no transaction
alter table dispatch validate constraint dispatch_stage_check;
create index concurrently if not exists dispatch_review on dispatch (expire_date) where stage = 'review';
