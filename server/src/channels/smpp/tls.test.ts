import { SmppSettings } from '@parley/contract/channels/sms/settings.ts';
import { selfSigned } from '@parley/smpp/test/certificate.ts';
import { expect, test } from 'vitest';
import { checkCertificate, tlsOptions } from './tls.ts';

const settings = (changes: Partial<SmppSettings>): SmppSettings => ({
  ...SmppSettings.parse({ host: 'carrier', port: 2775, system_id: 'us', tls: true }),
  ...changes,
});

test('TLS options contain the server name, authority, and certificate only when they are set', () => {
  expect(tlsOptions(settings({ tls: false }))).toBe(false);
  expect(tlsOptions(settings({}))).toEqual({});
  const files = { tls_server_name: 'smsc.example', tls_ca: 'CA', tls_certificate: 'CERT', tls_key: 'KEY' };
  expect(tlsOptions(settings(files))).toEqual({ servername: 'smsc.example', ca: 'CA', cert: 'CERT', key: 'KEY' });
});

test('a certificate is rejected with its field name when it cannot be read', () => {
  expect(checkCertificate(settings({}))).toBeNull();
  expect(checkCertificate(settings({ tls_ca: 'x' }))).toMatchObject({ field: 'tls_ca' });
  expect(checkCertificate(settings({ tls_certificate: 'x' }))).toMatchObject({ field: 'tls_certificate' });
});

test('a private key is rejected when it is missing, unreadable, or does not match the certificate', () => {
  const { cert: tls_certificate, key: tls_key } = selfSigned();
  expect(checkCertificate(settings({ tls_certificate, tls_key }))).toBeNull();
  for (const wrong of ['', 'x', selfSigned().key])
    expect(checkCertificate(settings({ tls_certificate, tls_key: wrong }))).toMatchObject({ field: 'tls_key' });
});
