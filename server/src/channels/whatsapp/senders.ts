/** Our numbers on WhatsApp: enrolling a number as a sender, and reading its state. */
import type { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { CarrierRefusal, type Enrolled } from '../channel.ts';
import { type Json, toObject, toText } from '../wire_json.ts';
import { callGraph, listFromGraph, pathSegment } from './graph.ts';

const toDigits = (text: unknown): string => toText(text, 50).replace(/\D/g, '');

/** Skips steps that are already done, for example after a lost response or if the number was verified manually. */
export async function enrollNumber(
  settings: WhatsAppSettings,
  { number, display_name, pin }: { number: string; display_name: string; pin: string },
): Promise<Enrolled> {
  const path = `${pathSegment(settings.waba_id)}/phone_numbers`;
  const numbers = await listFromGraph(settings, path, 'id,display_phone_number,status');
  const existing = numbers.find(({ display_phone_number }) => toDigits(display_phone_number) === toDigits(number));
  const address = toText(existing?.id, 100) || (await addNumber(settings, path, number, display_name));
  if (existing?.status === 'CONNECTED') return { address, waits: false };
  try {
    await callGraph(settings, `${pathSegment(address)}/register`, { body: { messaging_product: 'whatsapp', pin } });
    return { address, waits: false };
  } catch (error) {
    if (refusalCode(error) === UNVERIFIED) return { address, waits: true };
    if (refusalCode(error) === OTHER_PIN) throw new CarrierRefusal(OTHER_PIN, PIN_WORDS);
    throw error;
  }
}

const UNVERIFIED = '133006';
const OTHER_PIN = '133005';
const NOT_REGISTERED = '133010';
/** WhatsApp also returns this code for a number that this token has no access to. */
const NO_SUCH_OBJECT = '100';
const refusalCode = (error: unknown): string => (error instanceof CarrierRefusal ? error.code : '');

/** A previous owner of the number set a PIN. */
const PIN_WORDS =
  'The number has a two-step verification PIN. Turn off two-step verification in WhatsApp Manager, then try again';

export async function requestCode(settings: WhatsAppSettings, address: string, method: 'sms' | 'voice'): Promise<void> {
  const query = { code_method: method.toUpperCase(), language: 'en_US' };
  await callGraph(settings, `${pathSegment(address)}/request_code`, { method: 'POST', query });
}

export async function verifyCode(settings: WhatsAppSettings, address: string, code: string): Promise<void> {
  await callGraph(settings, `${pathSegment(address)}/verify_code`, { method: 'POST', query: { code } });
}

export async function releaseNumber(settings: WhatsAppSettings, address: string): Promise<void> {
  try {
    await callGraph(settings, `${pathSegment(address)}/deregister`, { body: {} });
  } catch (error) {
    if (![NOT_REGISTERED, NO_SUCH_OBJECT].includes(refusalCode(error))) throw error;
  }
}

async function addNumber(
  settings: WhatsAppSettings,
  path: string,
  number: string,
  verified_name: string,
): Promise<string> {
  const parsed = parsePhoneNumberFromString(`+${toDigits(number)}`);
  if (!parsed) throw new CarrierRefusal('', 'This is not a phone number');
  const { countryCallingCode: cc, nationalNumber: phone_number } = parsed;
  const address = toText((await callGraph(settings, path, { body: { cc, phone_number, verified_name } })).id, 100);
  if (address === '') throw new Error('WhatsApp did not return an ID for the number');
  return address;
}

const FIELDS =
  'display_phone_number,verified_name,name_status,status,quality_rating,throughput,' +
  'whatsapp_business_manager_messaging_limit';

export async function fetchState(settings: WhatsAppSettings, address: string): Promise<Record<string, string>> {
  const fields = await callGraph(settings, pathSegment(address), { query: { fields: FIELDS } });
  const state: Json = {
    number: toDigits(fields.display_phone_number),
    name: fields.verified_name,
    name_status: fields.name_status,
    status: fields.status,
    quality: fields.quality_rating,
    limit: fields.whatsapp_business_manager_messaging_limit,
    throughput: toObject(fields.throughput).level,
  };
  return Object.fromEntries(
    Object.entries(state).flatMap(([name, value]) => (toText(value) === '' ? [] : [[name, toText(value, 200)]])),
  );
}
