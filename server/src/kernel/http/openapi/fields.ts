/** Descriptions and examples of fields that mean the same in every call. A schema may have its own description. */

interface FieldText {
  description: string;
  example?: string | number;
}

const ID = '0197a5f0-0000-7000-8000-000000000001';

const FIELDS: Readonly<Record<string, FieldText>> = {
  id: { description: 'The ID (a UUID).', example: ID },
  account_id: { description: 'The ID of the account.', example: ID },
  user_id: { description: 'The ID of the user.', example: ID },
  sender_id: { description: 'The ID of the sender.', example: ID },
  template_id: { description: 'The ID of the template.', example: ID },
  template: { description: 'The ID of the template.', example: ID },
  audience_id: { description: 'The ID of the audience.', example: ID },
  campaign_id: { description: 'The ID of the campaign.', example: ID },
  message_id: { description: 'The ID of the message.', example: ID },
  contact_id: { description: 'The ID of the contact.', example: ID },
  conversation_id: { description: 'The ID of the conversation.', example: ID },
  connection_id: { description: 'The ID of the connection to a carrier.', example: ID },
  media_id: { description: 'The ID of an uploaded file.', example: ID },
  create_date: { description: 'When it was created.' },
  update_date: { description: 'When it was last changed.' },
  expire_date: { description: 'When it expires.' },
  schedule: { description: 'The scheduled time, in UTC.' },
  status_details: { description: 'A readable explanation of the status.' },
  name: { description: 'The name.', example: 'Autumn offer' },
  text: { description: 'The text.', example: 'Your order is on its way.' },
  number: { description: 'The phone number: digits with the country code.', example: '447400123456' },
  phone: { description: 'The phone number: digits with the country code.', example: '447400123456' },
  phone_number: { description: 'The phone number: digits with the country code.', example: '447400123456' },
  country: { description: 'The country code (ISO 3166-1 alpha-2), in uppercase.', example: 'GB' },
  country_code: { description: 'The country code (ISO 3166-1 alpha-2), in uppercase.', example: 'GB' },
  mccmnc: { description: 'The network: mobile country code and network code.', example: '23415' },
  currency: { description: 'The currency code (ISO 4217).' },
  email: { description: 'The email address.', example: 'ann@example.com' },
  username: { description: 'The email address that the user signs in with.', example: 'ann@example.com' },
  first_name: { description: 'The first name.', example: 'Ann' },
  last_name: { description: 'The last name.', example: 'Quill' },
  company_name: { description: 'The name of the company.', example: 'Harbour Coffee' },
  url: { description: 'The URL.', example: 'https://example.com' },
  direction: { description: 'MT: to a phone. MO: from a phone.' },
  segments_count: { description: 'The number of SMS segments.', example: 1 },
  encoding: { description: 'The alphabet of an SMS.', example: 'GSM-7' },
  from: { description: 'The sender: its name, code, or ID.', example: 'Harbour' },
  to: { description: 'The recipient: digits with the country code.', example: '447400123456' },
  variables: { description: 'The values of the placeholders, in order.' },
  links: { description: 'Paths of related calls.' },
  payload: { description: 'A string of your choice, returned in delivery reports.' },
  data: { description: 'The content.' },
  channel: { description: 'The channel of the message.' },
  countries: { description: 'Country codes (ISO 3166-1 alpha-2), in uppercase.' },
  timezone: { description: 'The time zone, as an IANA name.', example: 'Europe/London' },
  type: { description: 'The type of the object.' },
  status: { description: 'The current status.' },
  purpose: { description: 'The purpose, which can determine the price.' },
  filename: { description: 'The name of the file.', example: 'menu.pdf' },
  file_name: { description: 'The name of the file.', example: 'menu.pdf' },
  content_type: { description: 'The media type of the file.', example: 'application/pdf' },
  button: { description: 'The button below the text.' },
  button_type: { description: 'What the button does.' },
  button_text: { description: 'The label of the button.', example: 'Order now' },
  button_value: { description: 'The URL or phone number that the button opens.' },
  fallbacks: { description: 'Up to three additional channels, each with a trigger and a wait.' },
  trigger: { description: 'When the fallback is sent: `undelivered` (the default), `unread`, or `failed`.' },
  wait_seconds: { description: 'Seconds between the submission and the fallback.', example: 300 },
  validity_seconds: { description: 'Seconds after which an undelivered message expires.', example: 3600 },
  test: { description: 'True for a free test message to your own phones.' },
  source: { description: 'The origin of the object.' },
  total: { description: 'The total number.', example: 120 },
  sent: { description: 'The number of sent messages.', example: 120 },
  delivered: { description: 'The number of delivered messages.', example: 118 },
  failed: { description: 'The number of failed messages.', example: 2 },
  count: { description: 'The number.', example: 120 },
  contacts_count: { description: 'The number of contacts.', example: 120 },
  enabled: { description: 'True if it is in use.' },
  blocked: { description: 'True if it is blocked.' },
  password: { description: 'The password.' },
  current_password: { description: 'The current password of the user.' },
  access_token: { description: 'The token of the session, for the header `Authorization: Bearer`.' },
  reason: { description: 'A readable reason.' },
  search: { description: 'The text to search for.' },
  page: { description: 'The number of the page, from 1.' },
  permissions: { description: 'The level of each permission.' },
};

/** Adds the description, and the example if its type fits. */
export function describeField(name: string, schema: Record<string, unknown>): Record<string, unknown> {
  const own = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  const micros = name.endsWith('_micros') ? { description: 'An amount in millionths of the currency.' } : undefined;
  const text: FieldText | undefined = own ?? micros;
  if (!text || '$ref' in schema || 'description' in schema) return schema;
  const hasExample = text.example !== undefined && !schema.examples && fits(schema, text.example);
  return { ...schema, description: text.description, ...(hasExample ? { examples: [text.example] } : {}) };
}

function fits(schema: Record<string, unknown>, example: string | number): boolean {
  const accepted = typeof example === 'number' ? ['integer', 'number'] : ['string'];
  if (![schema.type].flat().some((type) => accepted.includes(String(type)))) return false;
  if (schema.enum !== undefined || schema.const !== undefined) return false;
  if (schema.format === 'uuid') return example === ID;
  return schema.format === undefined && schema.pattern === undefined;
}
