-- Accounts that send messages only to the countries that they have allowed. Blocked countries stay blocked.
alter table country_blacklists
  add column only_allowed boolean not null default false,
  add column allowed text[] not null default '{}';
