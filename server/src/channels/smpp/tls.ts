/** TLS options for a carrier: its name, its authorities, and our client certificate. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import type { SmppSettings } from '@parley/contract/channels/sms/settings.ts';
import type { SettingFault } from '../connection_test.ts';

export function tlsOptions(settings: SmppSettings): false | ConnectionOptions {
  if (!settings.tls) return false;
  const { tls_insecure, tls_server_name, tls_ca, tls_certificate, tls_key } = settings;
  return {
    ...(tls_insecure ? { rejectUnauthorized: false } : {}),
    ...(tls_server_name === '' ? {} : { servername: tls_server_name }),
    ...(tls_ca === '' ? {} : { ca: tls_ca }),
    ...(tls_certificate === '' ? {} : { cert: tls_certificate, key: tls_key }),
  };
}

/** Checks certificates when they are saved. Otherwise, a wrong certificate is noticed only when no bind comes up. */
export function checkCertificate({ tls_ca, tls_certificate, tls_key }: SmppSettings): SettingFault | null {
  if (tls_ca !== '' && !readCertificate(tls_ca))
    return { field: 'tls_ca', message: 'is not a certificate in PEM format' };
  if (tls_certificate === '') return null;
  const certificate = readCertificate(tls_certificate);
  if (!certificate) return { field: 'tls_certificate', message: 'is not a certificate in PEM format' };
  if (tls_key === '') return { field: 'tls_key', message: 'is required with a certificate' };
  try {
    return certificate.checkPrivateKey(createPrivateKey(tls_key))
      ? null
      : { field: 'tls_key', message: 'does not belong to the certificate' };
  } catch {
    return { field: 'tls_key', message: 'must be a private key in PEM format without a password' };
  }
}

function readCertificate(text: string): X509Certificate | null {
  try {
    return new X509Certificate(text);
  } catch {
    return null;
  }
}
