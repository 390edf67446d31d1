-- Whether the campaigns of an account look up numbers first, unless a campaign says otherwise.
alter table accounts
  add column hlr_check boolean not null default false,
  add column mnp_check boolean not null default false,
  add column mnp_countries text[] not null default '{}';
