import { describe, expect, test } from 'vitest';
import { type Registration, Registration as RegistrationSchema, requiredFiles } from '../registrations/registration.ts';
import { type Draft, preflight } from './preflight.ts';

const FORM: Registration = RegistrationSchema.parse({
  company: {
    business_name: 'Harbour Coffee Ltd',
    entity_type: 'private_profit',
    business_industry: 7,
    business_country: 'DE',
    business_address: 'Am Kai 4, Hamburg',
    business_website: 'https://harbour.example',
    business_email: 'hello@harbour.example',
    business_phone: '+49 40 1234567',
    contact_name: 'Dana Quill',
  },
  sms_campaign: {
    use_case: 'delivery_notification',
    description: 'Customers who order beans get a message when it ships and when it arrives.',
    monthly_volume: 'under_1000',
  },
  signup_options: {
    methods: ['web_form'],
    web_form_url: 'https://harbour.example/checkout',
    description: 'At checkout, customers check a box and agree to get texts about their order.',
  },
  example_messages: {
    messages: [
      'Harbour: your order has left the roastery. Reply STOP to end.',
      'Harbour: your parcel was delivered today.',
    ],
  },
  compliance_keyword_responses: {
    stop_text: 'Harbour: you are unsubscribed and will get no more messages.',
    help_text: 'Harbour: write to hello@harbour.example. Reply STOP to end.',
  },
  toll_free: { notification_email: 'hello@harbour.example' },
  tcr: { tax_id: '12-3456789', tax_country: 'US' },
});
const draft = (change: Partial<Registration> = {}, overrides: Partial<Draft> = {}): Draft => ({
  kind: 'tcr',
  sender: { code: '12065550100', type: 'local', countries: ['US'] },
  brand: 'Harbour',
  registration: { ...FORM, ...change },
  attached: [],
  ...overrides,
});
const LETTER = ['letter_of_authorization'];
const codes = (registration: Draft) =>
  preflight(registration).map(({ code, level, field }) => `${level} ${code} ${field}`);
const examples = (...messages: string[]) => draft({ example_messages: { messages } });

test('a complete form has no findings', () => {
  expect(preflight(draft())).toEqual([]);
});

describe('the preflight check', () => {
  test.each<[string, Draft, string]>([
    ['a missing step', draft({ signup_options: null }), 'blocker section_missing signup_options'],
    [
      'a web form without a URL',
      draft({ signup_options: { ...FORM.signup_options!, web_form_url: '' } }),
      'blocker opt_in_place signup_options.web_form_url',
    ],
    [
      'an opt-in without consent',
      draft({
        signup_options: {
          ...FORM.signup_options!,
          description: 'We have the numbers from a list that we bought some years ago.',
        },
      }),
      'blocker opt_in_words signup_options.description',
    ],
    [
      'an offer among delivery notices',
      examples('Harbour: your order is here. STOP to end.', 'Harbour: 20% off your next parcel, order now.'),
      'blocker sample_is_marketing example_messages.messages.1',
    ],
    [
      'an example that does not match the use case',
      examples('Harbour: your parcel is here. STOP to end.', 'Harbour: we are closed on Monday.'),
      'blocker sample_mismatch example_messages.messages.1',
    ],
    [
      'examples without an opt-out',
      examples('Harbour: your parcel is here.', 'Harbour: your order left today.'),
      'blocker sample_stop example_messages.messages.0',
    ],
    [
      'a STOP reply that does not confirm the opt-out',
      draft({
        compliance_keyword_responses: {
          ...FORM.compliance_keyword_responses!,
          stop_text: 'Harbour: thank you for your message.',
        },
      }),
      'blocker stop_confirms compliance_keyword_responses.stop_text',
    ],
    [
      'a HELP reply without the opt-out keyword',
      draft({
        compliance_keyword_responses: {
          ...FORM.compliance_keyword_responses!,
          help_text: 'Harbour: write to hello@harbour.example.',
        },
      }),
      'blocker help_stop compliance_keyword_responses.help_text',
    ],
    [
      'a link shortener',
      examples('Harbour: your parcel: bit.ly/abc. STOP to end.', 'Harbour: your order left.'),
      'blocker shortener example_messages.messages.0',
    ],
    [
      'two identical examples',
      examples('Harbour: your order left. STOP to end.', 'Harbour - your order left, STOP to end!'),
      'blocker samples_alike example_messages.messages.1',
    ],
    [
      "examples without the company's name",
      examples('Your order has left. Reply STOP to end.', 'Your parcel was delivered.'),
      'warning samples_brand example_messages.messages.0',
    ],
    [
      'an undeclared link',
      examples('Harbour: your order https://harbour.example/1. STOP to end.', 'Harbour: your parcel has arrived.'),
      'warning embedded_link tcr.embedded_link',
    ],
    [
      'a missing document',
      draft({}, { kind: 'toll_free', sender: { code: '18005550100', type: 'toll_free', countries: ['US'] } }),
      'blocker document_missing attachments.opt_in_image',
    ],
    [
      'a sweepstakes without its terms',
      draft(
        {
          sms_campaign: { ...FORM.sms_campaign!, use_case: 'sweepstake' },
          example_messages: {
            messages: ['Harbour: reply WIN to enter. Reply STOP to end.', 'Harbour: you have won a bag of beans.'],
          },
        },
        { kind: 'short_code', sender: { code: '', type: 'short_code', countries: ['GB'] }, attached: LETTER },
      ),
      'blocker document_missing attachments.sweepstakes_terms',
    ],
    [
      'a generic name',
      draft({}, { kind: 'sender_id', sender: { code: 'Info', type: 'alphanumeric', countries: ['DE'] } }),
      'blocker name_too_general code',
    ],
    [
      "another company's name",
      draft({}, { kind: 'sender_id', sender: { code: 'Bluebird', type: 'alphanumeric', countries: ['DE'] } }),
      'warning name_not_yours code',
    ],
  ])('reports %s', (_, registration, expected) => {
    expect(codes(registration)).toEqual([expected]);
    const [finding] = preflight(registration);
    expect(finding!.why.length).toBeGreaterThan(20);
    expect(finding!.fix.length).toBeGreaterThan(10);
  });
});

