/** Tests PUT requests of all kinds: whole, interrupted, resumed, too large, late, forged, and concurrent. */
import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { problemMessage } from '@parley/contract/problem.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heldClock } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCompany } from '../../test/make.ts';
import { makeSlot, pathIn, readProblem, type SlotBody, send } from '../../test/media.ts';
import * as files from '../../test/media_files.ts';
import { readReceivedBytes, startUpload, untilReceived } from '../../test/slow_upload.ts';
import { createWorld, until, type World } from '../../test/world.ts';

const MB = 1024 * 1024;
const clock = heldClock(new Date());
let world: World;
let company: Company;
beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
  company = await makeCompany(world.kernel);
});
afterAll(() => world.stop());

const requestSlot = (body: SlotBody) => world.as(company.token).post('/v1/media/slots', body);
const newSlot = (body: SlotBody) => makeSlot(world, company.token, body);
const readStatus = async (id: string) => (await world.as(company.token).get(`/v1/media/${id}`)).body.data?.status;
const listLeftovers = async () => ({
  parts: await readdir(join(world.kernel.config.DATA_DIR, 'uploads')).catch(() => []),
  stored: await readdir(join(world.kernel.config.DATA_DIR, 'files', 'media', company.account_id)).catch(() => []),
});
/** Returns text, which is valid at any size. */
const text = (bytes: number): Buffer => Buffer.alloc(bytes, 'parley\n');
const NOTES: SlotBody = { file_name: 'notes.txt', type: 'document', channel: 'VIBER' };

describe('a slot request', () => {
  const VIBER_DOCUMENTS =
    '.txt, .doc, .docx, .dot, .dotx, .rtf, .odt, .odf, .fodt, .info, .pdf, .xps, .pdax, .eps, ' +
    '.xls, .xlsx, .xltx, .xlsm, .csv, .ods, or .fods';
  test.each<[string, SlotBody, number, string]>([
    [
      'an HTML page',
      { file_name: 'a.html', type: 'document', channel: 'VIBER' },
      1280,
      `File extensions should be ${VIBER_DOCUMENTS}`,
    ],
    [
      'a document with macros',
      { file_name: 'a.docm', type: 'document', channel: 'VIBER' },
      1280,
      `File extensions should be ${VIBER_DOCUMENTS}`,
    ],
    ['a program', { file_name: 'a.pdf.exe', type: 'document' }, 1906, 'File extension should be .pdf'],
    ['a file without an extension', { file_name: 'pdf', type: 'document' }, 1906, 'File extension should be .pdf'],
    [
      'a GIF for WhatsApp',
      { file_name: 'a.gif', type: 'image', channel: 'WHATSAPP' },
      1275,
      'File extensions should be .jpg, .jpeg, or .png',
    ],
    [
      'a MOV for WhatsApp',
      { file_name: 'a.mov', type: 'video', channel: 'WHATSAPP' },
      1276,
      'File extensions should be .mp4, .3gp, or .3gpp',
    ],
    [
      'a DOCX for WhatsApp',
      { file_name: 'a.docx', type: 'document', channel: 'whatsapp' },
      1277,
      'File extension should be .pdf',
    ],
    [
      'a 3GP for Viber',
      { file_name: 'a.3gp', type: 'video', channel: 'VIBER' },
      1279,
      'File extensions should be .3gpp, .m4v, .mov, or .mp4',
    ],
    [
      'a WhatsApp image over 5 MB',
      { file_name: 'a.jpg', type: 'image', channel: 'WHATSAPP', bytes: 5 * MB + 1 },
      1275,
      'File size should not exceed 5 MB',
    ],
    [
      'a WhatsApp video over 16 MB',
      { file_name: 'a.mp4', type: 'video', channel: 'WHATSAPP', bytes: 16 * MB + 1 },
      1276,
      'File size should not exceed 16 MB',
    ],
    [
      'a WhatsApp document over 100 MB',
      { file_name: 'a.pdf', type: 'document', channel: 'WHATSAPP', bytes: 100 * MB + 1 },
      1277,
      'File size should not exceed 100 MB',
    ],
    [
      'a Viber image over 24 MB',
      { file_name: 'a.svg', type: 'image', channel: 'VIBER', bytes: 24 * MB + 1 },
      1278,
      'File size should not exceed 24 MB',
    ],
    [
      'a file over 200 MB',
      { file_name: 'a.pdf', type: 'document', bytes: 200 * MB + 1 },
      1905,
      'File size should not exceed 200 MB',
    ],
    ['an empty file', { file_name: 'a.pdf', type: 'document', bytes: 0 }, 1910, 'The file is empty'],
    [
      'a name with a parent folder',
      { file_name: '../../etc/passwd.pdf', type: 'document' },
      1915,
      'File name is not valid',
    ],
    [
      'a name with a Windows parent folder',
      { file_name: '..\\x.pdf', type: 'document' },
      1915,
      'File name is not valid',
    ],
    [
      'a name with a right-to-left override',
      { file_name: 'a\u202efdp.exe.pdf', type: 'document' },
      1915,
      'File name is not valid',
    ],
    [
      'a name with a line break',
      { file_name: 'a\r\nset-cookie: x.pdf', type: 'document' },
      1915,
      'File name is not valid',
    ],
    [
      'a name with 256 characters',
      { file_name: `${'a'.repeat(252)}.pdf`, type: 'document' },
      1915,
      'File name is not valid',
    ],
    ['an unknown type', { file_name: 'a.pdf', type: 'sculpture' }, 1534, 'Type is required'],
  ])('is rejected for %s', async (_, body, code, message) => {
    expect(readProblem(await requestSlot(body))).toEqual([400, code, message]);
  });

  test('is rejected for a file name with a NUL character', async () => {
    expect((await requestSlot({ file_name: 'a\0.pdf', type: 'document' })).body.errors[0]).toMatchObject({
      code: 1705,
      field: 'file_name',
    });
  });

  test('is accepted for files of the maximum size', async () => {
    for (const body of [
      { file_name: 'a.jpg', type: 'image', channel: 'WHATSAPP', bytes: 5 * MB },
      { file_name: 'a.svg', type: 'image', channel: 'VIBER', bytes: 24 * MB },
      { file_name: 'a.pdf', type: 'document', bytes: 200 * MB },
    ])
      expect((await requestSlot(body)).status).toBe(201);
  });
});

