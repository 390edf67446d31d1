import { request as rawRequest } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Box, type Json, openBox, pause, until } from '../test/box.ts';

const phone = '447700123456';

describe('a request', () => {
  const refusals: [method: string, path: string, body: unknown, status: number, code: string, field?: string][] = [
    ['GET', 'phones/12/messages', undefined, 422, 'invalid', 'digits'],
    ['GET', 'phones/12a4567/messages', undefined, 422, 'invalid', 'digits'],
    ['GET', 'phones/1234567890123456/messages', undefined, 422, 'invalid', 'digits'],
    ['GET', 'phones?limit=0', undefined, 422, 'invalid', 'limit'],
    ['GET', 'phones?limit=many', undefined, 422, 'invalid', 'limit'],
    ['GET', 'phones?after=-1', undefined, 422, 'invalid', 'after'],
    ['GET', 'submissions?limit=10001', undefined, 422, 'invalid', 'limit'],
    ['PUT', `phones/${phone}`, { state: 'asleep' }, 422, 'invalid', 'state'],
    ['PUT', `phones/${phone}`, { mood: 'good' }, 422, 'invalid', 'mood'],
    ['PUT', `phones/${phone}`, '[1]', 400, 'malformed'],
    ['PUT', `phones/${phone}`, '{"state"', 400, 'malformed'],
    ['POST', `phones/${phone}/messages`, {}, 422, 'invalid', 'to'],
    ['POST', `phones/${phone}/messages`, { to: 'Parley' }, 422, 'invalid', 'text'],
    ['POST', `phones/${phone}/messages`, { to: 'Parley', text: '' }, 422, 'invalid', 'text'],
    ['POST', `phones/${phone}/messages`, { to: 'Parley', text: 7 }, 422, 'invalid', 'text'],
    ['POST', `phones/${phone}/messages`, { to: 'Parley', text: 'x'.repeat(2001) }, 422, 'invalid', 'text'],
    ['POST', `phones/${phone}/messages`, { to: 'Parley', text: 'a\0b' }, 422, 'invalid', 'text'],
    ['POST', `phones/${phone}/messages`, '{"to":"Parley","text":"\\ud83d"}', 422, 'invalid', 'text'],
    ['POST', `phones/${phone}/messages`, { to: 'No such sender', text: 'x' }, 422, 'invalid', 'to'],
    ['POST', `phones/${phone}/messages`, { to: 'Par/ley', text: 'x' }, 422, 'invalid', 'to'],
    ['POST', `phones/${phone}/messages`, { to: 'Parley', text: 'x', channel: 'FAX' }, 422, 'invalid', 'channel'],
    ['POST', 'carrier/cut', { for_ms: 'long' }, 422, 'invalid', 'for_ms'],
    ['GET', 'mail/17', undefined, 404, 'not_found'],
    ['GET', 'mail/..%2F..%2Fetc', undefined, 404, 'not_found'],
    ['GET', 'nothing', undefined, 404, 'not_found'],
    ['DELETE', `phones/${phone}`, undefined, 404, 'not_found'],
  ];

  test('changes nothing when it is invalid and is rejected with a status, a code, and a message', async () => {
    const box = await openBox();
    for (const [method, path, body, status, code, field] of refusals) {
      const response = await box.call(method, path, body);
      expect([path, response.status, response.body.errors[0].code]).toEqual([path, status, code]);
      expect(response.body.errors[0].message).toMatch(/\w+ \w+/);
      expect(response.body.errors[0].field).toBe(field);
    }
    expect((await box.get('phones')).phones).toEqual([]);
  });

  test('is refused when it comes from another website or uses another host name', async () => {
    const box = await openBox();
    const foreign = await box.call('POST', 'reset', undefined, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    const response = await box.call('POST', 'reset', undefined, {
      origin: `http://127.0.0.1:${box.sandbox.ports.http}`,
    });
    expect(response.status).toBe(204);
    expect(await statusWithHost(box, 'rebound.example')).toBe(403);
    expect(await statusWithHost(box, 'localhost')).toBe(200);
  });
});

describe('phones', () => {
  test('are listed in pages, latest activity first, after a message or a PUT request', async () => {
    const box = await openBox();
    const business = await box.business();
    await box.call('PUT', 'phones/447700000001', {});
    for (let at = 2; at <= 7; at += 1) await business.send(`44770000000${at}`, `Hello ${at}`);
    await business.send('447700000003', 'Again');
    const numbers = (page: Json) => page.phones.map((row: Json) => Number(row.digits.slice(-1)));
    const first = await box.get('phones?limit=3');
    expect(numbers(first)).toEqual([3, 7, 6]);
    expect(first.total).toBe(7);
    expect(first.phones[0].last_message).toMatchObject({ text: 'Again', from: 'Parley' });
    // Activity between the requests for two pages neither repeats nor drops a row.
    await business.send('447700000006', 'Moves up');
    const second = await box.get(`phones?limit=3&after=${first.next}`);
    expect(numbers(second)).toEqual([5, 4, 2]);
    const third = await box.get(`phones?limit=3&after=${second.next}`);
    expect(numbers(third)).toEqual([1]);
    expect(third.next).toBeNull();
    expect(numbers(await box.get('phones?search=%2B44 7700 000-005'))).toEqual([5]);
  });

  test('show their thread in pages, along with the senders they can reply to', async () => {
    const box = await openBox();
    const business = await box.business();
    for (let at = 1; at <= 5; at += 1) await business.send(phone, `Message ${at}`);
    await business.send(phone, 'From a number', { source_addr: '1234', source_addr_ton: 3 });
    const newest = await box.get(`phones/+44 7700 123456/messages?limit=4`);
    expect(newest.messages.map((message: Json) => message.text)).toEqual([
      'Message 3',
      'Message 4',
      'Message 5',
      'From a number',
    ]);
    expect(newest.senders).toEqual(['1234', 'Parley']);
    const older = await box.get(`phones/${phone}/messages?limit=4&before=${newest.next}`);
    expect(older.messages.map((message: Json) => message.text)).toEqual(['Message 1', 'Message 2']);
    expect(older.next).toBeNull();
  });

  test.each(['off', 'out_of_reach'])('cannot send messages when their state is %s', async (state) => {
    const box = await openBox();
    await box.call('PUT', `phones/${phone}`, { state });
    const { status, body } = await box.call('POST', `phones/${phone}/messages`, { to: 'Parley', text: 'Hello' });
    expect([status, body.errors[0].code]).toEqual([409, 'phone_cannot_send']);
    expect(await box.thread(phone)).toEqual([]);
  });

  test('are on and have no messages before they are first used', async () => {
    const box = await openBox();
    const { phone: unused, messages } = await box.get('phones/447700900901/messages');
    expect(unused).toMatchObject({ digits: '447700900901', state: 'on', magic: 'Undelivered', last_message: null });
    expect(messages).toEqual([]);
    expect((await box.get('phones')).total).toBe(0);
  });
});

test('submissions are listed in order and can be filtered by number, text, and position', async () => {
  const box = await openBox();
  const business = await box.business();
  for (const text of ['One', 'Two', 'Two', 'Three']) await business.send(phone, text);
  await business.send('447700999999', 'Two');
  await until(async () => (await box.get('stats')).receipts.pending === 0);
  const all = await box.get('submissions');
  expect(all.submissions.map((row: Json) => row.text)).toEqual(['One', 'Two', 'Two', 'Three', 'Two']);
  const first = await box.get('submissions?limit=2');
  const remaining = await box.get(`submissions?since=${first.next}`);
  expect([...first.submissions, ...remaining.submissions]).toEqual(all.submissions);
  expect(remaining.next).toBeNull();
  expect((await box.get(`submissions?to=%2B${phone}&text=wo`)).submissions).toHaveLength(2);
  expect((await box.get('stats')).duplicates).toBe(1);
});

test('the live stream publishes every change to messages, phones, binds, and the carrier', async () => {
  const box = await openBox();
  const stream = listen(box);
  await stream.opened;
  const business = await box.business();
  await business.send(phone, 'Hello <b>');
  await box.carrier({ window: 7 });
  await until(() => stream.names().has('message') && stream.names().has('carrier') && stream.names().has('bind'));
  const message = stream.events.find(([name]) => name === 'message')![1];
  expect(message).toMatchObject({ digits: phone, message: { text: 'Hello <b>', status: 'delivered' } });
  expect(stream.events.find(([name]) => name === 'phone')![1]).toMatchObject({ digits: phone });
  expect(stream.events.find(([name]) => name === 'carrier')![1]).toMatchObject({ window: 7 });
});

test('the live stream batches a burst and ends it with a resync event', async () => {
  const box = await openBox();
  const stream = listen(box);
  await stream.opened;
  const business = await box.business();
  await Promise.all(Array.from({ length: 2000 }, (_, at) => business.send(`4477${10_000_000 + at}`, 'Hello')));
  await until(() => stream.names().has('resync'));
  await pause(100);
  expect(stream.events.length).toBeLessThan(1500);
});

test("a reset empties the sandbox, restores the carrier's defaults, and keeps its binds", async () => {
  const box = await openBox();
  const business = await box.business();
  await business.send(phone, 'Hello');
  await box.carrier({ receipts_lost_percent: 50 });
  expect((await box.call('POST', 'reset')).status).toBe(204);
  const stats = await box.get('stats');
  expect(stats).toMatchObject({ accepted: 0, kept: 0, phones: 0, duplicates: 0, receipts: { sent: 0, pending: 0 } });
  expect(stats.binds).toHaveLength(1);
  expect((await box.get('carrier')).receipts_lost_percent).toBe(0);
  expect((await box.get('submissions')).submissions).toEqual([]);
  const [response] = await business.send(phone, 'Hello again');
  await until(() => business.receiptStates(response!.message_id).includes('DELIVERED'));
});

test('the page is served and can run only its own scripts', async () => {
  const box = await openBox();
  const base = `http://127.0.0.1:${box.sandbox.ports.http}`;
  const page = await fetch(base);
  const html = await page.text();
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(html).toContain('Nothing here reaches a real phone');
  const files = [...html.matchAll(/(?:href|src)="([a-z_/]+\.(?:css|js|svg))"/g)].map(([, file]) => file);
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) expect((await fetch(`${base}/${file}`)).status).toBe(200);
  expect(html).not.toMatch(/https?:\/\//);
  const fonts = await (await fetch(`${base}/styles/fonts.css`)).text();
  for (const [path] of fonts.matchAll(/(?<=\.\.\/)fonts\/[\w-]+\.woff2/g)) {
    const font = await fetch(`${base}/${path}`);
    expect([font.status, font.headers.get('content-type')]).toEqual([200, 'font/woff2']);
  }
});

function statusWithHost(box: Box, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { http: port } = box.sandbox.ports;
    const headers = { host: `${name}:${port}` };
    rawRequest({ host: '127.0.0.1', port, path: '/api/stats', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

function listen(box: Box): { events: [string, Json][]; names: () => Set<string>; opened: Promise<void> } {
  const events: [string, Json][] = [];
  const { promise: opened, resolve } = Promise.withResolvers<void>();
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  void (async () => {
    const response = await fetch(`http://127.0.0.1:${box.sandbox.ports.http}/api/live`, { signal: abort.signal });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) {
      resolve();
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const frames = text.split('\n\n');
      text = frames.pop()!;
      for (const frame of frames) {
        const match = /^event: (\w+)\ndata: (.*)$/s.exec(frame);
        if (match) events.push([match[1]!, JSON.parse(match[2]!)]);
      }
    }
  })().catch(() => {});
  return { events, names: () => new Set(events.map(([name]) => name)), opened };
}