test('blockers are listed before warnings', () => {
  const levels = preflight(examples('Your order is here.', 'Your order is here!')).map(({ level }) => level);
  expect(levels).toEqual([...levels].sort());
  expect(new Set(levels)).toEqual(new Set(['blocker', 'warning']));
});

test('one-time codes are not reported as marketing', () => {
  const registration = draft({
    sms_campaign: { ...FORM.sms_campaign!, use_case: 'two_factor' },
    example_messages: {
      messages: ['Harbour: 204816 is your code. Reply STOP to end.', 'Harbour: sign in with 118842.'],
    },
  });
  expect(preflight(registration)).toEqual([]);
});

test('required attachments depend on the sender type, and sweepstakes sent from a number require terms', () => {
  const requiredKinds = (type: 'short_code' | 'toll_free' | 'alphanumeric', use_case: 'sweepstake' | 'marketing') =>
    requiredFiles(
      { type, channel: 'SMS', countries: ['GB'] },
      { whatsapp: null, viber: null, sms_campaign: { ...FORM.sms_campaign!, use_case } },
    );
  expect(requiredKinds('short_code', 'sweepstake')).toEqual([...LETTER, 'sweepstakes_terms']);
  expect(requiredKinds('toll_free', 'sweepstake')).toEqual(['sweepstakes_terms']);
  expect(requiredKinds('short_code', 'marketing')).toEqual(LETTER);
  expect(requiredKinds('alphanumeric', 'sweepstake')).toEqual([]);
});

describe('a form in another language', () => {
  const german = (stop_text: string, help_text: string, ...messages: string[]) =>
    draft(
      {
        sms_campaign: { ...FORM.sms_campaign!, use_case: 'delivery_notification' },
        signup_options: { ...FORM.signup_options!, description: 'Im Kundenkonto stimmen Leute mit einem Häkchen zu.' },
        example_messages: { messages },
        compliance_keyword_responses: { start_text: '', stop_text, help_text },
      },
      { kind: 'short_code', sender: { code: '72000', type: 'short_code', countries: ['DE'] }, attached: LETTER },
    );
  const blockers = (registration: Draft) => preflight(registration).filter(({ level }) => level === 'blocker');

  test('is not blocked by missing English words', () => {
    const registration = german(
      'Harbour: Sie sind abgemeldet und erhalten keine weiteren Nachrichten.',
      'Harbour: Mit STOPP beenden Sie den Empfang.',
      'Harbour: Ihre Bestellung liegt bereit. Antworten Sie STOPP zum Abmelden.',
    );
    expect(blockers(registration).map(({ code }) => code)).toEqual([]);
    expect(codes(registration)).not.toContain('warning stop_confirms compliance_keyword_responses.stop_text');
  });

  test('triggers warnings about words that may be missing', () => {
    const registration = german(
      'Harbour: Danke für Ihre Nachricht.',
      'Harbour: Rufen Sie uns an.',
      'Harbour: Ihre Ware ist da.',
    );
    expect(blockers(registration)).toEqual([]);
    expect(codes(registration)).toContain('warning stop_confirms compliance_keyword_responses.stop_text');
    expect(codes(registration)).toContain('warning help_stop compliance_keyword_responses.help_text');
  });

  test.each([
    ['Vous êtes désinscrit et ne recevrez plus de messages.', 'Répondez ARRET pour arrêter.'],
    ['Ha sido dado de baja y no recibirá más mensajes.', 'Responda BAJA para cancelar.'],
    ['Вы отписаны и больше не получите сообщений.', 'Ответьте СТОП, чтобы отписаться.'],
    ['U bent afgemeld en krijgt geen berichten meer.', 'Antwoord STOP om af te melden.'],
  ])('has no opt-out findings for %j', (stop_text, help_text) => {
    const all = codes(draft({ compliance_keyword_responses: { start_text: '', stop_text, help_text } })).join();
    expect(all).not.toMatch(/stop_confirms|help_stop/);
  });
});
