-- S3 buckets as destinations of scheduled exports, beside SFTP servers. The previous release adds only servers, without
-- the type.

alter table export_destinations
  add column type text not null default 'sftp' check (type in ('sftp', 's3')),
  -- The URL of an S3-compatible store; null for Amazon S3.
  add column endpoint text,
  add column region text,
  add column bucket text,
  add column access_key_id text,
  alter column host drop not null,
  alter column port drop not null,
  alter column username drop not null,
  alter column auth drop not null,
  alter column host_key_type drop not null,
  alter column host_key_fingerprint drop not null,
  add constraint export_destinations_parts check (
    case type
      when 'sftp' then num_nulls(host, port, username, auth, host_key_type, host_key_fingerprint) = 0
        and num_nonnulls(endpoint, region, bucket, access_key_id) = 0
      else num_nulls(region, bucket, access_key_id) = 0
        and num_nonnulls(host, port, username, auth, host_key_type, host_key_fingerprint) = 0
    end
  );
