/**
 * Client certificates of webhooks (mutual TLS), and certificate authorities for their servers. Private keys are sealed
 * and never returned.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { createWebhookCertificate as createEndpoint } from '@parley/contract/webhooks/certificates.ts';
import type { Webhook } from '@parley/contract/webhooks/webhooks.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { makeClientCertificate } from '../kernel/security/self_signed.ts';

const DAYS = 730;
const MIN_RSA_BITS = 2_048;
const MAX_CERTIFICATES = 5;
const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export interface StoredCertificate {
  certificate: string;
  private_key: string;
  source: 'generated' | 'uploaded';
  expire_date: Date;
}

export function readInput(
  { certificate, private_key }: Parsed<typeof createEndpoint>['body'],
  /** The common name of a generated certificate, which the receiver sees. */
  name: string,
  now: Date,
): StoredCertificate {
  if (!certificate && !private_key) {
    const { cert, key } = makeClientCertificate(name, now, DAYS);
    return {
      certificate: cert,
      private_key: key,
      source: 'generated',
      expire_date: new Date(readCertificate(cert)!.validTo),
    };
  }
  const chain = splitPem(certificate ?? '');
  const own = chain?.[0] && readCertificate(chain[0]);
  if (!chain || !own) throw new Problem('WEBHOOK_CERTIFICATE_INVALID');
  const key = readKey(private_key ?? '');
  if (!key || !own.checkPrivateKey(key) || !isStrong(key)) throw new Problem('WEBHOOK_KEY_INVALID');
  if (new Date(own.validTo) <= now || new Date(own.validFrom) > now) throw new Problem('WEBHOOK_CERTIFICATE_EXPIRED');
  const pem = `${chain.join('\n')}\n`;
  const text = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  try {
    createSecureContext({ cert: pem, key: text });
  } catch {
    throw new Problem('WEBHOOK_CERTIFICATE_INVALID');
  }
  return { certificate: pem, private_key: text, source: 'uploaded', expire_date: new Date(own.validTo) };
}

/** Returns the text with one certificate after the other. Throws WEBHOOK_CA_INVALID. */
export function readAuthorities(text: string): string {
  const all = splitPem(text);
  if (!all?.every(readCertificate)) throw new Problem('WEBHOOK_CA_INVALID');
  return `${all.join('\n')}\n`;
}

/** Returns null unless the text has 1 to 5 certificates and nothing else but comments. */
function splitPem(text: string): string[] | null {
  const blocks = text.match(BLOCK) ?? [];
  const isComplete = blocks.length === (text.match(/-----BEGIN/g) ?? []).length;
  return isComplete && blocks.length > 0 && blocks.length <= MAX_CERTIFICATES ? blocks : null;
}

function readCertificate(text: string): X509Certificate | null {
  try {
    return new X509Certificate(text);
  } catch {
    return null;
  }
}

function readKey(text: string): KeyObject | null {
  try {
    return createPrivateKey(text);
  } catch {
    return null;
  }
}

function isStrong({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): boolean {
  if (type === 'rsa' || type === 'rsa-pss') return (details?.modulusLength ?? 0) >= MIN_RSA_BITS;
  return type === 'ec' || type === 'ed25519' || type === 'ed448';
}

interface CertificateRow {
  client_certificate: string | null;
  certificate_source: 'generated' | 'uploaded' | null;
}

/** The certificate as it is shown, without its private key. */
export function presentCertificate({
  client_certificate: pem,
  certificate_source,
}: CertificateRow): Webhook['client_certificate'] {
  const read = pem && readCertificate(pem);
  if (!pem || !read) return null;
  const expire_date = new Date(read.validTo).toISOString().slice(0, 19).replace('T', ' ');
  const subject = read.subject.replaceAll('\n', ', ');
  return { pem, subject, fingerprint: read.fingerprint256, source: certificate_source!, expire_date };
}

/** Stores the certificate, or removes it. The circuit breaker closes, because the next attempt can succeed. */
export const storeCertificate = (
  tx: Tx,
  { seals }: Pick<Kernel, 'seals'>,
  { account_id, id }: { account_id: string; id: string },
  stored: StoredCertificate | null,
) =>
  tx.run(sql`
    update webhooks set client_certificate = ${stored?.certificate ?? null},
      client_key = ${stored && seals.seal(stored.private_key, { table: 'webhooks', row: id })},
      certificate_source = ${stored?.source ?? null}, certificate_expire_date = ${stored?.expire_date ?? null},
      certificate_warning = null, open_until = null, update_date = ${tx.now},
      next_date = case when next_date is not null then now() end
    where account_id = ${account_id} and id = ${id}`);
