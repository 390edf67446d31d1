/** Numbers for sale and valid forms, for testing senders. */

import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import { ADAPTERS } from '@parley/contract/channels/adapters.ts';
import { REQUEST_SECTIONS, type RequestKind } from '@parley/contract/registrations/registration.ts';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { picture } from './media_files.ts';
import type { Caller } from './world.ts';

export async function makeNumber(
  kernel: Kernel,
  number: string,
  options: {
    type?: string;
    country?: string;
    city?: string;
    setup_micros?: number;
    monthly_micros?: number;
    status?: string;
  } = {},
): Promise<string> {
  const { type = 'mobile', country = 'GB', city = '', setup_micros = 1_000_000, monthly_micros = 2_000_000 } = options;
  await kernel.db.run(sql`
    insert into numbers (number, type, country, city, status)
    values (${number}, ${type}, ${country}, ${city}, ${options.status ?? 'free'})`);
  await kernel.db.run(sql`
    insert into number_prices (country, type, currency, setup_micros, monthly_micros)
    values (${country}, ${type}, 'USD', ${setup_micros}, ${monthly_micros})
    on conflict (country, type, currency)
    do update set setup_micros = excluded.setup_micros, monthly_micros = excluded.monthly_micros`);
  return number;
}

/** A valid registration form. */
export const FORM = {
  company: {
    business_name: 'Harbour Coffee Ltd',
    entity_type: 'private_profit',
    registration_number: 'HRB 12345',
    business_industry: 7,
    business_description: 'Coffee roasters with nine shops',
    business_country: 'DE',
    business_address: 'Am Kai 4, 20457 Hamburg',
    business_website: 'https://harbour-coffee.invalid',
    business_email: 'hello@harbour-coffee.example',
    business_phone: '+49 40 1234567',
    contact_name: 'Dana Quill',
  },
  sms_campaign: {
    use_case: 'delivery_notification',
    description: 'Customers who order beans get two messages per order: when it ships and when it arrives.',
    monthly_volume: '1000_10000',
  },
  signup_options: {
    methods: ['web_form'],
    web_form_url: 'https://harbour-coffee.invalid/checkout',
    keyword_url: '',
    description:
      'At checkout, customers check a box: "I agree to get text messages about my order from Harbour Coffee."',
  },
  example_messages: {
    messages: [
      'Harbour Coffee: your order 1204 has left our roastery and arrives on Friday. Reply STOP to end.',
      'Harbour Coffee: your parcel was delivered. Enjoy your beans.',
    ],
  },
  compliance_keyword_responses: {
    start_text: 'Harbour Coffee: you will get order updates again.',
    stop_text: 'Harbour Coffee: you are unsubscribed and will get no more messages.',
    help_text: 'Harbour Coffee: write to hello@harbour-coffee.example. Reply STOP to end.',
  },
  toll_free: { notification_email: 'hello@harbour-coffee.example', additional_information: '' },
  tcr: { tax_id: '12-3456789', tax_country: 'US', privacy_policy_url: '', terms_url: '' },
} as const;

const EMPTY_FORM = Object.fromEntries(Object.keys(FORM).map((section) => [section, null]));

export const PDF = new TextEncoder().encode('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF');

export async function fillForm(caller: Caller, id: string, kind: RequestKind, form: object = FORM): Promise<void> {
  for (const name of REQUEST_SECTIONS[kind]) {
    const { status, text } = await caller.put(`/v1/senders/${id}/${name}`, (form as Record<string, unknown>)[name]);
    if (status !== 200) throw new Error(`${name}: ${text}`);
  }
}

export function attachTo(caller: Caller, id: string, kind: string, file: { name: string; bytes: Uint8Array | string }) {
  const form = new FormData();
  form.append('kind', kind);
  form.append('file', new Blob([typeof file.bytes === 'string' ? file.bytes : new Uint8Array(file.bytes)]), file.name);
  return caller.raw(`/v1/senders/${id}/required_attachments`, { method: 'PUT', body: form });
}

