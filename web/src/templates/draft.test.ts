import type { Template } from '@parley/contract/templates/templates.ts';
import { describe, expect, test } from 'vitest';
import {
  copyName,
  draftFindings,
  draftFrom,
  emptyDraft,
  endsWithOptOut,
  formField,
  previewDraft,
  previewTemplate,
  toBody,
  withOptOut,
} from './draft.ts';

const WHATSAPP = {
  ...emptyDraft('WHATSAPP'),
  name: 'order_ready',
  header: 'For {first_name}',
  text: 'Dear {first_name:friend}, order {order} is ready.',
  footer: 'Harbour Coffee',
  wa_sender_code: '447700900100',
  samples: { first_name: 'Ann', order: '17' },
};

describe('the request body', () => {
  test('contains an example for each placeholder, starting with the header', () => {
    expect(toBody(WHATSAPP)).toMatchObject({
      samples: ['Ann', 'Ann', '17'],
      header: 'For {first_name}',
      type: 'text',
      media_id: null,
    });
    expect(draftFindings(WHATSAPP)).toEqual([]);
  });
  test('clears fields that the channel or type does not support', () => {
    const button = { type: 'link', text: 'Shop', value: 'https://a.example' } as const;
    const sms = { ...WHATSAPP, channel: 'SMS' as const, type: 'image' as const, buttons: [button] };
    expect(toBody(sms)).toMatchObject({
      type: 'text',
      header: null,
      footer: null,
      buttons: [],
      wa_category: null,
      samples: [],
    });
    expect(toBody({ ...WHATSAPP, type: 'document' })).toMatchObject({ header: null });
    expect(toBody({ ...WHATSAPP, wa_category: 'AUTHENTICATION', buttons: [button] })).toMatchObject({
      header: null,
      footer: null,
      buttons: [],
    });
  });
});

test('findings follow the order of the form, with one per field', () => {
  const draft = { ...WHATSAPP, name: 'Order', text: '', type: 'document' as const, samples: {}, wa_sender_code: '' };
  expect(draftFindings(draft)).toEqual([
    { field: 'name', message: 'Only lowercase letters, numbers, and (_) are allowed' },
    { field: 'wa_sender_code', message: 'Choose the WhatsApp sender for the template' },
    { field: 'attachment', message: 'File is a required field' },
    { field: 'filename', message: 'Document name is required!' },
    { field: 'text', message: 'Message is required!' },
  ]);
  const linked = { ...draft, attachment: { source: 'link' as const, media: null, url: 'http://a.example/x.pdf' } };
  expect(draftFindings(linked)[2]).toEqual({ field: 'attachment', message: "URL should start with 'https'" });
  expect(draftFindings({ ...WHATSAPP, samples: { first_name: 'Ann' } })).toEqual([
    { field: 'samples.order', message: 'An example for {order} is required!' },
  ]);
  expect(formField('samples.2', WHATSAPP)).toBe('samples.order');
  expect(formField('media_id', WHATSAPP)).toBe('attachment');
});

test('buttons of a WhatsApp template are checked while the form is filled in', () => {
  const check = (type: 'link' | 'phone_call', text: string, value: string) =>
    draftFindings({ ...WHATSAPP, buttons: [{ type, text, value }] });
  const at = (field: string, message: string) => [{ field: `buttons.0.${field}`, message }];
  expect(check('link', '', 'https://a.example')).toEqual(at('text', 'Button text is required!'));
  expect(check('link', 'b'.repeat(21), 'https://a.example')).toEqual(
    at('text', 'Button text can have at most 20 characters'),
  );
  expect(check('link', 'Shop', '')).toEqual(at('value', 'Website URL is required!'));
  expect(check('link', 'Shop', `https://a.example/${'x'.repeat(178)}`)).toEqual(
    at('value', 'Website URL can have at most 195 characters'),
  );
  expect(check('phone_call', 'Call', '')).toEqual(at('value', 'Phone number is required!'));
  expect(check('phone_call', 'Call', '+44 12')).toEqual(
    at('value', 'Phone number can contain only pluses and numbers.'),
  );
  for (const number of ['123', '4'.repeat(18)])
    expect(check('phone_call', 'Call', number)).toEqual(
      at('value', 'Phone number must have between 4 and 17 characters'),
    );
  expect(check('phone_call', 'Call', '+441234')).toEqual([]);
});

test('a Viber button and the name of a document are checked while the form is filled in', () => {
  const viber = { ...emptyDraft('VIBER'), name: 'Sale', text: 'Everything must go' };
  const value = (url: string) => draftFindings({ ...viber, buttons: [{ type: 'link', text: 'Shop', value: url }] });
  expect(value('')).toEqual([{ field: 'buttons.0.value', message: 'Button action URL is required!' }]);
  expect(value(`https://a.example/${'x'.repeat(983)}`)).toEqual([
    { field: 'buttons.0.value', message: 'Button action URL can have at most 1,000 characters' },
  ]);
  const attachment = { source: 'link' as const, media: null, url: 'https://a.example/x.pdf' };
  const named = (filename: string) =>
    draftFindings({ ...viber, type: 'document', text: '', attachment, filename })[0]?.message;
  expect(named('d'.repeat(26))).toBe('Document name can have at most 25 characters');
  expect(named('price list')).toBe('Only letters, numbers, and (_) are allowed');
  expect(named('price_list')).toBeUndefined();
});

test('the preview shows examples, defaults, or the placeholder as typed', () => {
  const { text, content } = previewDraft({ ...WHATSAPP, samples: { order: '17' } });
  expect(text).toBe('Dear friend, order 17 is ready.');
  expect(content).toMatchObject({ header: 'For {first_name}', footer: 'Harbour Coffee' });
  expect(previewDraft({ ...emptyDraft('SMS'), text: 'Hi {first_name:you}, {promo} {custom1}' }).text).toBe(
    'Hi you, {promo} {custom1}',
  );
});

test('a template converts to a draft and back, and a copy has a new name', () => {
  const template = {
    ...toBody(WHATSAPP),
    id: 't',
    external_id: null,
  } as unknown as Template;
  expect(draftFrom(template, null)).toEqual({ ...WHATSAPP, samples: { first_name: 'Ann', order: '17' } });
  expect(previewTemplate(template).text).toBe('Dear Ann, order 17 is ready.');
  expect(copyName('n'.repeat(45), 'WHATSAPP')).toBe(`${'n'.repeat(40)}_copy`);
  expect(copyName('Spring', 'SMS')).toBe('Spring copy');
});

test('the opt-out footer is part of the text', () => {
  expect(withOptOut('Hello ', true)).toBe('Hello\n{sms_opt_out}');
  expect(withOptOut('', true)).toBe('{sms_opt_out}');
  expect(endsWithOptOut('Hello\n{sms_opt_out}')).toBe(true);
  expect(withOptOut('Hello\n{sms_opt_out}', false)).toBe('Hello');
  expect(withOptOut('Hello', false)).toBe('Hello');
});
