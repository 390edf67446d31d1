-- Null: each top-up has the same amount. Otherwise, a top-up raises the balance to this amount.
alter table auto_top_ups add column target_micros bigint;
alter table auto_top_ups add constraint auto_top_ups_target_check check (target_micros > threshold_micros) not valid;
alter table auto_top_ups validate constraint auto_top_ups_target_check;
