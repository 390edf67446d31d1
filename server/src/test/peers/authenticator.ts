/** A software passkey device (WebAuthn, ES256). Its responses have the format of a browser's `toJSON()`. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: Buffer | string): string => Buffer.from(data).toString('base64url');

// The part of CBOR that an attestation needs: integers, byte strings, text strings, and maps.
type Cbor = number | string | Buffer | Map<Cbor, Cbor>;
function cbor(value: Cbor): Buffer {
  const head = (major: number, count: number) => {
    if (count < 24) return Buffer.from([(major << 5) | count]);
    if (count < 256) return Buffer.from([(major << 5) | 24, count]);
    return Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, inner]) => [cbor(key), cbor(inner)])]);
}

export interface Device {
  readonly id: string;
  /** Increases with every response. Set it to simulate a cloned device. */
  counter: number;
  register(options: { challenge: string }, overrides?: Overrides): Record<string, unknown>;
  answer(options: { challenge: string }, overrides?: Overrides): Record<string, unknown>;
}

/** Overrides for the values that an honest device and browser would send. */
interface Overrides {
  origin?: string;
  rp_id?: string;
  user_verified?: boolean;
}

export function passkeyDevice(home: { origin: string; rp_id: string }): Device {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const device: Device = {
    id: base64url(id),
    counter: 0,
    register(options, overrides = {}) {
      const values = { ...home, ...overrides };
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, encodeCoseKey(publicKey)]);
      const attestation = new Map<Cbor, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', Buffer.concat([buildAuthenticatorData(values, 0x40), credential])],
      ]);
      return buildCredential({
        clientDataJSON: base64url(buildClientData('webauthn.create', options.challenge, values.origin)),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal'],
      });
    },
    answer(options, overrides = {}) {
      device.counter++;
      const values = { ...home, ...overrides };
      const clientData = buildClientData('webauthn.get', options.challenge, values.origin);
      const authenticatorData = buildAuthenticatorData(values, 0);
      return buildCredential({
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey)),
      });
    },
  };

  const buildAuthenticatorData = (
    { rp_id, user_verified = true }: { rp_id: string } & Overrides,
    flags: number,
  ): Buffer => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(device.counter);
    return Buffer.concat([sha256(rp_id), Buffer.from([0x01 | (user_verified ? 0x04 : 0) | flags]), counter]);
  };
  const buildCredential = (response: Record<string, unknown>) => ({
    id: device.id,
    rawId: device.id,
    type: 'public-key',
    response,
    clientExtensionResults: {},
    authenticatorAttachment: 'platform',
  });
  return device;
}

const buildClientData = (type: string, challenge: string, origin: string): string =>
  JSON.stringify({ type, challenge, origin, crossOrigin: false });

// COSE: kty 2 (EC2), alg -7 (ES256), crv 1 (P-256), x, y.
function encodeCoseKey(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' });
  return cbor(
    new Map<Cbor, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x!, 'base64url')],
      [-3, Buffer.from(y!, 'base64url')],
    ]),
  );
}
