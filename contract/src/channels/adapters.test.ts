import { describe, expect, test } from 'vitest';
import { ADAPTERS } from './adapters.ts';
import { SmppSettings } from './sms/settings.ts';
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
  const settings = {
    smpp: SmppSettings.parse({ host: 'carrier', port: 2775, system_id: 'us' }),
    whatsapp: WhatsAppSettings.parse({ waba_id: '55' }),
    viber: ViberSettings.parse({}),
  };
  for (const [adapter, { secrets }] of Object.entries(ADAPTERS))
    for (const name of secrets.options)
      expect(settings[adapter as keyof typeof settings], name).toHaveProperty(name, '');
});
