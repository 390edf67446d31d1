/** Hostile callbacks. Each provider signs in its own way, and the attacks are the same for all. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealSecrets } from '../../connections/connections.ts';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { openCarrier } from '../../test/carrier.ts';
import { makeCompany, makeSender } from '../../test/make.ts';
import { type Caller, createWorld, until, type World } from '../../test/world.ts';

const SECRET = 'sandbox-secret-0001';
const FROM = '447400990001';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const PUBLIC_KEY = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64');

interface Receipt {
  id: string;
  to: string;
  state: 'sent' | 'delivered';
}
interface Post {
  query?: string;
  headers: Record<string, string>;
  body: string;
}
interface Signer {
  /** Changes to the settings of the sandbox. */
  settings?: object;
  /** `account` is another account or phone, for providers whose callbacks name one. */
  sign(url: string, receipt: Receipt, key: string, account?: string): Post;
  namesAccount?: true;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const hmac = (algorithm: string, key: string, text: string) => createHmac(algorithm, key).update(text);
const joined = (fields: Record<string, string>) =>
  Object.keys(fields)
    .sort()
    .map((name) => name + fields[name])
    .join('');
const seconds = () => String(Math.floor(Date.now() / 1_000));
const keyed = (make: (receipt: Receipt) => object): Signer => ({
  sign: (_url, receipt, key) => ({ query: `key=${key}`, headers: JSON_TYPE, body: JSON.stringify(make(receipt)) }),
});

const SIGNERS: Record<string, Signer> = {
  // https://www.twilio.com/docs/usage/security
  twilio: {
    namesAccount: true,
    sign(url, { id, to, state }, key, account = 'ACsandbox') {
      const fields = { MessageSid: id, MessageStatus: state, To: `+${to}`, From: `+${FROM}`, AccountSid: account };
      const signature = hmac('sha1', key, url + joined(fields)).digest('base64');
      return {
        headers: { ...FORM_TYPE, 'x-twilio-signature': signature },
        body: new URLSearchParams(fields).toString(),
      };
    },
  },
  // https://developer.vonage.com/en/getting-started/concepts/signing-messages
  vonage: {
    sign(_url, { id, to, state }, key) {
      const status = state === 'sent' ? 'accepted' : state;
      const fields: Record<string, string> = {
        ...{ messageId: id, msisdn: to, to: FROM, status, 'err-code': '0', timestamp: seconds(), nonce: 'n' },
      };
      const text = Object.keys(fields)
        .sort()
        .map((name) => `&${name}=${fields[name]}`)
        .join('');
      const sig = hmac('sha256', key, text).digest('hex').toUpperCase();
      return { headers: JSON_TYPE, body: JSON.stringify({ ...fields, sig }) };
    },
  },
  // https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks
  telnyx: {
    settings: { public_key: PUBLIC_KEY },
    sign(_url, { id, to, state }, key) {
      const payload = { id, from: { phone_number: `+${FROM}` }, to: [{ phone_number: `+${to}`, status: state }] };
      const body = JSON.stringify({ data: { event_type: 'message.finalized', payload } });
      const timestamp = seconds();
      const signer = key === SECRET ? privateKey : generateKeyPairSync('ed25519').privateKey;
      const signature = sign(null, Buffer.from(`${timestamp}|${body}`), signer).toString('base64');
      return {
        headers: { ...JSON_TYPE, 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature },
        body,
      };
    },
  },
  // https://www.plivo.com/docs/messaging/concepts/signature-validation
  plivo: {
    sign(url, { id, to, state }, key) {
      const fields = { MessageUUID: id, Status: state, To: to, From: FROM, ErrorCode: '000' };
      const signature = hmac('sha256', key, `${url}?${joined(fields)}.1`).digest('base64');
      return {
        headers: { ...FORM_TYPE, 'x-plivo-signature-v3': signature, 'x-plivo-signature-v3-nonce': '1' },
        body: new URLSearchParams(fields).toString(),
      };
    },
  },
  // https://www.infobip.com/docs/api/channels/sms/outbound-sms/receive-outbound-sms-message-report-v3
  infobip: keyed(({ id, to, state }) => ({
    results: [{ messageId: id, to, status: { groupName: state === 'sent' ? 'PENDING' : 'DELIVERED', name: 'X' } }],
  })),
  // https://developers.sinch.com/docs/sms/api-reference/sms/tag/Webhooks/
  sinch: keyed(({ id, to, state }) => ({
    ...{ type: 'recipient_delivery_report_sms', batch_id: id, recipient: to, code: 0 },
    status: state === 'sent' ? 'Dispatched' : 'Delivered',
  })),
  // https://docs.sms-gate.app/features/webhooks/
  android: {
    namesAccount: true,
    settings: { device_id: 'phone1' },
    sign(_url, { id, to, state }, key, account = 'phone1') {
      const payload = { messageId: id, phoneNumber: `+${to}`, simNumber: 1 };
      const body = JSON.stringify({ deviceId: account, event: `sms:${state}`, id: 'e', payload, webhookId: 'w' });
      const timestamp = seconds();
      const signature = hmac('sha256', key, body + timestamp).digest('hex');
      return { headers: { ...JSON_TYPE, 'x-timestamp': timestamp, 'x-signature': signature }, body };
    },
  },
  generic: keyed(({ id, to, state }) => ({ id, to, status: state })),
};
const NAMES = Object.keys(SIGNERS);

