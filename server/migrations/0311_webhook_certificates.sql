-- A webhook can present a client certificate, and trust a certificate authority of its own.
alter table webhooks
  -- PEM, with its chain.
  add column client_certificate text,
  -- PEM. Sealed.
  add column client_key text,
  add column certificate_source text check (certificate_source in ('generated', 'uploaded')),
  add column certificate_expire_date timestamptz,
  -- The latest warning about its expiry: the number of days that were left.
  add column certificate_warning smallint,
  -- PEM. Null: the public authorities.
  add column server_ca text;
create index webhooks_certificate_expiry on webhooks (certificate_expire_date)
  where certificate_expire_date is not null;
