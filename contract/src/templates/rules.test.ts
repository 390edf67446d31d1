import { describe, expect, test } from 'vitest';
import { AUTHENTICATION_TEXT } from '../channels/whatsapp/authentication.ts';
import type { ProblemName } from '../problem.ts';
import { firstButton, readButtons } from './buttons.ts';
import type { TemplateDraft } from './draft.ts';
import { templateFindings } from './rules.ts';

const EMPTY: TemplateDraft = {
  channel: 'SMS',
  name: 'welcome',
  text: 'Hello {first_name:there}, welcome aboard.',
  type: 'text',
  media_id: null,
  url: null,
  filename: null,
  header: null,
  footer: null,
  buttons: [],
  wa_category: null,
  wa_sender_code: null,
  samples: [],
};
const WHATSAPP: TemplateDraft = {
  ...EMPTY,
  channel: 'WHATSAPP',
  wa_category: 'UTILITY',
  wa_sender_code: '447700900100',
  samples: ['Ann'],
};
const VIBER: TemplateDraft = { ...EMPTY, channel: 'VIBER' };
const report = (draft: TemplateDraft) =>
  templateFindings(draft).map(({ code, field, message }) => [code, field, message]);
const link = (text: string, value: string) => ({ type: 'link', text, value }) as const;
const reply = (text: string) => ({ type: 'quick_reply', text, value: '' }) as const;

