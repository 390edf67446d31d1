/** The SMPP server for customers' programs. */
import { resolve } from 'node:path';
import { optional, port, setting, text, whole } from './setting_kinds.ts';

const file = text.transform((value) => resolve(value));

export const SMPP_SETTINGS = {
  SMPP_PORT: optional(port, {
    meaning: 'Port of the SMPP server for customers. Off by default. `npm start` uses SANDBOX_PORT plus 4.',
    example: '2775',
  }),
  SMPP_TLS_PORT: optional(port, {
    meaning: 'Port of the SMPP server with TLS. Requires the certificate and its key. Off by default.',
    example: '3550',
  }),
  SMPP_TLS_CERT_FILE: optional(file, {
    meaning: 'Certificate for SMPP_TLS_PORT with its chain, in PEM format. Reloaded every minute.',
    example: '/etc/parley/smpp.pem',
  }),
  SMPP_TLS_KEY_FILE: optional(file, {
    meaning: 'Private key of the certificate, in PEM format.',
    example: '/etc/parley/smpp-key.pem',
  }),
  SMPP_PUBLIC_HOST: optional(text.regex(/^[\w.:-]{1,253}$/, 'must be a host name or an IP address'), {
    meaning: 'Host that customers see for the SMPP server. Default: the host of PUBLIC_URL.',
    example: 'smpp.example.com',
  }),
  SMPP_WINDOW: setting(
    whole(1, 1_000),
    { meaning: 'Maximum window of an SMPP session, even if its account allows more.', example: '100' },
    '500',
  ),
  SMPP_THROUGHPUT: setting(
    whole(1, 100_000),
    { meaning: 'Maximum submits per second of an SMPP account, across all its sessions.', example: '200' },
    '1000',
  ),
  SMPP_KEPT_HOURS: setting(
    whole(1, 720),
    { meaning: 'Hours that receipts and inbound messages wait for a session of their SMPP account.', example: '168' },
    '72',
  ),
};
