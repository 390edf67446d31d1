-- How many open conversations of each channel a user takes, by the name of the channel. Without a key: no limit.
alter table inbox_agents add column channel_capacities jsonb not null default '{}';
