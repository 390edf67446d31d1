import { describe, expect, test } from 'vitest';
import { openBox, until } from '../test/box.ts';
import { app, openWhatsapp, waba } from '../test/whatsapp.ts';

describe('the Graph API', () => {
  test('requires the token, a supported version, and a known path', async () => {
    const box = await openBox();
    const business = await openWhatsapp(box);
    const codes = async (path: string, headers = {}) => {
      const response = await fetch(`${business.origin}/graph/${path}`, { headers });
      const { error } = (await response.json()) as { error: { code: number; type: string; fbtrace_id: string } };
      expect([error.type, typeof error.fbtrace_id]).toEqual(['OAuthException', 'string']);
      return [response.status, error.code];
    };
    const bearer = { authorization: 'Bearer sandbox-whatsapp-token' };
    expect(await codes(`v25.0/${business.number}`)).toEqual([401, 190]);
    expect(await codes(`v25.0/${business.number}`, { authorization: 'Bearer wrong' })).toEqual([401, 190]);
    expect(await codes(`v12.0/${business.number}`, bearer)).toEqual([400, 2635]);
    expect(await codes('v25.0/999', bearer)).toEqual([400, 100]);
    expect(await codes(`v25.0/${business.number}/nothing`, bearer)).toEqual([400, 100]);
    const unread = await business.call('POST', `${business.number}/messages`, Buffer.from('{"to"'), {
      'content-type': 'application/json',
    });
    expect([unread.status, unread.body.error.code]).toEqual([400, 100]);
    const form = new URLSearchParams({ messaging_product: 'whatsapp', pin: '123456' });
    const folded = await business.call('POST', `${business.number}/register`, Buffer.from(String(form)), {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(folded.status).toBe(200);
  });
});

describe('a number', () => {
  test('can be added, verified, registered, and named', async () => {
    const box = await openBox();
    const business = await openWhatsapp(box);
    await business.settings({ verification_required: true });
    const { id } = await business.callOk('POST', `${waba}/phone_numbers`, {
      cc: '1',
      phone_number: '2025550123',
      verified_name: 'Declined Ltd',
    });
    const again = await business.call('POST', `${waba}/phone_numbers`, {
      cc: '1',
      phone_number: '2025550123',
      verified_name: 'Declined Ltd',
    });
    expect([again.status, again.body.error.error_subcode]).toEqual([400, 2388012]);
    const code = async (method: string, path: string, body?: unknown) =>
      (await business.call(method, path, body)).body.error?.code;
    const pin = { messaging_product: 'whatsapp', pin: '000111' };
    expect(await code('POST', `${id}/register`, pin)).toBe(133006);
    expect(await code('POST', `${id}/verify_code`, { code: '123456' })).toBe(136025);
    await business.callOk('POST', `${id}/request_code`, { code_method: 'SMS', language: 'en_US' });
    expect(await code('POST', `${id}/verify_code`, { code: '000000' })).toBe(136025);
    const { numbers } = await box.get('whatsapp/numbers');
    const sentCode = numbers.find((entry: { id: string }) => entry.id === id).code;
    await business.callOk('POST', `${id}/verify_code`, { code: sentCode });
    expect(await code('POST', `${id}/request_code`, { code_method: 'SMS' })).toBe(136024);
    expect(await code('POST', `${id}/register`, { messaging_product: 'whatsapp', pin: '12' })).toBe(131009);
    await business.callOk('POST', `${id}/register`, pin);
    expect(await code('POST', `${id}/register`, { ...pin, pin: '999999' })).toBe(133005);
    const fields = 'display_phone_number,status,throughput,whatsapp_business_manager_messaging_limit,name_status';
    await until(async () => (await business.callOk('GET', `${id}?fields=name_status`)).name_status === 'DECLINED');
    expect(await business.callOk('GET', `${id}?fields=${fields}`)).toEqual({
      id,
      display_phone_number: '+1 2025550123',
      status: 'CONNECTED',
      throughput: { level: 'STANDARD' },
      whatsapp_business_manager_messaging_limit: 'TIER_UNLIMITED',
      name_status: 'DECLINED',
    });
    expect((await business.callOk('GET', `${waba}/phone_numbers?limit=1`)).data).toHaveLength(1);
    const body = { messaging_product: 'whatsapp', to: '447700123456', text: { body: 'Hi' } };
    expect(await code('POST', `${id}/messages`, body)).toBe(131037);
    await business.callOk('POST', `${id}/deregister`, {});
    expect(await code('POST', `${id}/messages`, body)).toBe(133010);
    await until(() => business.hooks.events('phone_number_name_update').length === 2);
    await box.call('PUT', `whatsapp/numbers/${business.number}`, { quality_rating: 'RED' });
    await until(() => business.hooks.events('phone_number_quality_update').length === 1);
    expect(business.hooks.events('phone_number_quality_update')[0]).toEqual({
      display_phone_number: '447700900100',
      event: 'FLAGGED',
      current_limit: 'TIER_UNLIMITED',
    });
    await business.callOk('DELETE', id);
    expect(await code('GET', id)).toBe(100);
  });
});

describe('a subscription', () => {
  test('requires a handshake and fails when the challenge is not returned', async () => {
    const box = await openBox();
    const business = await openWhatsapp(box, { subscribed: false });
    const { hooks } = business;
    expect(await business.callOk('GET', `${waba}/subscribed_apps`)).toEqual({ data: [] });
    const subscribe = (verify_token: string, override_callback_uri = hooks.url) =>
      business.call('POST', `${waba}/subscribed_apps`, { override_callback_uri, verify_token });
    for (const [response, reason] of [
      [await subscribe('not-it'), /403/],
      [await subscribe('verify-me', 'http://127.0.0.1:1/x'), /reached/],
      [await subscribe('verify-me', `${business.origin}/`), /challenge/],
    ] as const) {
      expect([response.status, response.body.error.code]).toEqual([400, 2200]);
      expect(response.body.error.error_data.details).toMatch(reason);
    }
    expect((await subscribe('verify-me')).body).toEqual({ success: true });
    expect(hooks.handshakes.at(-1)!.get('hub.mode')).toBe('subscribe');
    const { data } = await business.callOk('GET', `${waba}/subscribed_apps`);
    expect(data).toMatchObject([{ whatsapp_business_api_data: { id: app }, override_callback_uri: hooks.url }]);
    await business.callOk('DELETE', `${waba}/subscribed_apps`);
    expect((await box.get('whatsapp/account')).subscribed).toBe(false);
  });
});
