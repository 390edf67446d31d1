import { describe, expect, test } from 'vitest';
import { change, envelope, metadata, nothing, post, read, settings, signed } from './samples.ts';

describe('the handshake', () => {
  const query = { 'hub.mode': 'subscribe', 'hub.verify_token': 'a-word', 'hub.challenge': '1158201444' };
  const sendHandshake = (changes: Record<string, string>, overrides: object = settings) =>
    read({ method: 'GET', query: { ...query, ...changes } }, overrides);

  test('returns the challenge when the token matches', () => {
    expect(sendHandshake({})).toEqual({ ...nothing, body: '1158201444' });
  });
  test.each<[string, Record<string, string>, object]>([
    ['a different token', { 'hub.verify_token': 'a-w0rd' }, settings],
    ['no token', { 'hub.verify_token': '' }, settings],
    ['no token while none is configured', { 'hub.verify_token': '' }, { ...settings, verify_token: '' }],
    ['a different mode', { 'hub.mode': 'unsubscribe' }, settings],
    ['HTML as its challenge', { 'hub.challenge': '<script>1</script>' }, settings],
    ['no challenge', { 'hub.challenge': '' }, settings],
  ])('is refused with 403 when it has %s', (_, changes, overrides) => {
    expect(sendHandshake(changes, overrides)).toEqual({ ...nothing, status: 403 });
  });
  test('is refused with 403 when the request is empty', () => {
    expect(read({ method: 'GET' }).status).toBe(403);
  });
});

describe('a callback', () => {
  const payload = envelope(
    change({ metadata, statuses: [{ id: 'wamid.A1', status: 'read', recipient_id: '447700900123' }] }),
  );
  const body = Buffer.from(JSON.stringify(payload));

  test.each<[string, number, Record<string, string>, object]>([
    ['has no signature', 401, {}, settings],
    ['is signed with a different secret', 403, { 'x-hub-signature-256': signed(body, 'guess') }, settings],
    ['has the signature of a different body', 403, { 'x-hub-signature-256': signed(Buffer.from('{}')) }, settings],
    ['has a truncated signature', 403, { 'x-hub-signature-256': signed(body).slice(0, -2) }, settings],
    ['has a signature that is not hexadecimal', 403, { 'x-hub-signature-256': `sha256=${'zz'.repeat(32)}` }, settings],
    [
      'arrives on a connection without a secret',
      403,
      { 'x-hub-signature-256': signed(body, '') },
      { ...settings, app_secret: '' },
    ],
  ])('is refused when it %s', (_, status, headers, overrides) => {
    expect(read({ body, headers }, overrides)).toEqual({ ...nothing, status });
  });

  test('is refused when its body is one octet longer than the signed body', () => {
    const longer = Buffer.concat([body, Buffer.from(' ')]);
    expect(read({ body: longer, headers: { 'x-hub-signature-256': signed(body) } }).status).toBe(403);
    expect(read({ body, headers: { 'x-hub-signature-256': signed(body).toUpperCase() } }).reports.length).toBe(1);
  });
});