describe('a template', () => {
  test.each<[string, TemplateDraft]>([
    ['SMS', EMPTY],
    ['SMS with an unknown tag', { ...EMPTY, text: 'Use {promo} today' }],
    ['Viber', VIBER],
    ['Viber with capitals and spaces in the name', { ...VIBER, name: 'Spring sale 2027' }],
    ['Viber with only an image', { ...VIBER, text: '', type: 'image', url: 'https://a.example/x.webp' }],
    [
      'Viber with an image, text, and a button',
      { ...VIBER, type: 'image', media_id: 'm', buttons: [link('Shop', 'https://a.example/s')] },
    ],
    ['Viber with a document', { ...VIBER, type: 'document', text: '', media_id: 'm', filename: 'price_list_27' }],
    ['WhatsApp', WHATSAPP],
    [
      'WhatsApp with all fields',
      {
        ...WHATSAPP,
        header: 'For {first_name}',
        samples: ['Ann', 'Ann'],
        footer: 'Harbour Coffee',
        buttons: [
          reply('Yes'),
          reply('No'),
          link('Shop', 'https://a.example'),
          { type: 'phone_call', text: 'Call', value: '+441234' },
        ],
      },
    ],
    [
      'WhatsApp with a one-time code',
      { ...WHATSAPP, wa_category: 'AUTHENTICATION', text: AUTHENTICATION_TEXT, samples: ['123456'] },
    ],
  ])('has no findings when it is valid: %s', (_, draft) => {
    expect(templateFindings(draft)).toEqual([]);
  });

  test.each<[string, Partial<TemplateDraft>, [ProblemName, string, string]]>([
    ['no name', { name: '  ' }, ['TEMPLATE_NAME_REQUIRED', 'name', 'Template name is required!']],
    [
      'a name that is too long',
      { name: 'n'.repeat(46) },
      ['TEMPLATE_NAME_TOO_LONG', 'name', 'Name can have at most 45 characters'],
    ],
    [
      'a name with a text direction override',
      { name: 'a\u202eb' },
      ['TEMPLATE_NAME_INVALID', 'name', 'Template name is not valid'],
    ],
    ['an invisible name', { name: '\u200b' }, ['TEMPLATE_NAME_INVALID', 'name', 'Template name is not valid']],
    ['no text', { text: ' ' }, ['TEMPLATE_TEXT_REQUIRED', 'text', 'Message is required!']],
    [
      'a text that is too long',
      { text: 'x'.repeat(1001) },
      ['TEMPLATE_TEXT_TOO_LONG', 'text', 'Text can have at most 1,000 characters'],
    ],
    [
      'an image',
      { type: 'image', url: 'https://a.example/x.png' },
      ['SMS_IMAGE_NOT_ALLOWED', 'type', 'SMS messages cannot have images'],
    ],
    [
      'a button',
      { buttons: [link('Shop', 'https://a.example')] },
      ['SMS_BUTTON_NOT_ALLOWED', 'button', 'SMS messages cannot have buttons'],
    ],
  ])('is rejected on SMS when it has %s', (_, change, expected) => {
    expect(report({ ...EMPTY, ...change })).toEqual([expected]);
  });

  test.each<[string, Partial<TemplateDraft>, [ProblemName, string, string]]>([
    ['no text', { text: '' }, ['TEMPLATE_TEXT_REQUIRED', 'text', 'Message is required!']],
    [
      'an opt-out tag',
      { text: 'Hello {sms_opt_out} there' },
      ['TEMPLATE_TEXT_INVALID', 'text', '{sms_opt_out} works only in SMS'],
    ],
    ['no file', { type: 'video' }, ['MEDIA_REQUIRED', 'url', 'A file attachment is required']],
    [
      'a link without https',
      { type: 'video', url: 'http://a.example/x.mp4' },
      ['MEDIA_LINK_INVALID', 'url', "URL should start with 'https'"],
    ],
    [
      'a link that is too long',
      { type: 'video', url: `https://a.example/${'x'.repeat(2_070)}.mp4` },
      ['MEDIA_LINK_TOO_LONG', 'url', 'URL can have at most 2083 characters'],
    ],
    [
      'a video with the wrong extension',
      { type: 'video', url: 'https://a.example/x.avi' },
      ['VIBER_VIDEO_INVALID', 'url', 'File extensions should be .3gpp, .m4v, .mov, or .mp4'],
    ],
    [
      'a document with text',
      { type: 'document', media_id: 'm', filename: 'price_list' },
      ['TEMPLATE_TEXT_INVALID', 'text', 'A Viber message with a document cannot have text'],
    ],
    [
      'a document without a name',
      { type: 'document', text: '', media_id: 'm' },
      ['DOCUMENT_NAME_REQUIRED', 'filename', 'Document name is required!'],
    ],
    [
      'a document name that is too long',
      { type: 'document', text: '', media_id: 'm', filename: 'd'.repeat(26) },
      ['DOCUMENT_NAME_TOO_LONG', 'filename', 'Document name can have at most 25 characters'],
    ],
    [
      'a document name with a dot',
      { type: 'document', text: '', media_id: 'm', filename: 'a.pdf' },
      ['DOCUMENT_NAME_INVALID', 'filename', 'Only letters, numbers, and (_) are allowed'],
    ],
    [
      'an image with text but no button',
      { type: 'image', media_id: 'm' },
      ['VIBER_BUTTON_REQUIRED', 'button_text', 'A Viber message with an image and text needs a button'],
    ],
    [
      'an image with a button but no text',
      { type: 'image', media_id: 'm', text: '', buttons: [link('Shop', 'https://a.example')] },
      ['TEMPLATE_TEXT_REQUIRED', 'text', 'Message is required!'],
    ],
    [
      'a button without text',
      { buttons: [link(' ', 'https://a.example')] },
      ['BUTTON_TEXT_REQUIRED', 'buttons.0.text', 'Button text is required!'],
    ],
    [
      'a button with too much text',
      { buttons: [link('x'.repeat(21), 'https://a.example')] },
      ['BUTTON_TEXT_TOO_LONG', 'buttons.0.text', 'Button text can have at most 20 characters'],
    ],
    [
      'a button without a URL',
      { buttons: [link('Shop', '')] },
      ['BUTTON_VALUE_INVALID', 'buttons.0.value', 'Button action URL is required!'],
    ],
    [
      'a button URL that is too long',
      { buttons: [link('Shop', `https://a.example/${'x'.repeat(1000)}`)] },
      ['BUTTON_VALUE_INVALID', 'buttons.0.value', 'Button action URL can have at most 1,000 characters'],
    ],
    [
      'an invalid button URL',
      { buttons: [link('Shop', 'shop')] },
      ['BUTTON_VALUE_INVALID', 'buttons.0.value', 'Button action URL is not valid'],
    ],
    [
      'a JavaScript button URL',
      { buttons: [link('Shop', 'javascript:alert(1)')] },
      ['BUTTON_VALUE_INVALID', 'buttons.0.value', 'Button action URL is not valid'],
    ],
    [
      'two buttons',
      { buttons: [link('A', 'https://a.example'), link('B', 'https://a.example')] },
      ['BUTTONS_NOT_ALLOWED', 'button', 'A Viber message can have only one button'],
    ],
    [
      'a quick reply',
      { buttons: [reply('Yes')] },
      ['BUTTONS_NOT_ALLOWED', 'buttons.0.type', 'A button on Viber must open a link'],
    ],
  ])('is rejected on Viber when it has %s', (_, change, expected) => {
    expect(report({ ...VIBER, ...change })).toEqual([expected]);
  });

  test.each<[string, Partial<TemplateDraft>, [ProblemName, string, string]]>([
    [
      'capitals in the name',
      { name: 'Welcome' },
      ['TEMPLATE_NAME_INVALID', 'name', 'Only lowercase letters, numbers, and (_) are allowed'],
    ],
    [
      'no sender',
      { wa_sender_code: '' },
      ['TEMPLATE_SENDER_REQUIRED', 'wa_sender_code', 'Choose the WhatsApp sender for the template'],
    ],
    ['no category', { wa_category: null }, ['VALUE_INVALID', 'wa_category', 'Category is required!']],
    [
      'an image without text',
      { type: 'image', media_id: 'm', text: '', samples: [] },
      ['TEMPLATE_TEXT_REQUIRED', 'text', 'Message is required!'],
    ],
    [
      'a document that is not a PDF',
      { type: 'document', url: 'https://a.example/x.doc', filename: 'x' },
      ['WHATSAPP_DOCUMENT_INVALID', 'url', 'File extension should be .pdf'],
    ],
    [
      'a placeholder at the start',
      { text: '{first_name}, hello' },
      ['TEMPLATE_TEXT_INVALID', 'text', 'The text cannot begin with a placeholder'],
    ],
    [
      'a placeholder at the end',
      { text: 'Hello {first_name} ' },
      ['TEMPLATE_TEXT_INVALID', 'text', 'The text cannot end with a placeholder'],
    ],
    [
      'two adjacent placeholders',
      { text: 'Dear {first_name} {last_name}, hello', samples: ['A', 'B'] },
      ['TEMPLATE_TEXT_INVALID', 'text', 'Placeholders need words between them'],
    ],
    [
      'double braces',
      { text: 'Hello {{1}} there', samples: [] },
      ['TEMPLATE_TEXT_INVALID', 'text', 'Write placeholders in single braces, such as {first_name}'],
    ],
    ['no example', { samples: [] }, ['VALUE_INVALID', 'samples.0', 'An example for {first_name} is required!']],
    [
      'an example that is too long',
      { samples: ['x'.repeat(71)] },
      ['VARIABLE_TOO_LONG', 'samples.0', 'A variable can have at most 70 characters'],
    ],
    [
      'a header that is too long',
      { header: 'x'.repeat(61) },
      ['TEMPLATE_TEXT_INVALID', 'header', 'Header can have at most 60 characters'],
    ],
    [
      'two placeholders in a header',
      { header: '{a} and {b}', samples: ['1', '2', '3'] },
      ['TEMPLATE_TEXT_INVALID', 'header', 'A header can have only one placeholder'],
    ],
    [
      'a header and a file',
      { header: 'Hi', type: 'image', media_id: 'm' },
      ['TEMPLATE_TEXT_INVALID', 'header', 'A template can have a header or a file, not both'],
    ],
    [
      'a footer that is too long',
      { footer: 'x'.repeat(61) },
      ['TEMPLATE_TEXT_INVALID', 'footer', 'Footer can have at most 60 characters'],
    ],
    [
      'a placeholder in a footer',
      { footer: 'For {first_name} only' },
      ['TEMPLATE_TEXT_INVALID', 'footer', 'A footer cannot have placeholders'],
    ],
    [
      'a website button without a URL',
      { buttons: [link('Shop', '')] },
      ['BUTTON_VALUE_INVALID', 'buttons.0.value', 'Website URL is required!'],
    ],
    [
      'a website URL that is too long',
      { buttons: [link('Shop', `https://a.example/${'x'.repeat(190)}`)] },
      ['BUTTON_VALUE_INVALID', 'buttons.0.value', 'Website URL can have at most 195 characters'],
    ],
    [
      'a space in a phone number',
      { buttons: [{ type: 'phone_call', text: 'Call', value: '+44 20' }] },
      ['BUTTON_VALUE_INVALID', 'buttons.0.value', 'Phone number can contain only pluses and numbers.'],
    ],
    [
      'a phone number that is too short',
      { buttons: [{ type: 'phone_call', text: 'Call', value: '123' }] },
      ['BUTTON_VALUE_INVALID', 'buttons.0.value', 'Phone number must have between 4 and 17 characters'],
    ],
    [
      'two phone buttons',
      {
        buttons: [
          { type: 'phone_call', text: 'Call', value: '12345' },
          { type: 'phone_call', text: 'Ring', value: '12345' },
        ],
      },
      ['BUTTONS_NOT_ALLOWED', 'button', 'A template can have only one phone button'],
    ],
    [
      'three website buttons',
      { buttons: ['A', 'B', 'C'].map((text) => link(text, 'https://a.example')) },
      ['BUTTONS_NOT_ALLOWED', 'button', 'A template can have at most 2 website buttons'],
    ],
    [
      'eleven buttons',
      { buttons: Array.from({ length: 11 }, (_, at) => reply(`Reply ${at}`)) },
      ['BUTTONS_NOT_ALLOWED', 'button', 'A template can have at most 10 buttons'],
    ],
    [
      'the same button twice',
      { buttons: [reply('Yes'), reply('yes')] },
      ['BUTTON_VALUE_INVALID', 'buttons.1.text', 'Another button already has this text'],
    ],
    [
      'quick replies around a website button',
      { buttons: [reply('Yes'), link('Shop', 'https://a.example'), reply('No')] },
      ['BUTTONS_NOT_ALLOWED', 'button', 'Quick replies must be grouped together, before or after the other buttons'],
    ],
    [
      'other text in an authentication template',
      { wa_category: 'AUTHENTICATION', text: 'Use {code} to open locker 4', samples: ['123456'] },
      ['TEMPLATE_TEXT_INVALID', 'text', `WhatsApp requires this text: “${AUTHENTICATION_TEXT}”`],
    ],
    [
      'an invalid example of a one-time code',
      { wa_category: 'AUTHENTICATION', text: AUTHENTICATION_TEXT, samples: ['12 34'] },
      ['VARIABLE_TOO_LONG', 'samples.0', 'A code can have at most 15 characters and no spaces'],
    ],
    [
      'a footer in an authentication template',
      { wa_category: 'AUTHENTICATION', text: AUTHENTICATION_TEXT, samples: ['1'], footer: 'Bye' },
      ['TEMPLATE_TEXT_INVALID', 'footer', 'An authentication template cannot have a footer'],
    ],
  ])('is rejected on WhatsApp when it has %s', (_, change, expected) => {
    expect(report({ ...WHATSAPP, ...change })).toEqual([expected]);
  });

  test('reports all problems at once, each with its field', () => {
    const fields = templateFindings({ ...WHATSAPP, name: '', wa_sender_code: '', text: '', type: 'document' }).map(
      ({ field }) => field,
    );
    expect(fields).toEqual(['name', 'url', 'filename', 'text', 'wa_sender_code']);
  });
});

test('a single button can be written and read through the legacy fields', () => {
  expect(readButtons({})).toEqual([]);
  expect(readButtons({ button_type: 'LINK', button_text: 'Shop', button_value: 'https://a.example' })).toEqual([
    link('Shop', 'https://a.example'),
  ]);
  expect(readButtons({ button_type: 'call_to_action', button_text: 'Call', button_value: '+44123' })).toEqual([
    { type: 'phone_call', text: 'Call', value: '+44123' },
  ]);
  expect(readButtons({ button_type: 'quick_reply', button_text: 'Yes' })).toEqual([reply('Yes')]);
  expect(readButtons({ button_type: 'whatever', button_text: 'Yes' })).toBeNull();
  expect(firstButton([link('Shop', 'https://a.example')])).toEqual({
    button_type: 'call_to_action',
    button_text: 'Shop',
    button_value: 'https://a.example',
  });
});
