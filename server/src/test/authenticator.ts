/** A passkey device in software (WebAuthn, ES256): makes a key pair for a host and answers challenges with it, as `toJSON()` of a browser gives them. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: Buffer | string): string => Buffer.from(data).toString('base64url');

// CBOR, as much of it as an attestation needs: integers, byte strings, texts, maps.
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
  /** Grows with every answer; set it to act a copy. */
  counter: number;
  register(options: { challenge: string }, about?: About): Record<string, unknown>;
  answer(options: { challenge: string }, about?: About): Record<string, unknown>;
}

/** What an honest device and browser would say themselves. */
interface About {
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
    register(options, about = {}) {
      const said = { ...home, ...about };
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(publicKey)]);
      const attestation = new Map<Cbor, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', Buffer.concat([data(said, 0x40), credential])],
      ]);
      return credentialOf({
        clientDataJSON: base64url(client('webauthn.create', options.challenge, said.origin)),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal'],
      });
    },
    answer(options, about = {}) {
      device.counter++;
      const said = { ...home, ...about };
      const clientData = client('webauthn.get', options.challenge, said.origin);
      const authenticatorData = data(said, 0);
      return credentialOf({
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey)),
      });
    },
  };

  const data = ({ rp_id, user_verified = true }: { rp_id: string } & About, flags: number): Buffer => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(device.counter);
    return Buffer.concat([sha256(rp_id), Buffer.from([0x01 | (user_verified ? 0x04 : 0) | flags]), counter]);
  };
  const credentialOf = (response: Record<string, unknown>) => ({
    id: device.id,
    rawId: device.id,
    type: 'public-key',
    response,
    clientExtensionResults: {},
    authenticatorAttachment: 'platform',
  });
  return device;
}

const client = (type: string, challenge: string, origin: string): string =>
  JSON.stringify({ type, challenge, origin, crossOrigin: false });

// COSE: kty 2 (EC2), alg -7 (ES256), crv 1 (P-256), x, y.
function coseKey(key: KeyObject): Buffer {
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
