/** The values of the form for an SFTP server, and the body that they become. */
import { type ExportDestination, SFTP_PORT } from '@parley/contract/exports/destinations.ts';

export interface DestinationValues extends Record<string, unknown> {
  name: string;
  host: string;
  port: number | string;
  username: string;
  auth: ExportDestination['auth'];
  password: string;
  private_key: string;
  folder: string;
  file_name: string;
  host_key_type: string;
  host_key_fingerprint: string;
}

export const initialValues = (row: ExportDestination | null): DestinationValues => ({
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
  return { ...rest, port: Number(port), ...(isGiven ? secret : {}) };
}
