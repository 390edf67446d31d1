import { expect, test } from 'vitest';
import { openBox, until } from '../test/box.ts';
import { app, openWhatsapp, waba } from '../test/whatsapp.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

test('a business profile is updated field by field, and an invalid update changes nothing', async () => {
  const box = await openBox();
  const business = await openWhatsapp(box);
  const path = `${business.number}/whatsapp_business_profile`;
  const put = (fields: object) => business.call('POST', path, { messaging_product: 'whatsapp', ...fields });
  const readProfile = async (fields = 'about,address,description,email,websites,vertical,profile_picture_url') =>
    (await business.callOk('GET', `${path}?fields=${fields}`)).data;
  expect(await readProfile()).toEqual([{ messaging_product: 'whatsapp', vertical: 'OTHER' }]);

  const session = await business.callOk(
    'POST',
    `${app}/uploads?file_name=logo.png&file_length=${png.length}&file_type=image%2Fpng`,
  );
  const { h } = await business.callOk('POST', session.id, png);
  const profile = {
    about: 'Fresh beans',
    address: 'Am Kai 4, Hamburg',
    description: 'Coffee roasters',
    email: 'hello@harbour.example',
    websites: ['https://harbour.example'],
    vertical: 'RESTAURANT',
  };
  expect((await put({ ...profile, profile_picture_handle: h })).body).toEqual({ success: true });
  const [current] = await readProfile();
  expect(current).toEqual({ ...profile, profile_picture_url: expect.any(String), messaging_product: 'whatsapp' });
  const picture = await fetch(current.profile_picture_url);
  expect(Buffer.from(await picture.arrayBuffer())).toEqual(png);
  expect(await readProfile('about')).toEqual([{ about: 'Fresh beans', messaging_product: 'whatsapp' }]);

  for (const [fields, reason] of [
    [{ about: '' }, /about/],
    [{ about: 'x'.repeat(140) }, /139/],
    [{ address: 'x'.repeat(257) }, /256/],
    [{ description: 'x'.repeat(513) }, /512/],
    [{ email: 'nobody' }, /email/],
    [{ websites: ['harbour.example'] }, /websites/],
    [{ websites: ['https://a.example', 'https://b.example', 'https://c.example'] }, /at most 2/],
    [{ websites: [`https://a.example/${'x'.repeat(256)}`] }, /256/],
    [{ vertical: 'COFFEE' }, /vertical/],
    [{ profile_picture_handle: '4::nothing' }, /picture/],
  ] as const) {
    const { status, body } = await put({ description: 'Not kept', ...fields });
    expect([status, body.error.error_data.details]).toEqual([400, expect.stringMatching(reason)]);
  }
  expect((await business.call('POST', path, profile)).status).toBe(400);
  expect((await readProfile('description'))[0].description).toBe('Coffee roasters');
  await put({ address: '' });
  expect((await readProfile('address'))[0].address).toBeUndefined();
});

test('a verification code is sent to the phone until there are too many requests or wrong codes', async () => {
  const box = await openBox();
  const business = await openWhatsapp(box);
  const { id } = await business.callOk('POST', `${waba}/phone_numbers`, {
    cc: '44',
    phone_number: '7700900177',
    verified_name: 'Acme Boots',
  });
  const texts = async () =>
    (await box.get('phones/447700900177/messages')).messages.map(({ text }: { text: string }) => text);
  const requestCode = (code_method: string) =>
    business.call('POST', `${id}/request_code`, { code_method, language: 'en_US' });
  expect((await requestCode('SMS')).status).toBe(200);
  await until(async () => (await texts()).length === 1);
  expect((await requestCode('VOICE')).status).toBe(200);
  await until(async () => (await texts()).length === 2);
  const [, call] = await texts();
  expect(call).toMatch(/^Call from WhatsApp: your code is \d{3}-\d{3}$/);
  for (let attempt = 0; attempt < 10; attempt++) {
    const { body } = await business.call('POST', `${id}/verify_code`, { code: '0000000' });
    expect(body.error.code).toBe(136025);
  }
  const validCode = call.slice(-7);
  const response = await business.call('POST', `${id}/verify_code`, { code: validCode });
  expect(response.body.error.error_data.details).toMatch(/No code was requested/);
  for (let sent = 2; sent < 10; sent++) expect((await requestCode('SMS')).status).toBe(200);
  const { body } = await requestCode('SMS');
  expect([body.error.code, body.error.error_user_title]).toEqual([136024, 'Request limit reached']);
});

test('a webhook reports the messaging limit when it is raised or lowered', async () => {
  const box = await openBox();
  const business = await openWhatsapp(box);
  await business.settings({ messaging_limit: 250 });
  await business.settings({ messaging_limit: 300 });
  await business.settings({ messaging_limit: 2000 });
  await until(() => business.hooks.events('phone_number_quality_update').length === 2);
  const events = business.hooks.events('phone_number_quality_update');
  expect(events.map(({ event, old_limit, current_limit }) => [event, old_limit, current_limit]).sort()).toEqual([
    ['DOWNGRADE', 'TIER_UNLIMITED', 'TIER_250'],
    ['UPGRADE', 'TIER_250', 'TIER_2K'],
  ]);
});
