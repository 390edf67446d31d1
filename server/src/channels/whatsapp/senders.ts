/** Our numbers on WhatsApp: enrolling one as a sender, and its state. */
import type { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { CarrierRefusal, type Enrolled } from '../channel.ts';
import { type Json, objectOf, textOf } from '../wire_json.ts';
import { graph, graphList, step } from './graph.ts';

const digitsOf = (text: unknown): string => textOf(text, 50).replace(/\D/g, '');

/** Each step that was done before is skipped: after a lost response, or when the number was verified by hand. */
export async function enrollNumber(
  settings: WhatsAppSettings,
  { number, display_name, pin }: { number: string; display_name: string; pin: string },
): Promise<Enrolled> {
  const path = `${step(settings.waba_id)}/phone_numbers`;
  const all = await graphList(settings, path, 'id,display_phone_number,status');
  const there = all.find(({ display_phone_number }) => digitsOf(display_phone_number) === digitsOf(number));
  const address = textOf(there?.id, 100) || (await added(settings, path, number, display_name));
  if (there?.status === 'CONNECTED') return { address, waits: false };
  try {
    await graph(settings, `${step(address)}/register`, { body: { messaging_product: 'whatsapp', pin } });
    return { address, waits: false };
  } catch (error) {
    if (codeOf(error) === UNVERIFIED) return { address, waits: true };
    if (codeOf(error) === OTHER_PIN) throw new CarrierRefusal(OTHER_PIN, PIN_WORDS);
    throw error;
  }
}

const UNVERIFIED = '133006';
const OTHER_PIN = '133005';
const NOT_REGISTERED = '133010';
/** WhatsApp also answers this for a number that this token has no access to. */
const NO_SUCH_OBJECT = '100';
const codeOf = (error: unknown): string => (error instanceof CarrierRefusal ? error.code : '');

/** A former owner of the number has set a PIN. */
const PIN_WORDS =
  'The number has a PIN for two-step verification of its own. Switch it off in WhatsApp Manager, then try again';

export async function requestCode(settings: WhatsAppSettings, address: string, method: 'sms' | 'voice'): Promise<void> {
  const query = { code_method: method.toUpperCase(), language: 'en_US' };
  await graph(settings, `${step(address)}/request_code`, { method: 'POST', query });
}

export async function verifyCode(settings: WhatsAppSettings, address: string, code: string): Promise<void> {
  await graph(settings, `${step(address)}/verify_code`, { method: 'POST', query: { code } });
}

export async function releaseNumber(settings: WhatsAppSettings, address: string): Promise<void> {
  try {
    await graph(settings, `${step(address)}/deregister`, { body: {} });
  } catch (error) {
    if (![NOT_REGISTERED, NO_SUCH_OBJECT].includes(codeOf(error))) throw error;
  }
}

async function added(settings: WhatsAppSettings, path: string, number: string, verified_name: string): Promise<string> {
  const parsed = parsePhoneNumberFromString(`+${digitsOf(number)}`);
  if (!parsed) throw new CarrierRefusal('', 'This is no phone number');
  const { countryCallingCode: cc, nationalNumber: phone_number } = parsed;
  const address = textOf((await graph(settings, path, { body: { cc, phone_number, verified_name } })).id, 100);
  if (address === '') throw new Error('WhatsApp gave the number no id');
  return address;
}

const FIELDS =
  'display_phone_number,verified_name,name_status,status,quality_rating,throughput,' +
  'whatsapp_business_manager_messaging_limit';

export async function fetchState(settings: WhatsAppSettings, address: string): Promise<Record<string, string>> {
  const found = await graph(settings, step(address), { query: { fields: FIELDS } });
  const state: Json = {
    number: digitsOf(found.display_phone_number),
    name: found.verified_name,
    name_status: found.name_status,
    status: found.status,
    quality: found.quality_rating,
    limit: found.whatsapp_business_manager_messaging_limit,
    throughput: objectOf(found.throughput).level,
  };
  return Object.fromEntries(
    Object.entries(state).flatMap(([name, value]) => (textOf(value) === '' ? [] : [[name, textOf(value, 200)]])),
  );
}
