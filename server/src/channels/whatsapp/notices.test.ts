import { describe, expect, test } from 'vitest';
import { change, envelope, metadata, post } from './samples.ts';

describe('a notice', () => {
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
    [
      { event: 'PAUSED', reason: 'NONE' },
      { status: 'COMPLETED', paused: true, disabled: false, reason: 'PAUSED' },
    ],
    [
      { event: 'DISABLED', disable_info: { disable_date: 1 } },
      { status: 'COMPLETED', paused: true, disabled: true, reason: 'DISABLED' },
    ],
    [{ event: 'REINSTATED' }, { status: 'COMPLETED', paused: false, disabled: false, reason: '' }],
    [{ event: 'DELETED' }, { status: 'CANCELED', reason: 'DELETED' }],
  ])('about a template with %j updates the template', (value, expected) => {
    expect(
      notices('message_template_status_update', { ...template, message_template_id: 88001, ...value }),
    ).toMatchObject([{ kind: 'template', external_id: '88001', ...expected }]);
  });

  test('keeps every digit of a template’s id and is ignored when its event is unknown', () => {
    const payload = (id: string, event: string) =>
      post(
        '{"object":"whatsapp_business_account","entry":[{"changes":[{"field":"message_template_status_update",' +
          `"value":{"event":"${event}","message_template_id":${id}}}]}]}`,
      ).notices;
    expect(payload('12345678901234567890123', 'APPROVED')).toMatchObject([{ external_id: '12345678901234567890123' }]);
    expect(payload('1', 'LOCKED')).toEqual([]);
    expect(payload('1', 'constructor')).toEqual([]);
  });

  test('changes a template’s category when the change takes effect, not when it is announced', () => {
    const value = { ...template, message_template_id: '88001', new_category: 'MARKETING' };
    const field = 'template_category_update';
    expect(notices(field, { ...value, correct_category: 'UTILITY' })).toEqual([]);
    expect(notices(field, { ...value, previous_category: 'UTILITY' })).toEqual([
      { kind: 'template_detail', external_id: '88001', category: 'MARKETING' },
    ]);
  });

  test.each([
    ['GREEN', 'GREEN'],
    ['YELLOW', 'YELLOW'],
    ['RED', 'RED'],
    ['UNKNOWN', null],
    ['PURPLE', null],
  ])('with the quality score %s sets a template’s quality to %s', (score, quality) => {
    const value = {
      ...template,
      message_template_id: 88001,
      previous_quality_score: 'GREEN',
      new_quality_score: score,
    };
    expect(notices('message_template_quality_update', value)).toEqual([
      { kind: 'template_detail', external_id: '88001', quality },
    ]);
    expect(notices('message_template_quality_update', { new_quality_score: score })).toEqual([]);
  });

  test.each<[string, object, object]>([
    [
      'phone_number_quality_update',
      { display_phone_number: '442079460000', event: 'FLAGGED', current_limit: 'TIER_250' },
      { address: '442079460000', state: { quality: 'RED', limit: 'TIER_250' } },
    ],
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
  ])('of %s updates the sender', (field, value, expected) => {
    expect(notices(field, value)).toMatchObject([{ kind: 'sender', ...expected }]);
  });

  test('reports that a person opted out of marketing or opted in again', () => {
    const preference = (value: unknown, overrides: object = {}) => ({
      wa_id: '447700900123',
      category: 'marketing_messages',
      value,
      ...overrides,
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

  test.each(['security', 'flows', 'hasOwnProperty', '', 'message_echoes'])('in the field %j is ignored', (field) => {
    expect(notices(field, { anything: 1 })).toEqual([]);
  });
});