test('a file that does not match its slot is rejected and leaves the slot unchanged', async () => {
  const slot = await newSlot({ file_name: 'a.jpg', type: 'image', channel: 'WHATSAPP', width: 500, height: 500 });
  const jpeg = await files.picture('jpeg', 500, 500);
  const refusalFor = async (body: Uint8Array | string, headers = {}) =>
    readProblem(await send(world, slot, body, headers));
  expect(await refusalFor(text(5 * MB + 1))).toEqual([400, 1275, 'File size should not exceed 5 MB']);
  expect(await refusalFor('')).toEqual([400, 1910, 'The file is empty']);
  expect(await refusalFor(await files.picture('jpeg', 499, 500))).toEqual([
    400,
    1907,
    'Image dimensions should be 500 x 500 pixels',
  ]);
  expect(await refusalFor(jpeg.subarray(0, 900))).toEqual([400, 1908, 'The file is corrupted']);
  expect(await refusalFor(await files.picture('png', 500, 500))).toEqual([
    400,
    1909,
    problemMessage('FILE_CONTENT_MISMATCH'),
  ]);
  expect(await refusalFor(jpeg, { 'content-type': 'text/html' })).toEqual([
    415,
    1009,
    problemMessage('CONTENT_TYPE_NOT_SUPPORTED'),
  ]);
  expect(await refusalFor(jpeg, { 'content-range': 'bytes 5-2/10' })).toEqual([
    400,
    1705,
    problemMessage('VALUE_INVALID'),
  ]);
  expect(await readStatus(slot.id)).toBe('waiting');
  expect(await listLeftovers()).toEqual({ parts: [], stored: [] });
  expect((await send(world, slot, jpeg)).status).toBe(200);
  expect(await refusalFor(jpeg)).toEqual([409, 1912, problemMessage('UPLOAD_ENDED')]);
});

test('an upload of unknown length is aborted at the size limit', async () => {
  const slot = await newSlot({ file_name: 'a.png', type: 'image', channel: 'WHATSAPP' });
  let sent_bytes = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sent_bytes += 65_536;
      controller.enqueue(new Uint8Array(65_536));
      if (sent_bytes > 40 * MB) controller.close();
    },
  });
  // The client either reads the refusal or its connection is closed while it sends the rest.
  const response = await send(world, slot, endless).catch(() => null);
  if (response) expect(readProblem(response)).toEqual([400, 1275, 'File size should not exceed 5 MB']);
  expect(sent_bytes).toBeLessThan(40 * MB);
  expect(await readReceivedBytes(world, slot)).toBe(0);
  expect(await readStatus(slot.id)).toBe('waiting');
});

