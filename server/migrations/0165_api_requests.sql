-- The requests made with API keys, kept for REQUEST_LOG_DAYS. The ID of a row is the ID of its request.
create table api_requests (
  account_id uuid not null,
  id uuid not null,
  key_id uuid not null,
  -- The ID of the endpoint in the contract. It decides who may see the bodies.
  endpoint text,
  method text not null,
  path text not null,
  status smallint not null,
  code integer,
  ms integer not null,
  address text not null,
  agent text,
  -- JSON, masked and shortened. It is text, because it is only shown.
  request_body text,
  response_body text,
  is_masked boolean not null,
  create_date timestamptz not null,
  primary key (account_id, id)
);
create index api_requests_key on api_requests (account_id, key_id, id);
create index api_requests_failed on api_requests (account_id, id) where status >= 400;
