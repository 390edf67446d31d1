/**
 * Runs the table of tests of each SMS provider: what the provider receives, over a real socket, and what its responses
 * and callbacks mean.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Callback } from '../channel.ts';
import { adaptersWith, getAdapter } from '../index.ts';
import { startPeer } from './test/peer.ts';
import { CALLBACK, type Fields, findGaps, type Post, SECRET, type Signing } from './test/table.ts';
import { TABLES } from './test/tables.ts';

let peer: Awaited<ReturnType<typeof startPeer>>;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer.close());

const now_s = (): number => Math.floor(Date.now() / 1_000);

/** Calls the adapter with a callback about the message with our reference. */
function receive(name: string, fields: Fields, signing: Partial<Signing> = {}, changes: Partial<Post> = {}): Callback {
  const { post, settings } = TABLES[name]!;
  const url = `${CALLBACK}?reference=4711`;
  const { query, headers, body } = {
    ...post(fields, { url, secret: SECRET, time_s: now_s(), ...signing }),
    ...changes,
  };
  return getAdapter(name).callbacks!.read(
    { id: 'c1', settings },
    {
      ...{ method: 'POST', url: `${url}${query ? `&${new URLSearchParams(query)}` : ''}` },
      ...{ query: { reference: '4711', ...query }, headers, body: Buffer.from(body) },
    },
  );
}

test('every SMS provider over HTTP has a table of tests', () => {
  expect(Object.keys(TABLES)).toEqual(adaptersWith('preview'));
});

describe.each(Object.entries(TABLES))('%s', (name, table) => {
  test('the table of tests is complete', () => {
    expect(findGaps(name, table)).toEqual([]);
  });

  test('the request has the fields in the documentation', async () => {
    peer.respond(200, '');
    await peer.send(name, table.settings);
    const { url, headers, body } = peer.request();
    expect(url).toBe(table.request.path);
    expect(headers).toMatchObject(table.request.headers ?? {});
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
    expect(isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body)).toMatchObject(
      table.request.fields,
    );
  });

  test.each(table.responses)('HTTP %i with %j is %s', async (status, body, meaning, code) => {
    peer.respond(status, body);
    const { accepted, failure } = await peer.send(name, table.settings);
    if (meaning === 'accepted')
      expect({ accepted, failure }).toEqual({ accepted: [{ part: 1, external_id: code }], failure: null });
    else {
      expect(accepted).toEqual([]);
      expect(failure).toMatchObject({ kind: meaning, code });
      expect(failure!.text).not.toMatch(/447700900123|token|secret/i);
    }
  });

  test.each(table.receipts)('the callback %j becomes a report', (fields, report) => {
    expect(receive(name, fields)).toMatchObject({ status: 200, reports: [report], incoming: [] });
  });

  test.each(table.inbound)('the callback %j becomes an inbound message', (fields, message) => {
    const { status, reports, incoming } = receive(name, fields);
    expect({ status, reports, incoming }).toMatchObject({ status: 200, reports: [], incoming: [message] });
    expect(receive(name, fields).incoming[0]!.digest).toEqual(incoming[0]!.digest);
  });

  test('a forged callback is refused, and so is every callback if the connection has no secret', () => {
    const examples = [
      ...[table.receipt({ id: 'x1', from: '447400999999', to: '447700900123', state: 'delivered' })],
      ...[table.text({ id: 'x2', from: '447700900123', to: '447400999999', text: 'Hi' })],
      ...[...table.receipts, ...table.inbound].map(([fields]) => fields),
    ];
    for (const fields of examples) {
      expect(receive(name, fields, { secret: `${SECRET}x` }).status).toBe(403);
      expect(receive(name, fields, {}, { headers: {}, query: {} }).status).toBe(403);
      if (table.max_age_s !== undefined)
        expect(receive(name, fields, { time_s: now_s() - table.max_age_s - 1 }).status).toBe(403);
    }
    const { headers, body } = table.post(examples[0]!, { url: CALLBACK, secret: '', time_s: now_s() });
    const settings = { ...table.settings, [table.verified_by]: '' };
    const call = { method: 'POST' as const, url: CALLBACK, query: { key: '' }, headers, body: Buffer.from(body) };
    expect(getAdapter(name).callbacks!.read({ id: 'c1', settings }, call).status).toBe(403);
  });

  test('a signed callback with other fields than documented is accepted and changes nothing', () => {
    for (const fields of [
      {},
      { id: {} },
      { results: [null, 7] },
      { type: 7 },
      { data: [] },
      { event: null, payload: 1 },
      {
        id: 'x',
        messageId: 'x',
        MessageSid: 'x',
        MessageUUID: 'x',
        status: 'constructor',
        MessageStatus: 'constructor',
      },
    ])
      expect(receive(name, fields)).toMatchObject({ status: 200, reports: [], incoming: [] });
  });
});
