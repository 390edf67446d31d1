/**
 * Self-signed client certificates. Node can sign certificates, but not issue them, so this module encodes X.509 itself
 * (decision 134).
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface KeyPair {
  /** PKCS #8 in PEM format. */
  key: string;
  /** X.509 in PEM format. */
  cert: string;
}

const DAY_MS = 86_400_000;

/** A certificate for TLS clients with a new P-256 key. It cannot sign other certificates. */
export function makeClientCertificate(common_name: string, now: Date, days: number): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = sequence(set(sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(common_name)))));
  const serial = randomBytes(16);
  // Positive, and without leading zeros.
  serial[0] = (serial[0]! & 0x3f) | 0x40;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ECDSA_WITH_SHA256,
    name,
    // The clock of the server that checks it can be behind.
    sequence(time(new Date(now.getTime() - DAY_MS)), time(new Date(now.getTime() + days * DAY_MS))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, EXTENSIONS),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]);
  const lines = sequence(body, ECDSA_WITH_SHA256, der(0x03, signature))
    .toString('base64')
    .replace(/.{64}(?=.)/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...items: Buffer[]) => der(0x30, Buffer.concat(items));
const set = (...items: Buffer[]) => der(0x31, Buffer.concat(items));
const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes));
/** UTCTime covers the years up to 2049, and GeneralizedTime covers later years. */
const time = (at: Date) => {
  const digits = at.toISOString().replace(/[-:T]|\.\d+/g, '');
  return at.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
};

const TRUE = der(0x01, Buffer.from([0xff]));
const ECDSA_WITH_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const EXTENSIONS = sequence(
  // Basic constraints: not an authority.
  sequence(oid(0x55, 0x1d, 0x13), TRUE, der(0x04, sequence())),
  // Key usage: digital signature.
  sequence(oid(0x55, 0x1d, 0x0f), TRUE, der(0x04, der(0x03, Buffer.from([7, 0x80])))),
  // Extended key usage: TLS client.
  sequence(oid(0x55, 0x1d, 0x25), der(0x04, sequence(oid(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02)))),
);
