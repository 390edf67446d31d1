import { describe, expect, test } from 'vitest';
import { ADAPTERS } from './adapters.ts';
import { GenericSettings } from './sms/providers/generic.ts';
import { ViberSettings } from './viber/settings.ts';
import { WhatsAppSettings } from './whatsapp/settings.ts';

describe("a carrier's base URL", () => {
  const at = (base_url: string) => ViberSettings.safeParse({ base_url });
  test.each([
    ['https://services.viber.com/vibersrvc/1', 'https://services.viber.com/vibersrvc/1'],
    [' http://127.0.0.1:4100/viber/vibersrvc/1// ', 'http://127.0.0.1:4100/viber/vibersrvc/1'],
    ['https://carrier.example', 'https://carrier.example'],
  ])('can be %j', (input, expected) => {
    expect(at(input).data?.base_url).toBe(expected);
  });
  test.each([
    'ftp://carrier.example',
    'carrier.example',
    'https://',
    'https://name:word@carrier.example',
    'https://carrier.example/?a=1',
    'https://carrier.example/?',
    'https://carrier.example/#x',
    'https://carrier.example/a b',
    'javascript:alert(1)',
    '',
  ])('cannot be %j', (input) => {
    expect(at(input).success).toBe(false);
  });
});

test('a secret cannot contain characters that could start another header', () => {
  const token = (access_token: string) => WhatsAppSettings.safeParse({ waba_id: '55', access_token });
  expect(token(' EAAG+/=_-.~ ').data?.access_token).toBe('EAAG+/=_-.~');
  for (const bad of ['a\r\nx: 1', 'a b', 'a\0', 'ä', 'x'.repeat(1_001)]) expect(token(bad).success, bad).toBe(false);
});

test('adapter settings have defaults', () => {
  expect(WhatsAppSettings.parse({ waba_id: '55' })).toMatchObject({
    base_url: 'https://graph.facebook.com/v25.0',
    window: 50,
    throughput: 80,
    timeout_ms: 30_000,
  });
  expect(ViberSettings.parse({})).toMatchObject({ in_a_row: 10, in_session: 60, throughput: null });
  for (const waba_id of ['', 'abc', '5/../6', undefined])
    expect(WhatsAppSettings.safeParse({ waba_id }).success).toBe(false);
});

test('every secret is an adapter setting that is empty by default', () => {
  const required: Record<string, object> = {
    smpp: { host: 'carrier', port: 2775, system_id: 'us' },
    whatsapp: { waba_id: '55' },
  };
  for (const [adapter, { secrets, settings, shown }] of Object.entries(ADAPTERS)) {
    const values = settings.parse(required[adapter] ?? {});
    for (const name of secrets.options) {
      expect(values, `${adapter} ${name}`).toHaveProperty(name, '');
      expect(shown.shape, `${adapter} ${name}`).not.toHaveProperty(name);
    }
  }
});

test('every credential in a connection form is a setting of its adapter', () => {
  for (const [adapter, { credentials, limits, settings }] of Object.entries(ADAPTERS))
    for (const { name } of [...credentials, ...limits]) expect(Object.keys(settings.shape), adapter).toContain(name);
});

test('the body template of a provider accepts only known placeholders', () => {
  const body = (text: string) => GenericSettings.safeParse({ body: text }).success;
  expect(body('to={to}&text={text}')).toBe(true);
  expect(body('to={phone}')).toBe(false);
  expect(GenericSettings.safeParse({ id_path: 'messages.0.id' }).success).toBe(true);
  expect(GenericSettings.safeParse({ id_path: 'messages[0].id' }).success).toBe(false);
  expect(GenericSettings.safeParse({ callback_secret: 'short' }).success).toBe(false);
});
