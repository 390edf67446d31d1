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
