import { describe, expect, test } from 'vitest';
import { AUTHENTICATION_TEXT } from '../channels/whatsapp/authentication.ts';
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
const said = (draft: TemplateDraft) =>
  templateFindings(draft).map(({ code, field, message }) => [code, field, message]);
const link = (text: string, value: string) => ({ type: 'link', text, value }) as const;
const reply = (text: string) => ({ type: 'quick_reply', text, value: '' }) as const;

describe('a template', () => {
  test.each<[string, TemplateDraft]>([
    ['SMS', EMPTY],
    ['SMS with a tag nobody fills', { ...EMPTY, text: 'Use {promo} today' }],
    ['Viber', VIBER],
    ['Viber, a name with capitals and spaces', { ...VIBER, name: 'Spring sale 2027' }],
    ['Viber, a picture alone', { ...VIBER, text: '', type: 'image', url: 'https://a.example/x.webp' }],
    [
      'Viber, a picture, words and a button',
      { ...VIBER, type: 'image', media_id: 'm', buttons: [link('Shop', 'https://a.example/s')] },
    ],
    ['Viber, a document', { ...VIBER, type: 'document', text: '', media_id: 'm', filename: 'price_list_27' }],
    ['WhatsApp', WHATSAPP],
    [
      'WhatsApp with all there is',
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
      'WhatsApp, a code',
      { ...WHATSAPP, wa_category: 'AUTHENTICATION', text: AUTHENTICATION_TEXT, samples: ['123456'] },
    ],
  ])('nothing is wrong: %s', (_, draft) => {
    expect(templateFindings(draft)).toEqual([]);
  });

  test.each<[string, Partial<TemplateDraft>, [number, string, string]]>([
    ['no name', { name: '  ' }, [1261, 'name', 'Template name is required!']],
    ['a long name', { name: 'n'.repeat(46) }, [1263, 'name', 'Name can have at most 45 characters']],
    ['a name that turns around', { name: 'a\u202eb' }, [1259, 'name', 'Template name is not valid']],
    ['a name that nobody sees', { name: '\u200b' }, [1259, 'name', 'Template name is not valid']],
    ['no text', { text: ' ' }, [1254, 'text', 'Message is required!']],
    ['a long text', { text: 'x'.repeat(1001) }, [1260, 'text', 'Text can have at most 1,000 characters']],
    ['a picture', { type: 'image', url: 'https://a.example/x.png' }, [1518, 'type', 'SMS cannot carry an image']],
    ['a button', { buttons: [link('Shop', 'https://a.example')] }, [1519, 'button', 'SMS cannot carry a button']],
  ])('SMS: %s', (_, change, expected) => {
    expect(said({ ...EMPTY, ...change })).toEqual([expected]);
  });

  test.each<[string, Partial<TemplateDraft>, [number, string, string]]>([
    ['no text', { text: '' }, [1254, 'text', 'Message is required!']],
    ['an opt-out', { text: 'Hello {sms_opt_out} there' }, [1255, 'text', '{sms_opt_out} works in SMS only']],
    ['no file', { type: 'video' }, [1264, 'url', 'A file attachment is required']],
    [
      'a link without https',
      { type: 'video', url: 'http://a.example/x.mp4' },
      [1266, 'url', "URL should start with 'https'"],
    ],
    [
      'a link that is too long',
      { type: 'video', url: `https://a.example/${'x'.repeat(2_070)}.mp4` },
      [1265, 'url', 'URL can have at most 2083 characters'],
    ],
    [
      'another kind of video',
      { type: 'video', url: 'https://a.example/x.avi' },
      [1279, 'url', 'File extensions should be .3gpp, .m4v, .mov or .mp4'],
    ],
    [
      'a document with words',
      { type: 'document', media_id: 'm', filename: 'price_list' },
      [1255, 'text', 'A document on Viber carries no text'],
    ],
    [
      'a document without a name',
      { type: 'document', text: '', media_id: 'm' },
      [1267, 'filename', 'Document name is required!'],
    ],
    [
      'a document name that is too long',
      { type: 'document', text: '', media_id: 'm', filename: 'd'.repeat(26) },
      [1268, 'filename', 'File name can have at most 25 characters'],
    ],
    [
      'a document name with a dot',
      { type: 'document', text: '', media_id: 'm', filename: 'a.pdf' },
      [1269, 'filename', 'Only letters, numbers, and (_) are allowed'],
    ],
    [
      'picture and words without a button',
      { type: 'image', media_id: 'm' },
      [1520, 'button_text', 'A Viber message with image and text needs a button'],
    ],
    [
      'picture and button without words',
      { type: 'image', media_id: 'm', text: '', buttons: [link('Shop', 'https://a.example')] },
      [1254, 'text', 'Message is required!'],
    ],
    [
      'a button without text',
      { buttons: [link(' ', 'https://a.example')] },
      [1272, 'buttons.0.text', 'Button text is required!'],
    ],
    [
      'a button with too much text',
      { buttons: [link('x'.repeat(21), 'https://a.example')] },
      [1274, 'buttons.0.text', 'Button text can have at most 20 characters'],
    ],
    [
      'a button without an address',
      { buttons: [link('Shop', '')] },
      [1273, 'buttons.0.value', 'Button action URL is required!'],
    ],
    [
      'a long address',
      { buttons: [link('Shop', `https://a.example/${'x'.repeat(1000)}`)] },
      [1273, 'buttons.0.value', 'Button action URL can have at most 1,000 characters'],
    ],
    [
      'no address at all',
      { buttons: [link('Shop', 'shop')] },
      [1273, 'buttons.0.value', 'Button action URL is not valid'],
    ],
    [
      'a script',
      { buttons: [link('Shop', 'javascript:alert(1)')] },
      [1273, 'buttons.0.value', 'Button action URL is not valid'],
    ],
    [
      'two buttons',
      { buttons: [link('A', 'https://a.example'), link('B', 'https://a.example')] },
      [1550, 'button', 'A Viber message has one button'],
    ],
    ['a quick reply', { buttons: [reply('Yes')] }, [1550, 'buttons.0.type', 'A button on Viber opens a link']],
  ])('Viber: %s', (_, change, expected) => {
    expect(said({ ...VIBER, ...change })).toEqual([expected]);
  });

  test.each<[string, Partial<TemplateDraft>, [number, string, string]]>([
    [
      'capitals in the name',
      { name: 'Welcome' },
      [1259, 'name', 'Only lowercase letters, numbers, and (_) are allowed'],
    ],
    ['no sender', { wa_sender_code: '' }, [1241, 'wa_sender_code', 'Choose the WhatsApp sender of the template']],
    ['no category', { wa_category: null }, [1705, 'wa_category', 'Category is required!']],
    [
      'no words under a picture',
      { type: 'image', media_id: 'm', text: '', samples: [] },
      [1254, 'text', 'Message is required!'],
    ],
    [
      'a document that is no PDF',
      { type: 'document', url: 'https://a.example/x.doc', filename: 'x' },
      [1277, 'url', 'File extension should be .pdf'],
    ],
    ['a value first', { text: '{first_name}, hello' }, [1255, 'text', 'The text cannot begin with a placeholder']],
    ['a value last', { text: 'Hello {first_name} ' }, [1255, 'text', 'The text cannot end with a placeholder']],
    [
      'two values together',
      { text: 'Dear {first_name} {last_name}, hello', samples: ['A', 'B'] },
      [1255, 'text', 'Two placeholders need words between them'],
    ],
    [
      'double braces',
      { text: 'Hello {{1}} there', samples: [] },
      [1255, 'text', 'Placeholders are written in single braces, such as {first_name}'],
    ],
    ['no example', { samples: [] }, [1705, 'samples.0', 'An example of {first_name} is required!']],
    [
      'an example that is too long',
      { samples: ['x'.repeat(71)] },
      [1526, 'samples.0', 'A variable can have at most 70 characters'],
    ],
    ['a long header', { header: 'x'.repeat(61) }, [1255, 'header', 'Header can have at most 60 characters']],
    [
      'two values in a header',
      { header: '{a} and {b}', samples: ['1', '2', '3'] },
      [1255, 'header', 'A header can have one placeholder'],
    ],
    [
      'a header and a file',
      { header: 'Hi', type: 'image', media_id: 'm' },
      [1255, 'header', 'A template has a header or a file, not both'],
    ],
    ['a long footer', { footer: 'x'.repeat(61) }, [1255, 'footer', 'Footer can have at most 60 characters']],
    ['a value in a footer', { footer: 'For {first_name} only' }, [1255, 'footer', 'A footer has no placeholders']],
    [
      'a website without an address',
      { buttons: [link('Shop', '')] },
      [1273, 'buttons.0.value', 'Website URL is required!'],
    ],
    [
      'a long website',
      { buttons: [link('Shop', `https://a.example/${'x'.repeat(190)}`)] },
      [1273, 'buttons.0.value', 'Website URL can have at most 195 characters'],
    ],
    [
      'letters in a phone',
      { buttons: [{ type: 'phone_call', text: 'Call', value: '+44 20' }] },
      [1273, 'buttons.0.value', 'Phone number can contain only pluses and numbers.'],
    ],
    [
      'a short phone',
      { buttons: [{ type: 'phone_call', text: 'Call', value: '123' }] },
      [1273, 'buttons.0.value', 'Phone number must have between 4 and 17 characters'],
    ],
    [
      'two phones',
      {
        buttons: [
          { type: 'phone_call', text: 'Call', value: '12345' },
          { type: 'phone_call', text: 'Ring', value: '12345' },
        ],
      },
      [1550, 'button', 'A template can have one phone button'],
    ],
    [
      'three websites',
      { buttons: ['A', 'B', 'C'].map((text) => link(text, 'https://a.example')) },
      [1550, 'button', 'A template can have at most 2 website buttons'],
    ],
    [
      'eleven buttons',
      { buttons: Array.from({ length: 11 }, (_, at) => reply(`Reply ${at}`)) },
      [1550, 'button', 'A template can have at most 10 buttons'],
    ],
    [
      'the same button twice',
      { buttons: [reply('Yes'), reply('yes')] },
      [1273, 'buttons.1.text', 'Another button has this text'],
    ],
    [
      'replies around a website',
      { buttons: [reply('Yes'), link('Shop', 'https://a.example'), reply('No')] },
      [1550, 'button', 'Quick replies stand together, before or after the other buttons'],
    ],
    [
      'a code in words of one’s own',
      { wa_category: 'AUTHENTICATION', text: 'Use {code} to open locker 4', samples: ['123456'] },
      [1255, 'text', `WhatsApp writes this text itself: “${AUTHENTICATION_TEXT}”`],
    ],
    [
      'a code that is none',
      { wa_category: 'AUTHENTICATION', text: AUTHENTICATION_TEXT, samples: ['12 34'] },
      [1526, 'samples.0', 'A code has at most 15 characters and no spaces'],
    ],
    [
      'a code with a footer',
      { wa_category: 'AUTHENTICATION', text: AUTHENTICATION_TEXT, samples: ['1'], footer: 'Bye' },
      [1255, 'footer', 'An authentication template has no footer'],
    ],
  ])('WhatsApp: %s', (_, change, expected) => {
    expect(said({ ...WHATSAPP, ...change })).toEqual([expected]);
  });

  test('all problems are found at once, each with its field', () => {
    const fields = templateFindings({ ...WHATSAPP, name: '', wa_sender_code: '', text: '', type: 'document' }).map(
      ({ field }) => field,
    );
    expect(fields).toEqual(['name', 'url', 'filename', 'text', 'wa_sender_code']);
  });
});

test('one button can be written and read as older clients do', () => {
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
