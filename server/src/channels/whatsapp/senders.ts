/** Numbers of ours on WhatsApp: how one becomes a sender, and how it stands. */
import { createHmac } from 'node:crypto';
import type { WhatsAppSettings } from '@parley/contract/channel_settings.ts';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { CarrierRefusal } from '../channel.ts';
import { type Json, objectOf, textOf } from '../wire_json.ts';
import { graph, graphList, step } from './graph.ts';

const digitsOf = (text: unknown): string => textOf(text, 50).replace(/\D/g, '');

/** What is there already stays: an answer that was lost, or a number that had to be verified by hand first, does no harm. */
export async function enrollNumber(
  settings: WhatsAppSettings,
  { number, display_name }: { number: string; display_name: string },
): Promise<{ address: string }> {
  const path = `${step(settings.waba_id)}/phone_numbers`;
  const all = await graphList(settings, path, 'id,display_phone_number,status');
  const there = all.find(({ display_phone_number }) => digitsOf(display_phone_number) === digitsOf(number));
  const address = textOf(there?.id, 100) || (await added(settings, path, number, display_name));
  if (there?.status !== 'CONNECTED')
    await graph(settings, `${step(address)}/register`, {
      body: { messaging_product: 'whatsapp', pin: pinOf(settings, address) },
    });
  return { address };
}

async function added(settings: WhatsAppSettings, path: string, number: string, verified_name: string): Promise<string> {
  const parsed = parsePhoneNumberFromString(`+${digitsOf(number)}`);
  if (!parsed) throw new CarrierRefusal('', 'This is no phone number');
  const { countryCallingCode: cc, nationalNumber: phone_number } = parsed;
  const address = textOf((await graph(settings, path, { body: { cc, phone_number, verified_name } })).id, 100);
  if (address === '') throw new Error('WhatsApp gave the number no id');
  return address;
}

/** The second step of a number, asked for when it is registered again: always the same, and known to nobody without the app's secret. */
function pinOf({ app_secret }: WhatsAppSettings, address: string): string {
  const octets = createHmac('sha256', app_secret).update(`pin ${address}`).digest();
  return String(octets.readUInt32BE(0) % 1_000_000).padStart(6, '0');
}

const FIELDS =
  'display_phone_number,verified_name,name_status,status,quality_rating,throughput,whatsapp_business_manager_messaging_limit';

export async function lookAt(settings: WhatsAppSettings, address: string): Promise<Record<string, string>> {
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
