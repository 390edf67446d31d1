/**
 * A self-signed certificate for SMPP over TLS, created once and stored in the data directory. Node can sign
 * certificates but cannot issue them, so this module encodes X.509 itself, and the machine does not need openssl.
 */
import { createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface KeyPair {
  key: string;
  cert: string;
}

const day = 86_400_000;

export function sandboxCertificate(data_dir: string): KeyPair {
  const path = join(data_dir, 'smpp-tls.pem');
  return readPair(path) ?? writePair(path, makeCertificate(new Date()));
}

function readPair(path: string): KeyPair | undefined {
  try {
    const pem = readFileSync(path, 'utf8');
    const pair = { key: block(pem, 'PRIVATE KEY'), cert: block(pem, 'CERTIFICATE') };
    const certificate = new X509Certificate(pair.cert);
    const fresh = Date.parse(certificate.validTo) > Date.now() + 30 * day;
    return fresh && certificate.checkPrivateKey(createPrivateKey(pair.key)) ? pair : undefined;
  } catch {
    return undefined;
  }
}

function writePair(path: string, pair: KeyPair): KeyPair {
  writeFileSync(path, pair.key + pair.cert, { mode: 0o600 });
  return pair;
}

function block(pem: string, label: string): string {
  const match = new RegExp(`-----BEGIN ${label}-----[^-]+-----END ${label}-----`).exec(pem);
  if (!match) throw new Error(`no ${label}`);
  return `${match[0]}\n`;
}

function makeCertificate(now: Date): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const name = sequence(set(sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from('Parley sandbox')))));
  const serial = randomBytes(16);
  serial[0]! = (serial[0]! & 0x3f) | 0x40;
  const names = sequence(
    der(0x82, Buffer.from('localhost')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
    der(0x87, Buffer.from('00000000000000000000000000000001', 'hex')),
  );
  const trueValue = der(0x01, Buffer.from([0xff]));
  const extensions = sequence(
    sequence(oid(0x55, 0x1d, 0x11), der(0x04, names)),
    // The certificate is its own authority, so that a client can be configured to trust it.
    sequence(oid(0x55, 0x1d, 0x13), trueValue, der(0x04, sequence(trueValue))),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    name,
    sequence(time(new Date(now.getTime() - day)), time(new Date(now.getTime() + 3650 * day))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]);
  const certificate = sequence(body, ecdsaWithSha256, der(0x03, signature));
  const lines = certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
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
