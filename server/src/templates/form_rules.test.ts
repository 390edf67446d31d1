/** The rules of the template forms, as the API applies them: what is refused, with which code, field, and text. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, makeCompany } from '../test/make.ts';
import { makeWhatsappSender } from '../test/whatsapp_senders.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';

let world: World;
let company: Company;
let owner: Caller;
let wa_sender_code: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  wa_sender_code = (await makeWhatsappSender(world.kernel, company.account_id)).code;
});
afterAll(() => world.stop());

type Row = [code: number, field: string, message: string];
const errors = (reply: Reply): Row[] =>
  (reply.body.errors as { code: number; field: string; message: string }[]).map(({ code, field, message }) => [
    code,
    field,
    message,
  ]);
const countTemplates = async () => (await owner.get('/v1/templates')).body.pagination.total as number;
const link = (text: string, value: string) => [{ type: 'link', text, value }];
const call = (value: string) => [{ type: 'phone_call', text: 'Call us', value }];
const site = (path: string) => `https://shop.example.com/${path}`;

const DOCUMENTS =
  '.txt, .doc, .docx, .dot, .dotx, .rtf, .odt, .odf, .fodt, .info, .pdf, .xps, .pdax, .eps, ' +
  '.xls, .xlsx, .xltx, .xlsm, .csv, .ods, or .fods';
const VIBER: [string, object, Row][] = [
  ['no text', { text: ' ' }, [1254, 'text', 'Message is required!']],
  ['1,001 characters of text', { text: 'x'.repeat(1001) }, [1260, 'text', 'Text can have at most 1,000 characters']],
  ['a name of 46 characters', { name: 'n'.repeat(46) }, [1263, 'name', 'Name can have at most 45 characters']],
  ['neither a file nor a link', { type: 'video' }, [1264, 'url', 'A file attachment is required']],
  [
    'a link over http',
    { type: 'video', url: 'http://shop.example.com/a.mp4' },
    [1266, 'url', "URL should start with 'https'"],
  ],
  [
    'an image of another type',
    { type: 'image', url: site('a.tiff') },
    [1278, 'url', 'File extensions should be .bmp, .gif, .jpg, .jpeg, .png, .svg, or .webp'],
  ],
  [
    'a video of another type',
    { type: 'video', url: site('a.avi') },
    [1279, 'url', 'File extensions should be .3gpp, .m4v, .mov, or .mp4'],
  ],
  [
    'a document of another type',
    { type: 'document', text: '', filename: 'prices', url: site('a.exe') },
    [1280, 'url', `File extensions should be ${DOCUMENTS}`],
  ],
  [
    'a document without a name',
    { type: 'document', text: '', url: site('a.pdf') },
    [1267, 'filename', 'Document name is required!'],
  ],
  [
    'a document name of 26 characters',
    { type: 'document', text: '', filename: 'd'.repeat(26), url: site('a.pdf') },
    [1268, 'filename', 'Document name can have at most 25 characters'],
  ],
  [
    'a space in the document name',
    { type: 'document', text: '', filename: 'price list', url: site('a.pdf') },
    [1269, 'filename', 'Only letters, numbers, and (_) are allowed'],
  ],
  ['a button without text', { buttons: link(' ', site('')) }, [1272, 'buttons.0.text', 'Button text is required!']],
  [
    'a button text of 21 characters',
    { buttons: link('b'.repeat(21), site('')) },
    [1274, 'buttons.0.text', 'Button text can have at most 20 characters'],
  ],
  [
    'a button without a URL',
    { buttons: link('Shop', ' ') },
    [1273, 'buttons.0.value', 'Button action URL is required!'],
  ],
  [
    'a button URL of more than 1,000 characters',
    { buttons: link('Shop', site('x'.repeat(976))) },
    [1273, 'buttons.0.value', 'Button action URL can have at most 1,000 characters'],
  ],
];

const WHATSAPP: [string, object, Row][] = [
  ['no name', { name: ' ' }, [1261, 'name', 'Template name is required!']],
  ['a name of 46 characters', { name: 'n'.repeat(46) }, [1263, 'name', 'Name can have at most 45 characters']],
  ...['Order', 'order-ready', 'order ready', 'órder'].map((name): [string, object, Row] => [
    `the name ${name}`,
    { name },
    [1259, 'name', 'Only lowercase letters, numbers, and (_) are allowed'],
  ]),
  ['1,001 characters of text', { text: 'x'.repeat(1001) }, [1260, 'text', 'Text can have at most 1,000 characters']],
  [
    'an image of another type',
    { type: 'image', url: site('a.gif') },
    [1275, 'url', 'File extensions should be .jpg, .jpeg, or .png'],
  ],
  [
    'a video of another type',
    { type: 'video', url: site('a.mov') },
    [1276, 'url', 'File extensions should be .mp4, .3gp, or .3gpp'],
  ],
  [
    'a document of another type',
    { type: 'document', filename: 'prices', url: site('a.docx') },
    [1277, 'url', 'File extension should be .pdf'],
  ],
  ['a button without text', { buttons: link('', site('')) }, [1272, 'buttons.0.text', 'Button text is required!']],
  [
    'a button text of 21 characters',
    { buttons: link('b'.repeat(21), site('')) },
    [1274, 'buttons.0.text', 'Button text can have at most 20 characters'],
  ],
  ['a button without a website', { buttons: link('Shop', '') }, [1273, 'buttons.0.value', 'Website URL is required!']],
  [
    'a website of 196 characters',
    { buttons: link('Shop', site('x'.repeat(171))) },
    [1273, 'buttons.0.value', 'Website URL can have at most 195 characters'],
  ],
  ['a button without a phone number', { buttons: call('') }, [1273, 'buttons.0.value', 'Phone number is required!']],
  ...['+44', `+${'4'.repeat(17)}`].map((value): [string, object, Row] => [
    `a phone number of ${value.length} characters`,
    { buttons: call(value) },
    [1273, 'buttons.0.value', 'Phone number must have between 4 and 17 characters'],
  ]),
  ...['44 1234', '(44)1234', '44-1234'].map((value): [string, object, Row] => [
    `the phone number ${value}`,
    { buttons: call(value) },
    [1273, 'buttons.0.value', 'Phone number can contain only pluses and numbers.'],
  ]),
];

const viberTemplate = { channel: 'VIBER', name: 'Spring sale', text: 'Everything must go' };
const whatsappTemplate = () => ({
  channel: 'WHATSAPP',
  name: 'order_ready',
  text: 'Your order is ready',
  wa_category: 'UTILITY',
  wa_sender_code,
});

test.each(VIBER)('a Viber template is refused when it has %s', async (_, fields, expected) => {
  const reply = await owner.post('/v1/templates', { ...viberTemplate, ...fields });
  expect(reply.status).toBe(400);
  expect(errors(reply)).toContainEqual(expected);
  expect(await countTemplates()).toBe(0);
});

test.each(WHATSAPP)('a WhatsApp template is refused when it has %s', async (_, fields, expected) => {
  const reply = await owner.post('/v1/templates', { ...whatsappTemplate(), ...fields });
  expect(reply.status).toBe(400);
  expect(errors(reply)).toContainEqual(expected);
  expect(await countTemplates()).toBe(0);
});

test('templates at the limits of their forms are accepted', async () => {
  const viber = await owner.post('/v1/templates', {
    ...viberTemplate,
    name: 'n'.repeat(45),
    text: 'x'.repeat(1000),
    buttons: link('b'.repeat(20), site('x'.repeat(975))),
  });
  expect(viber.status, viber.text).toBe(201);
  const document = await owner.post('/v1/templates', {
    ...viberTemplate,
    name: 'Prices',
    text: '',
    type: 'document',
    filename: 'Price_list_2026_'.padEnd(25, 'x'),
    url: site('a.fods'),
  });
  expect(document.status, document.text).toBe(201);
  for (const [name, buttons] of [
    ['a'.repeat(45), link('b'.repeat(20), site('x'.repeat(170)))],
    ['short_number', call('1234')],
    ['long_number', call(`+${'4'.repeat(16)}`)],
  ] as const) {
    const reply = await owner.post('/v1/templates', { ...whatsappTemplate(), name, buttons });
    expect(reply.status, reply.text).toBe(201);
  }
});
