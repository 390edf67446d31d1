-- The figures that were measured with a sign of fraud explain it after the counts are deleted.
alter table account_code_stops
  -- [{signal, evidence}]. Empty: only the evidence of the sign is known.
  add column figures jsonb not null default '[]';
