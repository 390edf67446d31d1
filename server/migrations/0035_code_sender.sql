-- The sender of verification codes that an operator chose. Without a row, or while it is not usable, codes are sent
-- from the oldest usable sender of the operators' account.
create table code_sender (
  sole boolean primary key default true check (sole),
  account_id uuid not null,
  sender_id uuid not null,
  update_date timestamptz not null,
  foreign key (account_id, sender_id) references senders on delete cascade
);