test('a tampered or expired link is rejected', async () => {
  const slot = await newSlot(NOTES);
  const replaceParameter = (name: string, value: string): string => {
    const url = new URL(slot.put_url);
    url.searchParams.set(name, value);
    return url.href;
  };
  const other = await newSlot(NOTES);
  const stranger = await makeCompany(world.kernel);
  for (const put_url of [
    replaceParameter('account', stranger.account_id),
    replaceParameter('expires', String(Math.floor(clock.now().getTime() / 1000) + 86_400)),
    replaceParameter('max_bytes', String(1024 * MB)),
    replaceParameter('content_type', 'text/html'),
    replaceParameter('signature', new URL(other.put_url).searchParams.get('signature')!),
    replaceParameter('signature', ''),
    slot.put_url.replace(slot.id, other.id),
    slot.get_url.replace('/files/notes.txt', `/uploads/${slot.id}`),
  ])
    for (const method of ['PUT', 'GET', 'DELETE'])
      expect(
        readProblem(
          await world.as().raw(pathIn(put_url), { method, ...(method === 'PUT' ? { body: 'hello' } : {}) }),
        ).slice(0, 2),
        `${method} ${put_url}`,
      ).toEqual([403, 1902]);
  // An upload link cannot read, and a read link cannot upload.
  expect((await world.as().get(pathIn(slot.put_url).replace(`/uploads/${slot.id}`, '/files/notes.txt'))).status).toBe(
    403,
  );
  expect(await readStatus(slot.id)).toBe('waiting');

  clock.advance(15 * 60_000 + 1_000);
  expect(readProblem(await send(world, slot, 'hello'))).toEqual([403, 1902, problemMessage('FILE_LINK_EXPIRED')]);
  const renewal = await world.as(company.token).put(`/v1/media/slots/${slot.id}`);
  expect(renewal.status).toBe(200);
  const { status, body } = await send(world, renewal.body.data, 'hello');
  expect([status, body.data.bytes]).toEqual([200, 5]);
  expect(readProblem(await world.as(company.token).put(`/v1/media/slots/${slot.id}`)).slice(0, 2)).toEqual([409, 1912]);

  // Read links also expire.
  expect((await world.as().get(pathIn(body.data.get_url))).status).toBe(200);
  clock.advance(2 * 3_600_000 + 1_000);
  expect((await world.as().get(pathIn(body.data.get_url))).status).toBe(403);
});

test('an upload can be resumed from the received bytes after the connection is lost', async () => {
  const file = Buffer.from(randomBytes(3 * MB).toString('hex'));
  const slot = await newSlot(NOTES);
  const first = await startUpload(world, slot, file.subarray(0, 2 * MB), file.length);
  await untilReceived(world, slot, 2 * MB);
  first.cut();
  expect(await readReceivedBytes(world, slot)).toBe(2 * MB);

  const ahead = await send(world, slot, file.subarray(3 * MB), {
    'content-range': `bytes ${3 * MB}-${file.length - 1}/${file.length}`,
  });
  expect([...readProblem(ahead).slice(0, 2), ahead.headers.get('upload-offset')]).toEqual([409, 1911, String(2 * MB)]);

  const piece = await send(world, slot, file.subarray(2 * MB, 4 * MB), {
    'content-range': `bytes ${2 * MB}-${4 * MB - 1}/${file.length}`,
  });
  expect([piece.status, piece.body.data]).toEqual([202, { received: 4 * MB }]);
  // A client may go back: repeated bytes replace the received ones.
  const response = await send(world, slot, file.subarray(3 * MB), {
    'content-range': `bytes ${3 * MB}-${file.length - 1}/${file.length}`,
  });
  expect([response.status, response.body.data.bytes, response.body.data.sha256]).toEqual([
    200,
    file.length,
    createHash('sha256').update(file).digest('hex'),
  ]);
  const after = await world.as().get(pathIn(slot.put_url));
  expect(after.body.data).toMatchObject({ received: file.length, media: { id: slot.id, status: 'ready' } });
  expect((await listLeftovers()).parts).toEqual([]);
});

