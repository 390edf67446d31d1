import { describe, expect, test } from 'vitest';
import { ACCESS_FORMS, requiredAccessFiles } from '../channels/access.ts';
import { ViberDraft } from '../channels/viber/access.ts';
import { WhatsappDraft } from '../channels/whatsapp/access.ts';
import { Registration } from '../registrations/registration.ts';
import { type Draft, preflight } from './preflight.ts';

const BUSINESS = {
  business_name: 'Harbour Coffee Ltd',
  business_address: 'Am Kai 4, Hamburg',
  business_description: 'Coffee roasters; customers get order updates.',
  business_website: 'https://www.harbour.example/about',
  business_phone: '+49 40 1234567',
  business_country: 'DE',
  business_email: 'hello@harbour.example',
  business_industry: 7,
  business_locations: ['DE'],
  targeted_countries: ['DE'],
};
const WHATSAPP = WhatsappDraft.parse({
  ...BUSINESS,
  number_from: 'own',
  phone_number: '+49 (176) 1234-5678',
  display_name: 'Harbour Coffee',
  category: 'restaurant',
});
const VIBER = ViberDraft.parse({
  ...BUSINESS,
  business_name_en: 'Harbour Coffee',
  traffic: 'transactional',
  two_way: true,
  sample_messages: ['Harbour Coffee: your order has left our roastery.'],
});
const EMPTY = Registration.parse({
  company: null,
  sms_campaign: null,
  signup_options: null,
  example_messages: null,
  compliance_keyword_responses: null,
  toll_free: null,
  tcr: null,
});
const whatsapp = (change: object = {}, overrides: Partial<Draft> = {}): Draft => ({
  kind: 'whatsapp',
  sender: { code: '4917612345678', type: 'business', countries: ['DE'] },
  brand: 'Harbour Coffee',
  registration: { ...EMPTY, whatsapp: { ...WHATSAPP, ...change } },
  attached: requiredAccessFiles('whatsapp', null),
  numbers: ['4917612345678'],
  ...overrides,
});
const viber = (change: object = {}, overrides: Partial<Draft> = {}): Draft => ({
  ...whatsapp(),
  kind: 'viber',
  registration: { ...EMPTY, viber: { ...VIBER, ...change } },
  attached: requiredAccessFiles('viber', null),
  ...overrides,
});
const codes = (draft: Draft) => preflight(draft).map(({ level, code, field }) => `${level} ${code} ${field}`);

test('a complete form has no findings, and its phone number is stored as digits', () => {
  expect(preflight(whatsapp())).toEqual([]);
  expect(preflight(viber())).toEqual([]);
  expect(WHATSAPP.phone_number).toBe('4917612345678');
});

test('an empty form reports every field and file once, with the catalog text if there is one', () => {
  const findings = preflight({ ...viber(), registration: EMPTY, attached: [] });
  const fields = findings.map(({ field }) => field);
  expect(new Set(fields).size).toBe(fields.length);
  expect(findings.every(({ level }) => level === 'blocker')).toBe(true);
  const titles = Object.fromEntries(findings.map(({ field, title }) => [field, title]));
  expect(titles).toMatchObject({
    'viber.business_name': 'Business name is required',
    'viber.business_name_en': 'Business name in English is required',
    'viber.targeted_countries': 'Choose at least one targeted country',
    'viber.traffic': 'Choose what kind of messages you send',
    'attachments.logo_360x280': 'Logo 360 x 280 is missing',
  });
  expect(fields.filter((field) => field.startsWith('attachments.'))).toHaveLength(7);
  expect(fields).not.toContain('viber.parent_name');
});

describe('the preflight check', () => {
  test.each<[string, Draft, string[]]>([
    [
      'an unverified number',
      whatsapp({}, { numbers: ['4917600000000'] }),
      ['blocker number_unverified whatsapp.phone_number'],
    ],
    ["nothing while the account's numbers are unknown", whatsapp({}, { numbers: undefined as never }), []],
    [
      "another company's name",
      whatsapp({}, { brand: 'Blue Bakery' }),
      ['warning name_not_company whatsapp.business_name'],
    ],
    [
      "another company's display name",
      whatsapp({ display_name: 'Best Offers' }),
      ['warning name_not_yours whatsapp.display_name'],
    ],
    ['nothing for a brand of the parent company', whatsapp({ display_name: 'Kontor', parent_name: 'Kontor AG' }), []],
    ['a generic name', viber({ business_name_en: 'News' }), ['blocker name_too_general viber.business_name_en']],
    [
      "a name that contains the channel's name",
      whatsapp({ display_name: 'Harbour WhatsApp' }),
      ['blocker name_of_channel whatsapp.display_name'],
    ],
    [
      'an email address at a different domain',
      whatsapp({ business_email: 'harbour@mail.example' }),
      ['warning email_elsewhere whatsapp.business_email'],
    ],
    ['nothing for an email address at a subdomain', whatsapp({ business_email: 'a@shop.harbour.example' }), []],
    [
      'marketing labeled as transactional traffic',
      viber({ sample_messages: ['Harbour: your order is ready.', 'Harbour: 20% off, today only'] }),
      ['warning sample_is_marketing viber.sample_messages.1'],
    ],
    [
      'gambling without a license',
      viber({ business_industry: 14 }),
      ['blocker document_missing attachments.industry_letter'],
    ],
    [
      'a missing logo',
      viber({}, { attached: requiredAccessFiles('viber', null).filter((kind) => kind !== 'logo_65x65') }),
      ['blocker logo_missing attachments.logo_65x65'],
    ],
  ])('reports %s', (_, draft, expected) => {
    expect(codes(draft)).toEqual(expected);
  });
});

test('logos must be PNG files with exact dimensions', () => {
  const sizes = (kind: 'whatsapp' | 'viber') =>
    ACCESS_FORMS[kind].files.flatMap(({ dimensions, extensions }) =>
      dimensions ? [`${dimensions.width}x${dimensions.height} ${extensions}`] : [],
    );
  expect(sizes('whatsapp')).toEqual(['640x640 .png']);
  expect(sizes('viber')).toEqual(
    ['360x280', '256x256', '130x130', '100x100', '65x65', '50x50'].map((size) => `${size} .png`),
  );
});
