import { describe, expect, test } from 'vitest';
import { AUTHENTICATION_TEXT } from '../channels/whatsapp/authentication.ts';
import type { FillableTemplate } from './draft.ts';
import { findPlaceholders } from './placeholders.ts';
import { fillTemplate } from './rules.ts';

describe('filling a template', () => {
  const stored: FillableTemplate = {
    id: 't-1',
    channel: 'WHATSAPP',
    name: 'welcome',
    type: 'text',
    media_id: null,
    url: null,
    filename: null,
    buttons: [],
    wa_category: 'UTILITY',
    header: 'For {first_name}',
    text: 'Dear {first_name:friend}, order {order} is on its way.',
    footer: 'Harbour',
    language: 'en',
    external_id: '77',
  };
  const codes = (values: Parameters<typeof fillTemplate>[1], change: Partial<FillableTemplate> = {}) =>
    fillTemplate({ ...stored, ...change }, values).findings.map(({ code }) => code);

  test.each(['1234567890123456', '12 34'])('rejects the code %s in an authentication template', (code) => {
    const template = { ...stored, wa_category: 'AUTHENTICATION' as const, text: AUTHENTICATION_TEXT, header: null };
    expect(fillTemplate(template, { code }).findings.map((finding) => [finding.code, finding.field])).toEqual([
      ['VARIABLE_TOO_LONG', 'variables'],
    ]);
    expect(fillTemplate(template, { code: '481516' })).toMatchObject({
      text: '481516 is your verification code. For your security, do not share this code.',
      findings: [],
    });
  });

  test('finds placeholders in the order they are written, with their fallbacks', () => {
    expect(findPlaceholders('{a} { b : c } {d:} {1} {first_name:}')).toEqual([
      { name: 'a', tag: '{a}', index: 0, fallback: null },
      { name: 'b', tag: '{ b : c }', index: 4, fallback: ' c ' },
      { name: 'd', tag: '{d:}', index: 14, fallback: '' },
      { name: 'first_name', tag: '{first_name:}', index: 23, fallback: '' },
    ]);
  });

  test('uses the values in a list in order, starting with the header', () => {
    const { text, content, findings } = fillTemplate(stored, ['Ann', '', 'A\n17']);
    expect(findings).toEqual([]);
    expect(text).toBe('Dear friend, order A 17 is on its way.');
    expect(content).toMatchObject({
      header: 'For Ann',
      footer: 'Harbour',
      media_type: null,
      purpose: 'utility',
      template: {
        id: 't-1',
        name: 'welcome',
        external_id: '77',
        language: 'en',
        header_values: ['Ann'],
        body_values: ['friend', 'A 17'],
      },
    });
  });

  test('names the values on Viber for providers that require named values', () => {
    const { content } = fillTemplate({ ...stored, channel: 'VIBER', header: null }, { first_name: 'Ann', order: '9' });
    expect(content!.template).toMatchObject({ body_values: ['Ann', '9'], body_names: ['first_name', 'order'] });
  });

  test('looks up values by tag and does not fill a value that looks like a tag', () => {
    const { text } = fillTemplate(stored, { first_name: '{order}', order: '9' });
    expect(text).toBe('Dear {order}, order 9 is on its way.');
  });

  test('rejects a value that is missing, null, or too long', () => {
    expect(codes(['Ann'])).toEqual(['VARIABLES_REQUIRED']);
    expect(codes(['Ann', 'Ann', ''])).toEqual(['VARIABLES_REQUIRED']);
    expect(codes(['Ann', null, '9'])).toEqual(['VARIABLES_NULL']);
    expect(codes(['Ann', 'Ann', 'x'.repeat(71)])).toEqual(['VARIABLE_TOO_LONG']);
    expect(codes({ first_name: 'Ann' })).toEqual(['VARIABLES_REQUIRED']);
    expect(codes({ first_name: 'Ann', order: null }, { channel: 'VIBER' })).toEqual([]);
  });

  test('fills every placeholder of an SMS in order and does not return channel content', () => {
    const sms = { ...stored, channel: 'SMS' as const, header: null, text: 'Hi {first_name:you}, {promo} {custom1}' };
    expect(fillTemplate(sms, ['', 'sale', 'now'])).toEqual({ text: 'Hi you, sale now', content: null, findings: [] });
    expect(fillTemplate(sms, { promo: '', custom1: 'x'.repeat(200) }).findings).toEqual([]);
    expect(fillTemplate(sms, ['Ann']).findings).toMatchObject([{ code: 'VARIABLES_REQUIRED', field: 'variables' }]);
    expect(codes({ first_name: 'Ann', custom1: '' }, sms)).toEqual(['VARIABLES_REQUIRED']);
  });

  test.each(['SMS', 'VIBER', 'WHATSAPP'] as const)('puts a one-time code into the text on %s', (channel) => {
    const template = { ...stored, channel, header: null, footer: null, text: 'Use {code} to sign in.' };
    expect(fillTemplate(template, ['481516'])).toMatchObject({ text: 'Use 481516 to sign in.', findings: [] });
    expect(codes([], template)).toEqual(['VARIABLES_REQUIRED']);
    expect(codes(['481516', 'surplus'], template)).toEqual(['VARIABLES_TOO_MANY']);
    expect(codes(['x'], { ...template, text: 'No placeholders' })).toEqual(['VARIABLES_TOO_MANY']);
  });
});