let world: World;
let api: Caller;
const connections = new Map<string, string>();

beforeAll(async () => {
  world = await createWorld({ sandbox: true });
  await openCarrier(world).set({ receipt_delay_ms: 3_600_000 });
  const { db } = world.kernel;
  await db.run(sql`
    insert into rates (id, channel, country, price_micros, currency) values (${newId()}, 'SMS', 'GB', 10, 'USD')`);
  const { providers } = (await (await fetch(`${world.sandbox!.url}/api/providers`)).json()) as {
    providers: { name: AdapterName; base_path: string; settings: object }[];
  };
  expect(providers.map(({ name }) => name).sort()).toEqual([...NAMES].sort());
  for (const { name, base_path, settings } of providers) {
    const id = newId();
    connections.set(name, id);
    const base_url = `${world.sandbox!.url}${base_path}`;
    const parsed = ADAPTERS[name].settings.parse({ base_url, ...settings, ...SIGNERS[name]!.settings });
    const sealed = JSON.stringify(sealSecrets(world.kernel, id, name, parsed));
    await db.run(sql`
      insert into connections (id, name, adapter, channel, settings)
      values (${id}, ${name}, ${name}, 'SMS', ${sealed}::jsonb)`);
    await db.run(sql`
      insert into routes (id, channel, connection_id, prefix)
      values (${newId()}, 'SMS', ${id}, ${`44741${NAMES.indexOf(name)}`})`);
  }
  const company = await makeCompany(world.kernel);
  await makeSender(world.kernel, company.account_id, { code: FROM });
  api = world.as(company.token);
});
afterAll(() => world?.stop());

async function call(name: string, { query, headers, body }: Post): Promise<number> {
  const url = `${world.url}/callbacks/${connections.get(name)}${query ? `?${query}` : ''}`;
  return (await fetch(url, { method: 'POST', headers, body })).status;
}
const signed = (name: string, receipt: Receipt, key = SECRET, account?: string) =>
  SIGNERS[name]!.sign(`${world.kernel.config.PUBLIC_URL}/callbacks/${connections.get(name)}`, receipt, key, account);
const status = async (id: string): Promise<string> => (await api.get(`/v1/messages/${id}`)).body.data.status;

describe.each(NAMES)('%s', (name) => {
  const to = `44741${NAMES.indexOf(name)}111111`;
  let id: string;
  let external_id: string;
  beforeAll(async () => {
    const { body } = await api.post('/v1/messages', { from: FROM, to, channel: 'SMS', text: 'Hello' });
    id = body.data[0].id;
    await until('the message is sent', async () => (await status(id)) === 'sent');
    ({ external_id } = await world.kernel.db.one<{ external_id: string }>(sql`
      select external_id from submissions where message_id = ${id}`));
  });

  test('a forged, foreign, or huge callback changes nothing', async () => {
    const delivered = { id: external_id, to, state: 'delivered' } as const;
    expect(await call(name, signed(name, delivered, 'another-secret-0001'))).toBe(403);
    expect(await call(name, { headers: FORM_TYPE, body: '' })).toBe(403);
    if (SIGNERS[name]!.namesAccount)
      expect([200, 403]).toContain(await call(name, signed(name, delivered, SECRET, 'another')));
    const huge = signed(name, delivered);
    expect(await call(name, { ...huge, body: huge.body + ' '.repeat(4 * 1024 * 1024) })).toBe(413);
    expect(await status(id)).toBe('sent');
  });

  test('an unknown ID is kept, and receipts that are late or repeated change nothing', async () => {
    expect(await call(name, signed(name, { id: `unknown-${name}`, to, state: 'delivered' }))).toBe(200);
    expect(await status(id)).toBe('sent');
    const delivered = signed(name, { id: external_id, to, state: 'delivered' });
    expect(await call(name, delivered)).toBe(200);
    expect(await status(id)).toBe('delivered');
    const before = (await api.get(`/v1/messages/${id}`)).body.data;
    expect(await call(name, delivered)).toBe(200);
    expect(await call(name, signed(name, { id: external_id, to, state: 'sent' }))).toBe(200);
    const after = (await api.get(`/v1/messages/${id}`)).body.data;
    expect([after.status, after.charge]).toEqual([before.status, before.charge]);
  });
});

test('the ledger and the messages are consistent after these tests', async () => {
  expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
});