test('the newer of two uploads to the same slot wins', async () => {
  const slot = await newSlot(NOTES);
  const old = await startUpload(world, slot, text(MB), 2 * MB);
  await untilReceived(world, slot, MB);
  const { status, body } = await send(world, slot, 'the newer one');
  expect([status, body.data.bytes]).toEqual([200, 13]);
  expect(await old.ended).not.toBe(200);
  expect((await world.as().get(pathIn(body.data.get_url))).text).toBe('the newer one');
  expect((await listLeftovers()).parts).toEqual([]);
});

test('only one of 16 concurrent uploads to a slot becomes the file', async () => {
  const slot = await newSlot(NOTES);
  const responses = await Promise.all(
    Array.from({ length: 16 }, (_, n) =>
      send(world, slot, String(n).padStart(2, '0').repeat(50_000)).catch(() => ({ status: 0 })),
    ),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  const { body } = await world.as(company.token).get(`/v1/media/${slot.id}`);
  const file = await world.as().get(pathIn(body.data.get_url));
  expect(file.text).toMatch(/^(\d\d)\1{49999}$/);
  expect(createHash('sha256').update(file.text).digest('hex')).toBe(body.data.sha256);
  const { n } = await world.kernel.db.one<{ n: number }>(
    sql`select count(*) as n from events where type = 'media.added' and payload->>'id' = ${slot.id}`,
  );
  expect(n).toBe(1);
  await until('the other uploads have ended', async () => (await listLeftovers()).parts.length === 0);
  const { n: ready } = await world.kernel.db.one<{ n: number }>(
    sql`select count(*) as n from media where account_id = ${company.account_id} and status = 'ready'`,
  );
  expect((await listLeftovers()).stored.filter((name) => !name.endsWith('.webp'))).toHaveLength(ready);
});

test('a user can delete a slot before and after the upload', async () => {
  const slot = await newSlot(NOTES);
  const upload = await startUpload(world, slot, text(1_000), 5_000);
  await untilReceived(world, slot, 1_000);
  upload.cut();
  expect((await world.as().raw(pathIn(slot.put_url), { method: 'DELETE' })).status).toBe(204);
  expect(await readStatus(slot.id)).toBeUndefined();
  expect(readProblem(await send(world, slot, 'late')).slice(0, 2)).toEqual([404, 1901]);
  const reply = await newSlot(NOTES);
  await send(world, reply, 'hello');
  expect((await world.as().raw(pathIn(reply.put_url), { method: 'DELETE' })).status).toBe(204);
  expect(await readStatus(reply.id)).toBeUndefined();
});

test("storage is limited, and an unapproved account's open slots count toward the limit", async () => {
  const { db } = world.kernel;
  const open = (token: string) => world.as(token).post('/v1/media/slots', NOTES);
  const big = await makeCompany(world.kernel);
  const slot = (await open(big.token)).body.data;
  const quota = 20_000 * 1024 * 1024;
  await db.run(sql`
    update media set status = 'ready', lease = gen_random_uuid(), bytes = ${quota - 1}, sha256 = 'x', idle_since = now()
    where id = ${slot.id}`);
  expect((await open(big.token)).status).toBe(201);
  await db.run(sql`update media set bytes = ${quota} where id = ${slot.id}`);
  expect(readProblem(await open(big.token)).slice(0, 2)).toEqual([409, 1918]);
  await db.run(sql`delete from media where id = ${slot.id}`);
  expect((await open(big.token)).status).toBe(201);

  const otherCompany = await makeCompany(world.kernel);
  await db.run(sql`update accounts set status = 'UNVERIFIED' where id = ${otherCompany.account_id}`);
  const statuses: number[] = [];
  for (let count = 0; count < 6; count++) statuses.push((await open(otherCompany.token)).status);
  expect(statuses).toEqual([201, 201, 201, 201, 201, 409]);
});

test('an account can have at most 100 open slots', async () => {
  const other = await makeCompany(world.kernel);
  const open = () => world.as(other.token).post('/v1/media/slots', NOTES);
  for (let opened = 0; opened < 100; opened += 20) {
    const replies = await Promise.all(Array.from({ length: 20 }, open));
    expect(replies.filter(({ status }) => status !== 201)).toEqual([]);
  }
  expect(readProblem(await open()).slice(0, 2)).toEqual([429, 1914]);
  clock.advance(16 * 60_000);
  expect((await open()).status).toBe(201);
});
