/** What an operator sets for a connection to a carrier, by adapter. What is in `SECRETS` is written and never read back. */
import { z } from 'zod';
import { range } from '../common.ts';

export const SmppSettings = z.object({
  host: z.string().trim().min(1).max(255),
  port: range(1, 65_535),
  tls: z.boolean().default(false),
  /** TLS without checking the certificate: for carriers with one of their own making. */
  tls_insecure: z.boolean().default(false),
  system_id: z.string().min(1).max(15),
  /** Written, never read back. */
  password: z.string().max(8).default(''),
  system_type: z.string().max(12).default(''),
  bind_mode: z.enum(['transceiver', 'separate']).default('transceiver'),
  /** Lines at once. */
  binds: range(1, 16).default(1),
  /** Messages without an answer yet, per line. */
  window: range(1, 1_000).default(50),
  /** Per line and second; null: as fast as it goes. */
  throughput: range(1, 10_000).nullable().default(null),
  response_timeout_ms: range(1_000, 300_000).default(60_000),
  enquire_link_ms: range(1_000, 600_000).default(30_000),
  multipart: z.enum(['udh8', 'udh16', 'sar', 'payload']).default('udh8'),
  /** What data coding 0 means at this carrier. */
  default_alphabet: z.enum(['gsm7', 'latin1', 'ascii']).default('gsm7'),
  /** How its message ids must be turned to match between answer and receipt. */
  id_format: z.enum(['text', 'hex_to_decimal', 'decimal_to_hex']).default('text'),
  /** Type of number of a short code: 3 for most carriers, 0 or 6 for some. */
  short_code_ton: range(0, 7).default(3),
  /** The carrier repeats `user_message_reference` in receipts: proof of what a crash left open. */
  echoes_reference: z.boolean().default(true),
});
export type SmppSettings = z.output<typeof SmppSettings>;

/** Where a carrier's interface begins: what an adapter calls is `${base_url}/path`. */
const interfaceAt = (usual: string) =>
  z
    .string()
    .trim()
    .max(500)
    .transform((text) => text.replace(/\/+$/, ''))
    .refine(isInterface, { error: 'must be an http:// or https:// address without user name, query or fragment' })
    .default(usual);

function isInterface(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && !username && !password && !search && !hash && !/[?#\s]/.test(text);
}

/** Goes into a header as it is: nothing that could begin another. */
const secret = z
  .string()
  .trim()
  .max(1_000)
  .regex(/^[\x21-\x7e]*$/, { error: 'must be of letters, digits and signs without spaces' })
  .default('');
const digits = z
  .string()
  .trim()
  .regex(/^\d{1,30}$/, { error: 'must be digits' });

const pace = {
  /** Messages without an answer yet. */
  window: range(1, 1_000).default(50),
  /** Messages a second; null: as fast as it goes. */
  throughput: range(1, 10_000).nullable(),
  /** How long an answer may take. */
  timeout_ms: range(1_000, 120_000).default(30_000),
};

export const WhatsAppSettings = z.object({
  base_url: interfaceAt('https://graph.facebook.com/v25.0'),
  access_token: secret,
  /** Needed for the samples of templates with a file. */
  app_id: digits.or(z.literal('')).default(''),
  /** Signs what WhatsApp calls back with. */
  app_secret: secret,
  /** What WhatsApp shows once, when it is told where to call back; generated when empty. */
  verify_token: secret,
  /** The WhatsApp business account that holds the numbers and templates. */
  waba_id: digits,
  ...pace,
  throughput: pace.throughput.default(80),
});
export type WhatsAppSettings = z.output<typeof WhatsAppSettings>;

export const ViberSettings = z.object({
  base_url: interfaceAt('https://services.viber.com/vibersrvc/1'),
  /** Signs what Viber calls back with; sending needs none, Viber knows the address. */
  auth_token: secret,
  /** Messages in a session without an answer of the person, as agreed with the provider. */
  in_a_row: range(1, 60).default(10),
  /** Messages in a session in all. */
  in_session: range(1, 1_000).default(60),
  ...pace,
  throughput: pace.throughput.default(null),
});
export type ViberSettings = z.output<typeof ViberSettings>;

/** By adapter, the settings that are sealed. */
export const SECRETS = {
  smpp: ['password'],
  whatsapp: ['access_token', 'app_secret', 'verify_token'],
  viber: ['auth_token'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
