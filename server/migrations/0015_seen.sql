-- What an operator decides is decided of the form that was looked at: each answer of the customer is another revision.
alter table sender_requests add column revision integer not null default 1;

-- When WhatsApp was last asked for all templates of a connection, whoever wanted it.
create table connection_syncs (
  connection_id uuid primary key references connections on delete cascade,
  date timestamptz not null
);
