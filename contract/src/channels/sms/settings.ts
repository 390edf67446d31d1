/** Settings of a connection over SMPP. */
import { z } from 'zod';
import { country, range } from '../../common.ts';
import type { AdapterSettings } from '../adapter.ts';
import { profileFields, SmsProfile } from './profile.ts';

/** One or more certificates or keys in PEM format; empty if there is none. */
const pem = (label: string) =>
  z
    .string()
    .trim()
    .max(20_000)
    .regex(new RegExp(`^$|^-----BEGIN ${label}-----[A-Za-z0-9+/=\\s-]+-----END ${label}-----`), {
      error: 'must be in PEM format',
    })
    .default('');

const type = (preset: number) => range(0, 7).default(preset);
const plan = (preset: number) => range(0, 18).default(preset);
const prefix = z.enum(['none', 'plus', 'zeros']).default('none');

export const SmppSettings = z.object({
  host: z.string().trim().min(1).max(255),
  port: range(1, 65_535),
  tls: z.boolean().default(false),
  /** Enables TLS without certificate verification, for carriers with a self-signed certificate. */
  tls_insecure: z.boolean().default(false),
  /** The name in the carrier's certificate, if it differs from the host. */
  tls_server_name: z.string().trim().max(255).default(''),
  /** The trusted authorities for the carrier's certificate. If empty, the authorities that Node trusts. */
  tls_ca: pem('CERTIFICATE'),
  /** Our client certificate, followed by its chain. */
  tls_certificate: pem('CERTIFICATE'),
  /** The private key of `tls_certificate`. */
  tls_key: pem('(?:EC |RSA )?PRIVATE KEY'),
  system_id: z.string().min(1).max(15),
  password: z.string().max(8).default(''),
  system_type: z.string().max(12).default(''),
  bind_mode: z.enum(['transceiver', 'separate']).default('transceiver'),
  /** The number of simultaneous binds. */
  binds: range(1, 16).default(1),
  /** Maximum number of submitted messages per bind that have not been acknowledged yet. */
  window: range(1, 1_000).default(50),
  /** Messages per second on each bind; null means no limit. */
  throughput: range(1, 10_000).nullable().default(null),
  response_timeout_ms: range(1_000, 300_000).default(60_000),
  enquire_link_ms: range(1_000, 600_000).default(30_000),
  ...profileFields,
  /**
   * The format of message IDs in responses and delivery receipts. IDs that are numbers are compared by value, so letter
   * case and leading zeros make no difference.
   */
  id_format: z.enum(['text', 'decimal', 'hex', 'hex_to_decimal', 'decimal_to_hex']).default('text'),
  /** The form of the validity period: a period, a point in time, or none, so that the carrier decides. */
  validity: z.enum(['relative', 'absolute', 'none']).default('relative'),
  service_type: z
    .string()
    .trim()
    .max(5)
    .regex(/^[\x21-\x7e]*$/, { error: 'can contain letters, digits, and symbols' })
    .default(''),
  /** The country of numbers that the carrier sends without a country code; null if it always sends one. */
  country: country().nullable().default(null),
  /** The UTC offset of dates in receipts, in minutes. If null, the offset is unknown and the dates are ignored. */
  utc_offset_minutes: range(-720, 840).nullable().default(null),
  /** Type of number and numbering plan of senders that are numbers, short codes, or names, and of recipients. */
  number_ton: type(1),
  number_npi: plan(1),
  /** Type of number for short codes: 3 for most carriers, 0 or 6 for some. */
  short_code_ton: type(3),
  short_code_npi: plan(0),
  name_ton: type(5),
  name_npi: plan(0),
  recipient_ton: type(1),
  recipient_npi: plan(1),
  /** The prefix before the country code of numbers. */
  sender_prefix: prefix,
  recipient_prefix: prefix,
  /** True if the carrier repeats `user_message_reference` in receipts, which shows what was sent before a crash. */
  echoes_reference: z.boolean().default(true),
});
export type SmppSettings = z.output<typeof SmppSettings>;

export const smpp = {
  channel: 'SMS',
  label: 'SMS over SMPP 3.4',
  guide: {
    name: 'SMPP 3.4',
    keys: 'Host, port, system ID, and password from your carrier or aggregator.',
    supports: ['receipts', 'replies'],
  },
  settings: SmppSettings,
  shown: SmppSettings.omit({ password: true, tls_key: true }),
  secrets: z.enum(['password', 'tls_key']),
  profile: (settings) => SmsProfile.parse(settings),
  get defaults() {
    return { ...SmppSettings.parse({ host: 'x', port: 2775, system_id: 'x' }), host: '', system_id: '' };
  },
  credentials: [],
  limits: [],
} as const satisfies AdapterSettings;
