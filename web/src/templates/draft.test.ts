import type { Template } from '@parley/contract/templates/templates.ts';
import { describe, expect, test } from 'vitest';
import {
  copyName,
  draftFrom,
  emptyDraft,
  endsWithOptOut,
  findingsOf,
  formField,
  previewOf,
  shownOf,
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

describe('what goes to the endpoint', () => {
  test('an example for each place, by its name; header first', () => {
    expect(toBody(WHATSAPP)).toMatchObject({
      samples: ['Ann', 'Ann', '17'],
      header: 'For {first_name}',
      type: 'text',
      media_id: null,
    });
    expect(findingsOf(WHATSAPP)).toEqual([]);
  });
  test('what a channel or a type knows nothing of is left out', () => {
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

test('what is wrong: under the fields of the form, in its order, once each', () => {
  const draft = { ...WHATSAPP, name: 'Order', text: '', type: 'document' as const, samples: {}, wa_sender_code: '' };
  expect(findingsOf(draft)).toEqual([
    { field: 'name', message: 'Only lowercase letters, numbers, and (_) are allowed' },
    { field: 'wa_sender_code', message: 'Choose the WhatsApp sender of the template' },
    { field: 'attachment', message: 'File is a required field' },
    { field: 'filename', message: 'Document name is required!' },
    { field: 'text', message: 'Message is required!' },
  ]);
  const linked = { ...draft, attachment: { source: 'link' as const, media: null, url: 'http://a.example/x.pdf' } };
  expect(findingsOf(linked)[2]).toEqual({ field: 'attachment', message: "URL should start with 'https'" });
  expect(findingsOf({ ...WHATSAPP, samples: { first_name: 'Ann' } })).toEqual([
    { field: 'samples.order', message: 'An example of {order} is required!' },
  ]);
  expect(formField('samples.2', WHATSAPP)).toBe('samples.order');
  expect(formField('media_id', WHATSAPP)).toBe('attachment');
});

test('the preview reads as one person will: example, fallback, or the place itself', () => {
  const { text, content } = previewOf({ ...WHATSAPP, samples: { order: '17' } });
  expect(text).toBe('Dear friend, order 17 is ready.');
  expect(content).toMatchObject({ header: 'For {first_name}', footer: 'Harbour Coffee' });
  expect(previewOf({ ...emptyDraft('SMS'), text: 'Hi {first_name:you}, {promo} {custom1}' }).text).toBe(
    'Hi you, {promo} {custom1}',
  );
});

test('a template becomes a draft and the same again; a copy has a name of its own', () => {
  const template = {
    ...toBody(WHATSAPP),
    id: 't',
    external_id: null,
  } as unknown as Template;
  expect(draftFrom(template, null)).toEqual({ ...WHATSAPP, samples: { first_name: 'Ann', order: '17' } });
  expect(shownOf(template).text).toBe('Dear Ann, order 17 is ready.');
  expect(copyName('n'.repeat(45), 'WHATSAPP')).toBe(`${'n'.repeat(40)}_copy`);
  expect(copyName('Spring', 'SMS')).toBe('Spring copy');
});

test('the opt-out footer is a part of the text', () => {
  expect(withOptOut('Hello ', true)).toBe('Hello\n{sms_opt_out}');
  expect(withOptOut('', true)).toBe('{sms_opt_out}');
  expect(endsWithOptOut('Hello\n{sms_opt_out}')).toBe(true);
  expect(withOptOut('Hello\n{sms_opt_out}', false)).toBe('Hello');
  expect(withOptOut('Hello', false)).toBe('Hello');
});
