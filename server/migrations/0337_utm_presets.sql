-- Saved UTM parameters for the links of an account.
create table utm_presets (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  -- The values by parameter: source, medium, campaign, term, and content.
  params jsonb not null,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index utm_presets_name on utm_presets (account_id, lower(name));
