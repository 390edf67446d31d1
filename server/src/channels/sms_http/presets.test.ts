/**
 * The presets for other providers, with the formats that they publish: the request, the response, a refusal, a delivery
 * receipt, and an inbound message.
 */
import { parse } from 'node:querystring';
import { GenericSettings } from '@parley/contract/channels/sms/providers/generic.ts';
import { SMS_PRESETS } from '@parley/contract/channels/sms/providers/presets.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Callback } from '../channel.ts';
import { getAdapter } from '../index.ts';
import { singleValues } from '../single_values.ts';
import { startPeer } from './test/peer.ts';
import { ACCOUNT, callback_url, KEY, type PresetExample } from './test/preset_example.ts';
import { PRESET_EXAMPLES } from './test/presets.ts';
import { CALLBACK, type Fields, form, json, MESSAGE, SECRET } from './test/table.ts';

let peer: Awaited<ReturnType<typeof startPeer>>;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer.close());

const presetSettings = (name: keyof typeof SMS_PRESETS) =>
  GenericSettings.parse({ ...SMS_PRESETS[name].settings, account: ACCOUNT, api_secret: KEY, callback_secret: SECRET });

describe.each(Object.entries(PRESET_EXAMPLES) as [keyof typeof SMS_PRESETS, PresetExample][])('%s', (name, example) => {
  const { base_url: published_url, ...settings } = presetSettings(name);
  const isForm = settings.format === 'form';

  test('the request has the documented address, key, and fields', async () => {
    const spec = { id: 'c1', settings: presetSettings(name), callback_url: CALLBACK };
    const message = { ...MESSAGE, content: null, key: 'k1', valid_seconds: 3_600, sent_parts: [] };
    const shown = getAdapter('generic').preview!.request(spec, message);
    expect(shown.url).toBe(published_url.replace('{account}', ACCOUNT));
    expect(JSON.stringify(shown)).not.toContain(KEY);
    const [response] = example.accepted;
    peer.respond(200, response);
    await peer.send('generic', settings);
    const { headers, body } = peer.request();
    expect(headers).toMatchObject({ [example.key[0]]: example.key[1] });
    expect(headers['content-type']).toBe(isForm ? 'application/x-www-form-urlencoded' : 'application/json');
    expect(isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body)).toEqual(example.fields);
  });

  test('a text with quotes, line breaks, and emoji arrives unchanged', async () => {
    const special = 'He said "50% off" & more:\n{to} \\ 👍';
    peer.respond(200, example.accepted[0]);
    await peer.send('generic', settings, { text: special });
    const { body } = peer.request();
    const values = isForm ? [...new URLSearchParams(body).values()] : [body];
    expect(isForm ? values : values.map((value) => JSON.stringify(JSON.parse(value)))).toContainEqual(
      isForm ? special : expect.stringContaining(JSON.stringify(special)),
    );
  });

  test('the responses are read', async () => {
    const [response, external_id] = example.accepted;
    peer.respond(200, response);
    expect(await peer.send('generic', settings)).toMatchObject({ accepted: [{ part: 1, external_id }], failure: null });
    if (example.refused === null) return;
    const [status, refusal, reason] = example.refused;
    peer.respond(status, refusal);
    const { accepted, failure } = await peer.send('generic', settings);
    expect(accepted).toEqual([]);
    expect(failure).toMatchObject({ kind: 'rejected', text: reason });
  });

  /** Calls the adapter as the provider does. */
  function receive(fields: Fields, url: string, method: 'POST' | 'GET' = 'POST'): Callback {
    const isQuery = method === 'GET';
    const added = isQuery ? `&${form(fields).body}` : '';
    const { headers, body } = isQuery
      ? { headers: {}, body: '' }
      : example.callbacks === 'form'
        ? form(fields)
        : json(fields);
    const query = singleValues(parse(new URL(url + added).search.slice(1)));
    return getAdapter('generic').callbacks!.read(
      { id: 'c1', settings: presetSettings(name) },
      { method, url: url + added, query, headers, body: Buffer.from(body) },
    );
  }
  const message_url = `${callback_url}${name === 'elks46' ? `&to=${MESSAGE.to}` : ''}`;
  const method = example.receipts === 'query' ? 'GET' : 'POST';

  test('a delivery receipt is read, and refused without the secret', () => {
    const [fields, report] = example.receipt;
    expect(receive(fields, message_url, method)).toMatchObject({
      ...{ status: 200, reports: [{ ...report, reference: 4_711 }], incoming: [] },
    });
    const forged = message_url.replace(SECRET, `${SECRET}x`);
    expect(receive(fields, forged, method)).toMatchObject({ status: 403, reports: [] });
  });

  test('an inbound message is read, and refused without the secret', () => {
    if (example.inbound === null) return;
    const [fields, message] = example.inbound;
    expect(receive(fields, `${CALLBACK}?key=${SECRET}`)).toMatchObject({
      ...{ status: 200, reports: [], incoming: [message] },
    });
    expect(receive(fields, `${CALLBACK}?key=x`)).toMatchObject({ status: 403, incoming: [] });
  });

  test('each example names the page that contains its shape', () => {
    const { request, refused, receipt, inbound } = example.sources;
    for (const source of [request, refused, receipt, inbound])
      if (source !== null) expect(source).toMatch(/^https?:\/\/\S+\/\S*$/);
    expect([request, receipt]).not.toContain(null);
    expect([refused === null, inbound === null]).toEqual([example.refused === null, example.inbound === null]);
  });
});
