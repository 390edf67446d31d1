/** Settings of a connection over SMPP. */
import { z } from 'zod';
import { range } from '../../common.ts';
import type { AdapterSettings } from '../adapter.ts';

export const SmppSettings = z.object({
  host: z.string().trim().min(1).max(255),
  port: range(1, 65_535),
  tls: z.boolean().default(false),
  /** Enables TLS without certificate verification, for carriers with a self-signed certificate. */
  tls_insecure: z.boolean().default(false),
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
  multipart: z.enum(['udh8', 'udh16', 'sar', 'payload']).default('udh8'),
  /** The alphabet of data coding 0 at this carrier. */
  default_alphabet: z.enum(['gsm7', 'latin1', 'ascii']).default('gsm7'),
  /** How message IDs are converted so that the IDs in responses and delivery receipts match. */
  id_format: z.enum(['text', 'hex_to_decimal', 'decimal_to_hex']).default('text'),
  /** Type of number for short codes: 3 for most carriers, 0 or 6 for some. */
  short_code_ton: range(0, 7).default(3),
  /** True if the carrier repeats `user_message_reference` in receipts, which shows what was sent before a crash. */
  echoes_reference: z.boolean().default(true),
});
export type SmppSettings = z.output<typeof SmppSettings>;

export const smpp = {
  channel: 'SMS',
  label: 'SMS over SMPP 3.4',
  settings: SmppSettings,
  shown: SmppSettings.omit({ password: true }),
  secrets: z.enum(['password']),
  get defaults() {
    return { ...SmppSettings.parse({ host: 'x', port: 2775, system_id: 'x' }), host: '', system_id: '' };
  },
  credentials: [],
  limits: [],
} as const satisfies AdapterSettings;
