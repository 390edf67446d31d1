import { describe, expect, test } from 'vitest';
import { change, envelope, metadata, nothing, post, read, settings, signed } from './samples.ts';

describe('the handshake', () => {
  const query = { 'hub.mode': 'subscribe', 'hub.verify_token': 'a-word', 'hub.challenge': '1158201444' };
  const sendHandshake = (changes: Record<string, string>, overrides: object = settings) =>
    read({ method: 'GET', query: { ...query, ...changes } }, overrides);

  test('the right token returns the challenge', () => {
    expect(sendHandshake({})).toEqual({ ...nothing, body: '1158201444' });
  });
  test.each<[string, Record<string, string>, object]>([
    ['another token', { 'hub.verify_token': 'a-w0rd' }, settings],
    ['no token', { 'hub.verify_token': '' }, settings],
    ['no token where none is configured', { 'hub.verify_token': '' }, { ...settings, verify_token: '' }],
    ['another mode', { 'hub.mode': 'unsubscribe' }, settings],
    ['HTML as challenge', { 'hub.challenge': '<script>1</script>' }, settings],
    ['no challenge', { 'hub.challenge': '' }, settings],
  ])('%s gets 403 and nothing else', (_, changes, overrides) => {
    expect(sendHandshake(changes, overrides)).toEqual({ ...nothing, status: 403 });
  });
  test('an empty request gets 403', () => {
    expect(read({ method: 'GET' }).status).toBe(403);
  });
});

describe('an unsigned callback is refused', () => {
  const payload = envelope(
    change({ metadata, statuses: [{ id: 'wamid.A1', status: 'read', recipient_id: '447700900123' }] }),
  );
  const body = Buffer.from(JSON.stringify(payload));

  test.each<[string, number, Record<string, string>, object]>([
    ['no signature', 401, {}, settings],
    ['another secret', 403, { 'x-hub-signature-256': signed(body, 'guess') }, settings],
    ['the signature of other octets', 403, { 'x-hub-signature-256': signed(Buffer.from('{}')) }, settings],
    ['cut', 403, { 'x-hub-signature-256': signed(body).slice(0, -2) }, settings],
    ['not hexadecimal', 403, { 'x-hub-signature-256': `sha256=${'zz'.repeat(32)}` }, settings],
    ['no configured secret', 403, { 'x-hub-signature-256': signed(body, '') }, { ...settings, app_secret: '' }],
  ])('%s: %i', (_, status, headers, overrides) => {
    expect(read({ body, headers }, overrides)).toEqual({ ...nothing, status });
  });

  test('one more octet breaks the signature', () => {
    const longer = Buffer.concat([body, Buffer.from(' ')]);
    expect(read({ body: longer, headers: { 'x-hub-signature-256': signed(body) } }).status).toBe(403);
    expect(read({ body, headers: { 'x-hub-signature-256': signed(body).toUpperCase() } }).reports.length).toBe(1);
  });
});

describe('statuses', () => {
  const reports = (...statuses: object[]) => post(envelope(change({ metadata, statuses }))).reports;
  const status = (changes: object = {}) => ({
    id: 'wamid.A1',
    status: 'delivered',
    timestamp: '1795871586',
    recipient_id: '447700900123',
    biz_opaque_callback_data: '4711',
    ...changes,
  });

  test('a status is read whole', () => {
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
  ])('%s is %s', (value, expected) => {
    expect(reports(status({ status: value })).map((report) => report.status)).toEqual([expected]);
  });
  test.each(['deleted', 'warning', '', 'toString', '__proto__', 7, null])('%s changes nothing', (value) => {
    expect(reports(status({ status: value }))).toEqual([]);
  });

  test.each<[string, number, string, string]>([
    ['not on WhatsApp', 131026, 'failed', 'rejected'],
    ['more than 24 hours', 131047, 'rejected', 'rejected'],
    ['too much marketing', 131049, 'failed', 'rejected'],
    ['opted out of marketing', 131050, 'unsubscribed', 'opted_out'],
    ['the file', 131053, 'failed', 'invalid'],
    ['an unknown code', 999999, 'rejected', 'rejected'],
  ])('failed: %s', (_, code, expected, kind) => {
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
  ])('the echo %s is reference %s', (echo, reference) => {
    expect(reports(status({ biz_opaque_callback_data: echo }))[0]!.reference).toBe(reference);
  });

  test('several entries and changes are reported in the order they came, repeated ones included', () => {
    const first = envelope(change({ metadata, statuses: [status({ status: 'read' }), status()] }));
    const second = envelope(change({ metadata, statuses: [status({ status: 'sent' }), status({ status: 'sent' })] }));
    const parsed = post({ object: first.object, entry: [...first.entry, ...second.entry] }).reports;
    expect(parsed.map((report) => report.status)).toEqual(['read', 'delivered', 'sent', 'sent']);
  });

  test('a person without a number has WhatsApp’s id', () => {
    const [report] = reports(status({ recipient_id: undefined, recipient_user_id: 'GB.9180' }));
    expect(report!.number).toBe('GB.9180');
  });
});

describe('an unexpected callback does not fail', () => {
  test.each<[string, unknown, number]>([
    ['no JSON', '{', 400],
    ['nothing', '', 400],
    ['null', 'null', 200],
    ['a list as body', [], 200],
    [
      'another object',
      { object: 'page', entry: envelope(change({ metadata, statuses: [{ id: 'a', status: 'read' }] })).entry },
      200,
    ],
    ['invalid entries', { object: 'whatsapp_business_account', entry: 'x' }, 200],
    [
      'invalid changes',
      { object: 'whatsapp_business_account', entry: [null, 1, { changes: [null, 'x', { field: 'messages' }] }] },
      200,
    ],
    [
      'values of wrong types',
      envelope(
        change({ metadata: 'x', contacts: {}, statuses: [1, null, { id: {}, status: [] }], messages: [[], 'x'] }),
      ),
      200,
    ],
    [
      'a field that is a number',
      { object: 'whatsapp_business_account', entry: [{ changes: [{ field: 7, value: 7 }] }] },
      200,
    ],
    ['nested too deeply', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 200],
  ])('%s', (_, payload, status) => {
    expect(post(payload)).toEqual({ ...nothing, status });
  });

  test('an invalid entry does not affect the others', () => {
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

  test('three megabytes of statuses are read', () => {
    const statuses = Array.from({ length: 20_000 }, (_, n) => ({
      id: `wamid.${String(n).padStart(60, '0')}`,
      status: 'delivered',
      timestamp: '1795871586',
      recipient_id: '447700900123',
    }));
    expect(post(envelope(change({ metadata, statuses }))).reports.length).toBe(20_000);
  });

  test('special keys are harmless', () => {
    const payload =
      '{"object":"whatsapp_business_account","__proto__":{"entry":[1]},"entry":[{"changes":[{"field":"messages",' +
      '"value":{"constructor":1,"statuses":[{"__proto__":{"id":"x"},"status":"read"}]}}]}]}';
    expect(post(payload)).toEqual(nothing);
  });
});
