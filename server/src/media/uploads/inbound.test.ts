import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { makeCompany } from '../../test/make.ts';
import { docx, pdf, picture, slides } from '../../test/media_files.ts';
import { createWorld, type World } from '../../test/world.ts';
import { storeInboundFile } from '../media.ts';

let world: World;
let account_id: string;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  ({ account_id } = await makeCompany(world.kernel));
});
afterAll(() => world?.stop());

const storeFile = (
  type: 'image' | 'document',
  file_name: string | null,
  content_type: string,
  octets: Buffer | string,
) =>
  storeInboundFile(
    world.kernel,
    { account_id, type, channel: 'WHATSAPP', file_name, content_type },
    Readable.from([Buffer.from(octets as string, 'latin1')]),
  );
const countMedia = async () =>
  (
    await world.kernel.db.one<{ count: number }>(
      sql`select count(*)::int as count from media where account_id = ${account_id} and status <> 'removed'`,
    )
  ).count;

test.each([
  ['audio.ogg', 'audio/ogg; codecs=opus', 'OggS\0\x02more', 'audio/ogg'],
  ['audio.mp3', 'audio/mpeg', 'ID3\x04more', 'audio/mpeg'],
  ['audio.m4a', 'audio/mp4', '\0\0\0\x1cftypM4A more', 'audio/mp4'],
  ['audio.aac', 'audio/aac', '\xff\xf1more', 'audio/aac'],
  ['audio.amr', 'audio/amr', '#!AMR\nmore', 'audio/amr'],
])('a voice message is stored as %s', async (name, reported, octets, content_type) => {
  expect(await storeFile('document', name, reported, octets)).toMatchObject({
    file_name: name,
    content_type,
    status: 'ready',
  });
});

test('a sticker without a name is named after its type', async () => {
  const sticker = await storeFile('image', null, 'image/webp', (await picture('webp')).toString('latin1'));
  expect(sticker).toMatchObject({ content_type: 'image/webp', file_name: 'image.webp' });
});

const UNKNOWN = { content_type: 'application/octet-stream', type: 'document', has_thumbnail: false, status: 'ready' };
test.each<[string, 'image' | 'document', string | null, string, Buffer | string, string]>([
  ['a ZIP', 'document', 'holiday.zip', 'application/zip', docx(), 'holiday.zip'],
  ['a ZIP with a generic declared type', 'document', 'b.zip', 'application/octet-stream', docx(), 'b.zip'],
  [
    'a picture in a format that browsers cannot display',
    'document',
    'IMG_1.HEIC',
    'image/heic',
    '\0\0\0\x18ftypheic',
    'IMG_1.HEIC',
  ],
  ['a HEIC picture declared as a JPEG', 'image', 'IMG_2.jpg', 'image/jpeg', '\0\0\0\x18ftypheic', 'IMG_2.jpg'],
  ['a contact card', 'document', 'Anna.vcf', 'text/vcard', 'BEGIN:VCARD', 'Anna.vcf'],
  ['a truncated PDF', 'document', 'offer.pdf', 'application/pdf', pdf().slice(0, -10), 'offer.pdf'],
  ['an HTML page', 'document', 'x.html', 'text/html', '<script>alert(1)</script>', 'x.html'],
  ['a file without a name', 'document', null, 'application/x-thing', 'thing', 'document.bin'],
])('%s is stored as a downloadable file', async (_, type, name, reported, octets, file_name) => {
  expect(await storeFile(type, name, reported, octets)).toMatchObject({ ...UNKNOWN, file_name });
});

test('a presentation is stored with its detected type', async () => {
  const stored = await storeFile('document', 'plan.pptx', 'application/zip', slides());
  expect(stored).toMatchObject({ file_name: 'plan.pptx', content_type: expect.stringMatching(/presentation$/) });
});

test('a program or a document with macros is rejected and not stored', async () => {
  const before = await countMedia();
  const refusal = { name: 'DOCUMENT_UNSAFE' };
  await expect(storeFile('document', 'audio.ogg', 'audio/ogg', 'MZ a program')).rejects.toMatchObject(refusal);
  await expect(storeFile('document', 'run.exe', 'application/x-msdownload', 'packed')).rejects.toMatchObject(refusal);
  await expect(storeFile('document', 'start', 'application/x-sh', '#!/bin/sh')).rejects.toMatchObject(refusal);
  const macros = docx({ name: 'word/vbaProject.bin', data: 'x' });
  await expect(storeFile('document', 'a.docx', 'application/msword', macros)).rejects.toMatchObject(refusal);
  expect(await countMedia()).toBe(before);
});
