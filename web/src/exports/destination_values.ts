/** The values of the forms for an SFTP server and an S3 bucket, and the bodies that they become. */
import {
  DEFAULT_REGION,
  type S3Destination,
  SFTP_PORT,
  type SftpDestination,
} from '@parley/contract/exports/destinations.ts';

export interface DestinationValues extends Record<string, unknown> {
  name: string;
  host: string;
  port: number | string;
  username: string;
  auth: SftpDestination['auth'];
  password: string;
  private_key: string;
  folder: string;
  file_name: string;
  host_key_type: string;
  host_key_fingerprint: string;
}

export const initialValues = (row: SftpDestination | null): DestinationValues => ({
  name: row?.name ?? '',
  host: row?.host ?? '',
  port: row?.port ?? SFTP_PORT,
  username: row?.username ?? '',
  auth: row?.auth ?? 'password',
  password: '',
  private_key: '',
  folder: row?.folder ?? '',
  file_name: row?.file_name ?? '{list}-{date}',
  host_key_type: row?.host_key_type ?? '',
  host_key_fingerprint: row?.host_key_fingerprint ?? '',
});

/** Sends only the secret of the chosen kind, and none if it is empty. */
export function toBody({ auth, password, private_key, port, ...rest }: DestinationValues) {
  const secret = auth === 'password' ? { password } : { private_key };
  const isGiven = (auth === 'password' ? password : private_key).trim() !== '';
  return { type: 'sftp' as const, ...rest, port: Number(port), ...(isGiven ? secret : {}) };
}

export interface BucketValues extends Record<string, unknown> {
  name: string;
  endpoint: string;
  region: string;
  bucket: string;
  access_key_id: string;
  secret_access_key: string;
  folder: string;
  file_name: string;
}

export const initialBucket = (row: S3Destination | null): BucketValues => ({
  name: row?.name ?? '',
  endpoint: row?.endpoint ?? '',
  region: row?.region ?? DEFAULT_REGION,
  bucket: row?.bucket ?? '',
  access_key_id: row?.access_key_id ?? '',
  secret_access_key: '',
  folder: row?.folder ?? '',
  file_name: row?.file_name ?? '{list}-{date}',
});

/** An empty endpoint is Amazon S3. */
export function toBucketBody({ endpoint, secret_access_key, ...rest }: BucketValues) {
  return {
    ...{ type: 's3' as const, ...rest, endpoint: endpoint.trim() === '' ? null : endpoint.trim() },
    ...(secret_access_key === '' ? {} : { secret_access_key }),
  };
}

export const FILE_NAME_HELP =
  'Can contain {list}, {date}, {time}, and {id}. Existing files with the same name are overwritten.';
