import { createHmac } from 'node:crypto';
import { WhatsAppSettings } from '@parley/contract/channel_settings.ts';
import { describe, expect, test } from 'vitest';
import type { CallbackRequest, Incoming } from '../channel.ts';
import { whatsapp } from './whatsapp.ts';

const settings = WhatsAppSettings.parse({ app_secret: 'app-secret', verify_token: 'a-word', waba_id: '55' });
const connection = { id: '00000000-0000-7000-8000-000000000001', settings };

const signed = (body: Buffer, secret = 'app-secret') =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const read = (request: Partial<CallbackRequest>, own: object = settings) =>
  whatsapp.callback!(
    { ...connection, settings: own },
    { method: 'POST', query: {}, headers: {}, body: Buffer.alloc(0), ...request },
  );
const post = (said: unknown) => {
  const body = Buffer.from(typeof said === 'string' ? said : JSON.stringify(said));
  return read({ body, headers: { 'x-hub-signature-256': signed(body) } });
};
const change = (value: object, field = 'messages') => ({ field, value: { messaging_product: 'whatsapp', ...value } });
const envelope = (...changes: object[]) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '55', changes }],
});
const metadata = { display_phone_number: '442079460000', phone_number_id: '1030507' };
const nothing = { status: 200, body: '', reports: [], incoming: [], notices: [] };

describe('the handshake', () => {
  const query = { 'hub.mode': 'subscribe', 'hub.verify_token': 'a-word', 'hub.challenge': '1158201444' };
  const shake = (changes: Record<string, string>, own: object = settings) =>
    read({ method: 'GET', query: { ...query, ...changes } }, own);

  test('whoever knows the word gets the challenge back', () => {
    expect(shake({})).toEqual({ ...nothing, body: '1158201444' });
  });
  test.each<[string, Record<string, string>, object]>([
    ['another word', { 'hub.verify_token': 'a-w0rd' }, settings],
    ['no word', { 'hub.verify_token': '' }, settings],
    ['no word where none is set', { 'hub.verify_token': '' }, { ...settings, verify_token: '' }],
    ['another mode', { 'hub.mode': 'unsubscribe' }, settings],
    ['a page for a challenge', { 'hub.challenge': '<script>1</script>' }, settings],
    ['no challenge', { 'hub.challenge': '' }, settings],
  ])('%s: 403 and nothing', (_, changes, own) => {
    expect(shake(changes, own)).toEqual({ ...nothing, status: 403 });
  });
  test('nothing at all: 403', () => {
    expect(read({ method: 'GET' }).status).toBe(403);
  });
});