describe('a status', () => {
  const reports = (...statuses: object[]) => post(envelope(change({ metadata, statuses }))).reports;
  const status = (changes: object = {}) => ({
    id: 'wamid.A1',
    status: 'delivered',
    timestamp: '1795871586',
    recipient_id: '447700900123',
    biz_opaque_callback_data: '4711',
    ...changes,
  });

  test('is read with all of its fields', () => {
    const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' };
    expect(reports(status({ pricing }))).toEqual([
      {
        external_id: 'wamid.A1',
        at: 1_795_871_586_000,
        status: 'delivered',
        state: 'delivered',
        code: null,
        reference: 4711,
        number: '447700900123',
        sender: '1030507',
        detail: { id: 'wamid.A1', billable: true, category: 'utility', price_type: 'regular', pricing_model: 'PMP' },
      },
    ]);
  });

  test.each([
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['read', 'read'],
    ['played', 'read'],
    ['failed', 'failed'],
  ])('with the value "%s" is read as "%s"', (value, expected) => {
    expect(reports(status({ status: value })).map((report) => report.status)).toEqual([expected]);
  });
  test.each(['deleted', 'warning', '', 'toString', '__proto__', 7, null])('with the value %j is ignored', (value) => {
    expect(reports(status({ status: value }))).toEqual([]);
  });

  test.each<[string, number, string, string]>([
    ['the person is not on WhatsApp', 131026, 'failed', 'rejected'],
    ['the session is closed', 131047, 'rejected', 'rejected'],
    ['the person received too much marketing', 131049, 'failed', 'rejected'],
    ['the person opted out of marketing', 131050, 'unsubscribed', 'opted_out'],
    ['the file is invalid', 131053, 'failed', 'invalid'],
    ['the code is unknown', 999999, 'rejected', 'rejected'],
  ])('reporting a failure is classified when %s', (_, code, expected, kind) => {
    const errors = [{ code, title: 'Title', error_data: { details: 'to 447700900123' } }];
    expect(reports(status({ status: 'failed', errors }))).toMatchObject([
      { status: expected, code: String(code), failure: { kind }, detail: { said: 'to …' } },
    ]);
  });

  test.each<[unknown, number | null]>([
    ['1', 1],
    ['65535', 65_535],
    [42, 42],
    ['0', null],
    ['-1', null],
    ['1e3', null],
    ['the echo of another program', null],
    [{ a: 1 }, null],
    [undefined, null],
  ])('with the echo %j has the reference %j', (echo, reference) => {
    expect(reports(status({ biz_opaque_callback_data: echo }))[0]!.reference).toBe(reference);
  });

  test('is reported in the order received, even when it is repeated', () => {
    const first = envelope(change({ metadata, statuses: [status({ status: 'read' }), status()] }));
    const second = envelope(change({ metadata, statuses: [status({ status: 'sent' }), status({ status: 'sent' })] }));
    const parsed = post({ object: first.object, entry: [...first.entry, ...second.entry] }).reports;
    expect(parsed.map((report) => report.status)).toEqual(['read', 'delivered', 'sent', 'sent']);
  });

  test('without a phone number identifies the person by their WhatsApp id', () => {
    const [report] = reports(status({ recipient_id: undefined, recipient_user_id: 'GB.9180' }));
    expect(report!.number).toBe('GB.9180');
  });
});

describe('an unexpected callback', () => {
  test.each<[string, unknown, number]>([
    ['is not JSON', '{', 400],
    ['is empty', '', 400],
    ['is null', 'null', 200],
    ['is a list', [], 200],
    [
      'is about a different kind of object',
      { object: 'page', entry: envelope(change({ metadata, statuses: [{ id: 'a', status: 'read' }] })).entry },
      200,
    ],
    ['has invalid entries', { object: 'whatsapp_business_account', entry: 'x' }, 200],
    [
      'has invalid changes',
      { object: 'whatsapp_business_account', entry: [null, 1, { changes: [null, 'x', { field: 'messages' }] }] },
      200,
    ],
    [
      'has values of the wrong types',
      envelope(
        change({ metadata: 'x', contacts: {}, statuses: [1, null, { id: {}, status: [] }], messages: [[], 'x'] }),
      ),
      200,
    ],
    [
      'has a number as its field',
      { object: 'whatsapp_business_account', entry: [{ changes: [{ field: 7, value: 7 }] }] },
      200,
    ],
    ['is nested too deeply', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 200],
  ])('has no effect when it %s', (_, payload, status) => {
    expect(post(payload)).toEqual({ ...nothing, status });
  });

  test('is read except for its invalid entries', () => {
    const statuses = [
      { id: 'wamid.A1', status: 'read', pricing: 'x', errors: 'x' },
      null,
      { id: 'wamid.A2', status: 'failed', errors: { a: 1 } },
    ];
    expect(
      post(envelope(change({ metadata, statuses }))).reports.map(({ external_id, status }) => [external_id, status]),
    ).toEqual([
      ['wamid.A1', 'read'],
      ['wamid.A2', 'failed'],
    ]);
  });

  test('is read when it has three megabytes of statuses', () => {
    const statuses = Array.from({ length: 20_000 }, (_, n) => ({
      id: `wamid.${String(n).padStart(60, '0')}`,
      status: 'delivered',
      timestamp: '1795871586',
      recipient_id: '447700900123',
    }));
    expect(post(envelope(change({ metadata, statuses }))).reports.length).toBe(20_000);
  });

  test('has no effect when it has special keys', () => {
    const payload =
      '{"object":"whatsapp_business_account","__proto__":{"entry":[1]},"entry":[{"changes":[{"field":"messages",' +
      '"value":{"constructor":1,"statuses":[{"__proto__":{"id":"x"},"status":"read"}]}}]}]}';
    expect(post(payload)).toEqual(nothing);
  });
});