/** Inserts a sender request that awaits review. */
export async function makeSenderRequest(
  kernel: Kernel,
  account_id: string,
  { code = 'Asked', minutes_ago = 0 } = {},
): Promise<string> {
  const [sender_id, id] = [newId(), newId()];
  await kernel.db.run(sql`
    insert into senders (account_id, id, name, code, channel, type, status, countries)
    values (${account_id}, ${sender_id}, ${`Requested ${id}`.slice(0, 45)}, ${code}, 'SMS', 'alphanumeric', 'pending',
            '{DE}')`);
  await kernel.db.run(sql`
    insert into sender_requests (account_id, id, sender_id, kind, status, form, create_date, expected_date)
    values (${account_id}, ${id}, ${sender_id}, 'sender_id', 'IN_PROCESS', ${JSON.stringify(EMPTY_FORM)}::jsonb,
            now() - make_interval(mins => ${minutes_ago}), now() + interval '2 days')`);
  return id;
}

/** An access form that is valid for both channels, except for the number and the files. */
const BUSINESS = {
  business_name: 'Harbour Coffee Ltd',
  business_address: 'Am Kai 4, 20457 Hamburg',
  business_description: 'Coffee roasters with nine shops; customers get order updates.',
  business_website: 'https://harbour-coffee.invalid',
  business_phone: '+49 40 1234567',
  business_country: 'DE',
  business_email: 'hello@harbour-coffee.invalid',
  business_industry: 7,
  business_locations: ['DE'],
  parent_name: '',
  targeted_countries: ['DE', 'GB'],
} as const;
export const ACCESS = {
  whatsapp: {
    ...BUSINESS,
    number_from: 'own',
    phone_number: '+44 7400 000100',
    display_name: 'Harbour Coffee',
    meta_business_id: '',
    about: 'Fresh beans every day',
    category: 'restaurant',
  },
  viber: {
    ...BUSINESS,
    business_name_en: 'Harbour Coffee',
    traffic: 'both',
    two_way: true,
    sample_messages: ['Harbour Coffee: your order has left our roastery today.'],
  },
} as const;

export function attachAccess(
  caller: Caller,
  id: string,
  kind: AccessKind,
  file: string,
  { name, bytes }: { name: string; bytes: Uint8Array },
) {
  const form = new FormData();
  form.append('kind', file);
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  return caller.raw(`/v1/senders/${id}/${kind}_attachments`, { method: 'PUT', body: form });
}

/** Attaches all files required for the kind. */
export async function attachAll(caller: Caller, id: string, kind: AccessKind): Promise<void> {
  for (const { kind: file, required, dimensions } of ACCESS_FORMS[kind].files) {
    if (!required) continue;
    const upload = dimensions
      ? { name: 'logo.png', bytes: await picture('png', dimensions.width, dimensions.height) }
      : { name: 'letter.pdf', bytes: PDF };
    const { status, text } = await attachAccess(caller, id, kind, file, upload);
    if (status !== 200) throw new Error(`${file}: ${text}`);
  }
}

/** Creates a connection for the channel. It is unreachable unless the settings contain a `base_url`. */
export async function makeChatConnection(
  kernel: Kernel,
  adapter: AccessKind,
  settings: Record<string, unknown> = {},
): Promise<string> {
  const id = newId();
  const required = { base_url: 'http://127.0.0.1:9', ...(adapter === 'whatsapp' ? { waba_id: '1' } : {}) };
  await kernel.db.run(sql`
    insert into connections (id, name, adapter, channel, settings, create_date, update_date)
    values (${id}, ${`Chat ${id}`.slice(0, 45)}, ${adapter}, ${adapter.toUpperCase()},
            ${JSON.stringify(ADAPTERS[adapter].settings.parse({ ...required, ...settings }))}::jsonb, now(), now())`);
  return id;
}