describe('what is not signed is not believed', () => {
  const said = envelope(
    change({ metadata, statuses: [{ id: 'wamid.A1', status: 'read', recipient_id: '447700900123' }] }),
  );
  const body = Buffer.from(JSON.stringify(said));

  test.each<[string, number, Record<string, string>, object]>([
    ['no signature', 401, {}, settings],
    ['another secret', 403, { 'x-hub-signature-256': signed(body, 'guess') }, settings],
    ['the signature of other octets', 403, { 'x-hub-signature-256': signed(Buffer.from('{}')) }, settings],
    ['cut', 403, { 'x-hub-signature-256': signed(body).slice(0, -2) }, settings],
    ['not hexadecimal', 403, { 'x-hub-signature-256': `sha256=${'zz'.repeat(32)}` }, settings],
    ['no secret to sign with', 403, { 'x-hub-signature-256': signed(body, '') }, { ...settings, app_secret: '' }],
  ])('%s: %i', (_, status, headers, own) => {
    expect(read({ body, headers }, own)).toEqual({ ...nothing, status });
  });

  test('one octet more, and the signature is another’s', () => {
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

  test('all of one', () => {
    const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' };
    expect(reports(status({ pricing }))).toEqual([
      {
        external_id: 'wamid.A1',
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
  ])('%s is %s', (word, expected) => {
    expect(reports(status({ status: word })).map((one) => one.status)).toEqual([expected]);
  });
  test.each(['deleted', 'warning', '', 'toString', '__proto__', 7, null])('%s says nothing', (word) => {
    expect(reports(status({ status: word }))).toEqual([]);
  });

  test.each<[string, number, string, string]>([
    ['not on WhatsApp', 131026, 'failed', 'rejected'],
    ['more than 24 hours', 131047, 'rejected', 'rejected'],
    ['enough marketing', 131049, 'failed', 'rejected'],
    ['wants no marketing', 131050, 'unsubscribed', 'opted_out'],
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
    ['somebody else’s', null],
    [{ a: 1 }, null],
    [undefined, null],
  ])('the echo %s is reference %s', (echo, reference) => {
    expect(reports(status({ biz_opaque_callback_data: echo }))[0]!.reference).toBe(reference);
  });

  test('several entries and changes, in the order they came, twice and out of order: all are told as they are', () => {
    const one = envelope(change({ metadata, statuses: [status({ status: 'read' }), status()] }));
    const two = envelope(change({ metadata, statuses: [status({ status: 'sent' }), status({ status: 'sent' })] }));
    const found = post({ object: one.object, entry: [...one.entry, ...two.entry] }).reports;
    expect(found.map((report) => report.status)).toEqual(['read', 'delivered', 'sent', 'sent']);
  });

  test('a person without a number is known by WhatsApp’s id', () => {
    const [report] = reports(status({ recipient_id: undefined, recipient_user_id: 'GB.9180' }));
    expect(report!.number).toBe('GB.9180');
  });
});

describe('messages', () => {
  const contact = { profile: { name: 'Ann Miller' }, wa_id: '447700900123', user_id: 'GB.9180' };
  const message = (changes: object) => ({
    from: '447700900123',
    from_user_id: 'GB.9180',
    id: 'wamid.I1',
    timestamp: '1795871590',
    ...changes,
  });
  const incoming = (changes: object, contacts: object[] = [contact]): readonly Incoming[] =>
    post(envelope(change({ metadata, contacts, messages: [message(changes)] }))).incoming;

  test('all of a text', () => {
    const [found] = incoming({ type: 'text', text: { body: 'Is there a table?' } });
    expect(found).toEqual({
      from: '447700900123',
      to: '1030507',
      text: 'Is there a table?',
      part: null,
      digest: expect.any(Buffer),
      session: connection.id,
      external_id: 'wamid.I1',
      alias: 'GB.9180',
      profile_name: 'Ann Miller',
    });
    const digest = (id: string) => incoming({ id, type: 'text', text: { body: 'x' } })[0]!.digest.toString('hex');
    expect(digest('wamid.I1')).toBe(found!.digest.toString('hex'));
    expect(digest('wamid.I2')).not.toBe(found!.digest.toString('hex'));
  });

  test.each<[string, object, object[], object]>([
    [
      'the number is hidden: the id is the address',
      { from: undefined },
      [{ profile: { name: 'Ann' }, user_id: 'GB.9180' }],
      { from: 'GB.9180', profile_name: 'Ann' },
    ],
    ['the id stands where the number was', { from: 'GB.9180' }, [], { from: 'GB.9180' }],
    [
      'the number is told by the contact only',
      { from: 'GB.9180' },
      [contact],
      { from: '447700900123', alias: 'GB.9180' },
    ],
    ['no id yet', { from_user_id: undefined }, [{ wa_id: '447700900123' }], { from: '447700900123' }],
    [
      'two contacts: the one who wrote',
      {},
      [{ wa_id: '1555', profile: { name: 'Bob' } }, contact],
      { from: '447700900123', profile_name: 'Ann Miller' },
    ],
  ])('%s', (_, changes, contacts, expected) => {
    const [found] = incoming({ type: 'text', text: { body: 'Hi' }, ...changes }, contacts);
    expect(found).toMatchObject(expected);
    if (!('alias' in expected)) expect(found?.alias ?? found?.from).toMatch(/^GB\.9180$|^447700900123$/);
  });

  const file = { id: '4001', mime_type: 'image/jpeg', sha256: 'x' };
  test.each<[string, object, string, object | undefined]>([
    [
      'image',
      { image: { ...file, caption: 'Look' } },
      'Look',
      { media: { type: 'image', source: '4001', content_type: 'image/jpeg', file_name: null } },
    ],
    [
      'sticker',
      { sticker: { ...file, mime_type: 'image/webp' } },
      '',
      { media: { type: 'image', content_type: 'image/webp' } },
    ],
    [
      'video',
      { video: { ...file, mime_type: 'video/mp4' } },
      '',
      { media: { type: 'video', content_type: 'video/mp4' } },
    ],
    [
      'document',
      { document: { ...file, mime_type: 'application/pdf', filename: 'bill.pdf' } },
      '',
      { media: { type: 'document', file_name: 'bill.pdf' } },
    ],
    [
      'audio',
      { audio: { ...file, mime_type: 'audio/ogg; codecs=opus', voice: true } },
      '',
      { media: { type: 'document', file_name: 'audio.ogg', content_type: 'audio/ogg; codecs=opus' } },
    ],
    [
      'location',
      { location: { latitude: 51.5, longitude: -0.12, name: 'Quay', address: '1 Quay Street' } },
      'Location: Quay, 1 Quay Street\nhttps://www.google.com/maps?q=51.5,-0.12',
      undefined,
    ],
    ['location', { location: { latitude: 'x' } }, 'Location: unknown', undefined],
    [
      'contacts',
      {
        contacts: [
          {
            name: { formatted_name: 'Bob Stone' },
            phones: [{ phone: '+44 7700 900999' }],
            emails: [{ email: 'b@x.example' }],
          },
          {},
        ],
      },
      'Contact: Bob Stone, +44 7700 900999, b@x.example\nContact: ',
      undefined,
    ],
    [
      'button',
      { button: { text: 'Yes', payload: 'confirm-7' }, context: { from: '442079460000', id: 'wamid.O9' } },
      'Yes',
      { media: null, pressed: { text: 'Yes', value: 'confirm-7' }, answers: 'wamid.O9' },
    ],
    [
      'interactive',
      {
        interactive: { type: 'button_reply', button_reply: { id: 'confirm-7', title: 'Yes' } },
        context: { id: 'wamid.O9' },
      },
      'Yes',
      { media: null, pressed: { text: 'Yes', value: 'confirm-7' }, answers: 'wamid.O9' },
    ],
    [
      'interactive',
      { interactive: { type: 'list_reply', list_reply: { id: 'r2', title: 'Terrace', description: 'outside' } } },
      'Terrace',
      { media: null, pressed: { text: 'Terrace', value: 'r2' }, answers: null },
    ],
    [
      'interactive',
      {
        interactive: {
          type: 'nfm_reply',
          nfm_reply: {
            name: 'flow',
            body: 'Sent',
            response_json: '{"flow_token":"t","guests":4,"when":{"day":"Fri"}}',
          },
        },
      },
      'Sent\nguests: 4\nwhen: {"day":"Fri"}',
      undefined,
    ],
    [
      'interactive',
      { interactive: { type: 'nfm_reply', nfm_reply: { body: 'Sent', response_json: '[[' } } },
      'Sent',
      undefined,
    ],
    [
      'reaction',
      { reaction: { message_id: 'wamid.O9', emoji: '👍' } },
      'Reacted with 👍',
      { media: null, pressed: null, answers: 'wamid.O9' },
    ],
    [
      'reaction',
      { reaction: { message_id: 'wamid.O9', emoji: '' } },
      'Took the reaction back',
      { answers: 'wamid.O9' },
    ],
    [
      'order',
      {
        order: {
          catalog_id: 'c',
          text: 'Soon please',
          product_items: [
            { product_retailer_id: 'tea', quantity: '2', item_price: '3.5', currency: 'GBP' },
            { product_retailer_id: 'cake' },
          ],
        },
      },
      'Order:\n2 × tea at 3.5 GBP\n1 × cake\nSoon please',
      undefined,
    ],
    ['unsupported', { errors: [{ code: 131051 }] }, 'A message that cannot be shown here', undefined],
    ['hologram', { hologram: { body: 'x' } }, 'A message that cannot be shown here', undefined],
    ['image', { image: {} }, 'A message that cannot be shown here', undefined],
    ['text', { text: {} }, 'A message that cannot be shown here', undefined],
    [
      'text',
      { text: { body: 'Also this' }, context: { id: 'wamid.O9' } },
      'Also this',
      { media: null, pressed: null, answers: 'wamid.O9' },
    ],
  ])('%s', (type, changes, text, content) => {
    const [found] = incoming({ type, ...changes });
    expect(found!.text).toBe(text);
    if (content) expect(found!.content).toMatchObject(content);
    else expect(found).not.toHaveProperty('content');
  });

  test.each<[string, object]>([
    ['a changed number', { type: 'system', system: { body: 'changed', type: 'user_changed_number' } }],
    ['a group', { type: 'text', text: { body: 'all' }, group_id: 'g1' }],
    ['no id', { type: 'text', text: { body: 'x' }, id: undefined }],
    ['nobody', { type: 'text', text: { body: 'x' }, from: 'nobody', from_user_id: '../etc' }],
  ])('%s is no message to us', (_, changes) => {
    expect(incoming(changes, [])).toEqual([]);
  });

  test('a message to a number without an id is nobody’s', () => {
    const said = envelope(change({ messages: [message({ type: 'text', text: { body: 'x' } })] }));
    expect(post(said).incoming).toEqual([]);
  });

  test('what cannot be stored is taken out of words: NUL, half of a letter, and beyond all length', () => {
    const [found] = incoming({ type: 'text', text: { body: `a\0b\ud83d${'x'.repeat(20_000)}` } });
    expect(found!.text!.startsWith('ab\ufffdx')).toBe(true);
    expect(found!.text!.length).toBeLessThanOrEqual(10_000);
  });
});

describe('notices', () => {
  const notices = (field: string, value: object) => post(envelope(change(value, field))).notices;
  const template = { message_template_name: 'table_ready', message_template_language: 'en_GB' };

  test.each<[object, object]>([
    [
      { event: 'APPROVED', reason: 'NONE', message_template_category: 'UTILITY' },
      { status: 'COMPLETED', paused: false, reason: '', category: 'UTILITY' },
    ],
    [
      { event: 'REJECTED', reason: 'INVALID_FORMAT' },
      { status: 'CANCELED', paused: false, reason: 'INVALID_FORMAT', category: null },
    ],
    [
      { event: 'REJECTED', reason: 'NONE' },
      { status: 'CANCELED', reason: '' },
    ],
    [{ event: 'PENDING' }, { status: 'IN_PROCESS', paused: false }],
    [
      { event: 'PAUSED', reason: 'NONE', other_info: { title: 'FIRST_PAUSE' } },
      { status: 'COMPLETED', paused: true, reason: 'FIRST_PAUSE' },
    ],
    [{ event: 'DISABLED' }, { status: 'COMPLETED', paused: true, reason: 'DISABLED' }],
    [{ event: 'DELETED' }, { status: 'CANCELED', reason: 'DELETED' }],
  ])('a template: %o', (value, expected) => {
    expect(
      notices('message_template_status_update', { ...template, message_template_id: 88001, ...value }),
    ).toMatchObject([{ kind: 'template', external_id: '88001', ...expected }]);
  });

  test('an id of a template keeps every digit; an event that is not known changes nothing', () => {
    const said = (id: string, event: string) =>
      post(
        `{"object":"whatsapp_business_account","entry":[{"changes":[{"field":"message_template_status_update","value":{"event":"${event}","message_template_id":${id}}}]}]}`,
      ).notices;
    expect(said('12345678901234567890123', 'APPROVED')).toMatchObject([{ external_id: '12345678901234567890123' }]);
    expect(said('1', 'LOCKED')).toEqual([]);
    expect(said('1', 'constructor')).toEqual([]);
  });

  test('a category changes when it has changed, not when it is announced', () => {
    const value = { ...template, message_template_id: '88001', new_category: 'MARKETING' };
    const field = 'template_category_update';
    expect(notices(field, { ...value, correct_category: 'UTILITY' })).toEqual([]);
    expect(notices(field, { ...value, previous_category: 'UTILITY' })).toMatchObject([
      { category: 'MARKETING', status: 'COMPLETED' },
    ]);
  });

  test.each<[string, object, object]>([
    [
      'phone_number_quality_update',
      { display_phone_number: '+44 20 7946 0000', event: 'UPGRADE', old_limit: 'TIER_250', current_limit: 'TIER_2K' },
      { address: '442079460000', state: { quality_event: 'UPGRADE', limit: 'TIER_2K' } },
    ],
    [
      'phone_number_name_update',
      {
        display_phone_number: '442079460000',
        decision: 'APPROVED',
        requested_verified_name: 'Harbour',
        rejection_reason: 'NONE',
      },
      { address: '442079460000', state: { name_status: 'APPROVED', name: 'Harbour' } },
    ],
    [
      'phone_number_name_update',
      {
        display_phone_number: '442079460000',
        decision: 'REJECTED',
        requested_verified_name: 'Best',
        rejection_reason: 'GENERIC',
      },
      { address: '442079460000', state: { name_status: 'REJECTED', name_reason: 'GENERIC' } },
    ],
    [
      'account_update',
      {
        event: 'ACCOUNT_RESTRICTION',
        restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: 1 }],
      },
      {
        address: '',
        state: { account_event: 'ACCOUNT_RESTRICTION', restrictions: 'RESTRICTED_BIZ_INITIATED_MESSAGING' },
      },
    ],
    [
      'account_update',
      { phone_number: '442079460000', event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } },
      { state: { ban: 'DISABLE' } },
    ],
    [
      'business_capability_update',
      { max_daily_conversations_per_business: 2000 },
      { address: '', state: { limit: '2000' } },
    ],
  ])('a sender: %s', (field, value, expected) => {
    expect(notices(field, value)).toMatchObject([{ kind: 'sender', ...expected }]);
  });

  test('a person who wants no more marketing, and wants it again', () => {
    const preference = (value: unknown, more: object = {}) => ({
      wa_id: '447700900123',
      category: 'marketing_messages',
      value,
      ...more,
    });
    const list = [
      preference('stop'),
      preference('resume', { wa_id: undefined, user_id: 'GB.9180' }),
      preference('perhaps'),
      preference('stop', { category: 'other' }),
    ];
    expect(notices('user_preferences', { metadata, user_preferences: list })).toEqual([
      { kind: 'consent', address: '1030507', from: '447700900123', stopped: true },
      { kind: 'consent', address: '1030507', from: 'GB.9180', stopped: false },
    ]);
  });

  test.each(['security', 'flows', 'hasOwnProperty', '', 'message_echoes'])('%s is not ours to read', (field) => {
    expect(notices(field, { anything: 1 })).toEqual([]);
  });
});

describe('whatever comes, nothing fails', () => {
  test.each<[string, unknown, number]>([
    ['no JSON', '{', 400],
    ['nothing', '', 400],
    ['null', 'null', 200],
    ['a list', [], 200],
    [
      'another object',
      { object: 'page', entry: envelope(change({ metadata, statuses: [{ id: 'a', status: 'read' }] })).entry },
      200,
    ],
    ['entries that are none', { object: 'whatsapp_business_account', entry: 'x' }, 200],
    [
      'changes that are none',
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
    ['nested beyond all measure', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 200],
  ])('%s', (_, said, status) => {
    expect(post(said)).toEqual({ ...nothing, status });
  });

  test('one that is wrong does not take the others with it', () => {
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

  test('keys that are not what they seem', () => {
    const said =
      '{"object":"whatsapp_business_account","__proto__":{"entry":[1]},"entry":[{"changes":[{"field":"messages","value":{"constructor":1,"statuses":[{"__proto__":{"id":"x"},"status":"read"}]}}]}]}';
    expect(post(said)).toEqual(nothing);
  });
});
