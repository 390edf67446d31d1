import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { csv, findFiles, IMPORTS, listContacts, listEvents, manyRows } from '../../test/imports.ts';
import { type Company, makeAudience, makeCompany } from '../../test/make.ts';
import { type Caller, createWorld, until, type World } from '../../test/world.ts';
import { xlsx, xlsxRow } from '../../test/zip.ts';

let world: World;
let company: Company;
let owner: Caller;

beforeAll(async () => {
  world = await createWorld();
  company = await makeCompany(world.kernel, { country: 'US' });
  owner = world.as(company.token);
});
afterAll(async () => {
  const broken = (await world.examine()).filter(({ ok }) => !ok);
  await world.stop();
  expect(broken).toEqual([]);
});

async function waitForEnd(caller: Caller, id: string) {
  let body: { status: string } & Record<string, unknown>;
  await until(
    'the import ends',
    async () => {
      body = (await caller.get(`${IMPORTS}/${id}`)).body.data;
      return !['mapping', 'running'].includes(body.status);
    },
    30_000,
  );
  return body!;
}
interface Reported {
  line: number;
  kind: string;
}
describe('an import into a new audience', () => {
  const PEOPLE = [
    'Number;First name;Last name;City',
    '+12025550101;Ann;Lee;Reno',
    '(202) 555-0102;Bo;;=1+1',
    '',
    '+1 202 555 0101;Ann again;Lee;Reno',
    '1.20256E+10;Cy;;',
    ';Dee;;',
    'call me;Eve;@home;',
    '+12025550103;A name that has far too many letters in it;;',
    '+442079460958;Flo;O\\Neill;x;;more',
    '+442079460959;Gus;O\\Neill;',
  ].join('\r\n');

  test('is previewed, starts with the chosen columns, and accounts for every row', async () => {
    const uploaded = await owner.upload(IMPORTS, { name: 'Spring people' }, csv(PEOPLE, 'spring.csv'));
    expect(uploaded.status).toBe(201);
    const { id, ...data } = uploaded.body.data;
    expect(data).toMatchObject({
      audience_id: null,
      audience_name: 'Spring people',
      filename: 'spring.csv',
      status: 'mapping',
      total_rows: 9,
      processed_rows: 0,
      options: { columns: { number: 0, first_name: 1, last_name: 2 }, default_country: 'US', existing: 'update' },
      preview: {
        format: 'csv',
        encoding: 'utf-8',
        delimiter: ';',
        has_header: true,
        row_count: 9,
        columns: [{ guess: 'number' }, { guess: 'first_name' }, { guess: 'last_name' }, { name: 'City', guess: null }],
      },
    });
    expect(data).not.toHaveProperty('storage_key');
    // The audience does not exist yet.
    expect((await owner.get('/v1/audiences?filter[search]=Spring')).body.pagination.total).toBe(0);

    const start = await owner.put(`${IMPORTS}/${id}`, {
      options: { columns: { number: 0, first_name: 1, last_name: 2, custom1: 3 }, default_country: 'US' },
    });
    expect(start.body.data).toMatchObject({ id, status: 'running' });
    const completed = await waitForEnd(owner, id);
    expect(completed).toMatchObject({
      status: 'completed',
      total_rows: 9,
      processed_rows: 9,
      created_count: 4,
      updated_count: 0,
      duplicate_count: 1,
      invalid_count: 4,
      skipped_count: 0,
      shortened_count: 1,
      has_refused: true,
      error_code: null,
    });

    const audience = (await owner.get(`/v1/audiences/${completed.audience_id}`)).body.data;
    expect(audience).toMatchObject({ name: 'Spring people', channel: 'SMS', contacts_count: 4 });
    expect(await listContacts(owner, audience.id)).toMatchObject([
      { number: '12025550101', country: 'US', first_name: 'Ann', last_name: 'Lee', custom1: 'Reno', custom2: '' },
      { number: '12025550102', country: 'US', first_name: 'Bo', last_name: '', custom1: '=1+1' },
      { number: '12025550103', first_name: 'A name that has far too many let' },
      { number: '442079460959', country: 'GB', first_name: 'Gus', last_name: 'O\\Neill', custom1: '' },
    ]);

    const refusedRows = await owner.get(`${IMPORTS}/${id}/refused_rows`);
    expect(refusedRows.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(refusedRows.headers.get('content-disposition')).toMatch(/^attachment; .*spring%20rejected%20rows\.csv/);
    expect(
      refusedRows.text
        .replace(/^\ufeff/, '')
        .trimEnd()
        .split('\r\n'),
    ).toEqual([
      'Line;Reason;Number;First name;Last name;City',
      '5;Duplicate of the number on line 2;+1 202 555 0101;Ann again;Lee;Reno',
      expect.stringMatching(
        /^6;A spreadsheet has rounded this number and its last digits are lost\..*;1\.20256E\+10;Cy;;$/,
      ),
      '7;The number is missing;;Dee;;',
      "8;This is not a valid phone number;call me;Eve;'@home;",
      '10;The row has more columns than the header;+442079460958;Flo;O\\Neill;x;;more',
    ]);

    const rows = await owner.get(`${IMPORTS}/${id}/rows?page_size=10`);
    expect(rows.body.pagination.total).toBe(6);
    expect(rows.body.data.map(({ line, kind }: Reported) => [line, kind])).toEqual([
      [5, 'duplicate'],
      [6, 'invalid'],
      [7, 'invalid'],
      [8, 'invalid'],
      [9, 'shortened'],
      [10, 'invalid'],
    ]);
    expect((await owner.get(`${IMPORTS}/${id}/rows?filter[kind]=shortened`)).body.data).toEqual([
      {
        ...{ id: '9', line: 9, kind: 'shortened', code: null, reason: 'First name was shortened to 32 characters' },
        values: ['+12025550103', 'A name that has far too many letters in it', '', ''],
      },
    ]);

    expect(await listEvents(world, company.account_id, 'audience.created')).toContainEqual(
      expect.objectContaining({ id: audience.id, contacts_count: 4 }),
    );
    const reported = (await listEvents(world, company.account_id, 'audience_import.progressed')).filter(
      (payload) => payload.id === id,
    );
    expect(reported.map(({ status }) => status)).toEqual(expect.arrayContaining(['mapping', 'running', 'completed']));
    expect(reported.at(-1)).toMatchObject({ status: 'completed', created_count: 4 });
    for (const payload of reported)
      expect(Object.keys(payload)).not.toEqual(expect.arrayContaining(['preview', 'storage_key']));

    await until('the uploaded file is removed', async () => (await findFiles(world, id)).storage_key === '');
  });

  test('an XLSX file with numeric cells is imported immediately when the upload requests it', async () => {
    const file = xlsx(
      [
        xlsxRow(1, ['Name', 'Mobile']),
        '<row r="2"><c r="A2" t="inlineStr"><is><t>Ann</t></is></c><c r="B2"><v>12025550101</v></c></row>',
        '<row r="3"><c r="A3" t="inlineStr"><is><t>Bo</t></is></c><c r="B3"><v>2.025550102E9</v></c></row>',
      ].join(''),
    );
    const { body } = await owner.upload(
      IMPORTS,
      { name: 'From Excel', start: 'true' },
      { name: 'a.xlsx', bytes: file },
    );
    expect(body.data).toMatchObject({ status: 'running', preview: { format: 'xlsx', row_count: 2 } });
    const completed = await waitForEnd(owner, body.data.id);
    expect(completed).toMatchObject({ status: 'completed', created_count: 2, invalid_count: 0, has_refused: false });
    expect(await listContacts(owner, completed.audience_id as string)).toMatchObject([
      { number: '12025550101', first_name: 'Ann' },
      { number: '12025550102', first_name: 'Bo' },
    ]);
    expect((await owner.get(`${IMPORTS}/${body.data.id}/refused_rows`)).body.errors[0].code).toBe(1901);
  });

  test('lists its refused rows by name, up to a limit, when the file has no headings', async () => {
    const bytes = Buffer.from(
      ['+12025550101\tJos\xe9', ...Array.from({ length: 1_005 }, (_, n) => `n${n}\tZo\xeb`)].join('\n'),
      'latin1',
    );
    const { body } = await owner.upload(IMPORTS, { name: 'Without headings' }, { name: 'zoe.txt', bytes });
    await owner.put(`${IMPORTS}/${body.data.id}`, { options: { columns: { number: 0, first_name: 1 } } });
    const completed = await waitForEnd(owner, body.data.id);
    expect(completed).toMatchObject({ status: 'completed', invalid_count: 1_005 });
    const listed = (await owner.get(`${IMPORTS}/${body.data.id}/rows`)).body;
    expect(listed.pagination.total).toBe(1_000);
    expect(listed.data[0]).toMatchObject({ line: 2, values: ['n0', expect.stringContaining('Zo\xeb')] });
    const file = (await owner.get(`${IMPORTS}/${body.data.id}/refused_rows`)).text.trimEnd().split('\r\n');
    expect(file).toHaveLength(1_006);
    expect(file[0]!.replace(/^\ufeff/, '')).toBe('Line\tReason\tColumn 1\tColumn 2');
    expect(file[1]).toMatch(/^2\tThis is not a valid phone number\tn0\tZo\xeb/);
  });

  test('rejects national numbers with a reason when there is no default country', async () => {
    const text = 'Number\n+12025550101\n2025550102\n';
    const { body } = await owner.upload(IMPORTS, { name: 'No country' }, csv(text));
    await owner.put(`${IMPORTS}/${body.data.id}`, { options: { columns: { number: 0 }, default_country: null } });
    expect(await waitForEnd(owner, body.data.id)).toMatchObject({
      status: 'completed',
      created_count: 1,
      invalid_count: 1,
    });
    expect((await owner.get(`${IMPORTS}/${body.data.id}/refused_rows`)).text).toContain('choose a default country');
  });

  test('is previewed again when its settings change', async () => {
    const text = 'Ann,+12025550101\nBo,+12025550102\n';
    const { body } = await owner.upload(IMPORTS, { name: 'Again' }, csv(text));
    const path = `${IMPORTS}/${body.data.id}`;
    expect(body.data.preview).toMatchObject({ has_header: false, row_count: 2 });
    const again = await owner.put(path, { action: 'preview', options: { has_header: true } });
    expect(again.body.data).toMatchObject({
      status: 'mapping',
      total_rows: 1,
      preview: { has_header: true, columns: [{ name: 'Ann' }, { name: '+12025550101' }] },
    });
    const delimited = await owner.put(path, { action: 'preview', options: { delimiter: ';', has_header: false } });
    expect(delimited.body.data.preview.columns).toHaveLength(1);
    expect(
      (await owner.put(path, { action: 'preview', options: { encoding: 'klingon' } })).body.errors[0],
    ).toMatchObject({
      code: 1705,
      field: 'options.encoding',
    });
    // The import was started with settings that were not previewed, so the file is previewed first.
    const options = { columns: { number: 1, first_name: 0 }, delimiter: ',', has_header: false };
    expect((await owner.put(path, { options })).body.data).toMatchObject({ status: 'running', total_rows: 2 });
    expect(await waitForEnd(owner, body.data.id)).toMatchObject({ status: 'completed', created_count: 2 });
  });
});

describe('an import into an existing audience', () => {
  const text = 'Number,First name,custom1\n447410000001,Ann new,\n447410000002,,two\n447410000003,Cy,three\n';
  const before = [
    { number: '447410000001', first_name: 'Ann', custom1: 'one' },
    { number: '447410000002', first_name: 'Bo', custom1: 'old' },
  ];

  test('changes contacts but never clears a field when its policy is update', async () => {
    const audience_id = await makeAudience(world.kernel, company.account_id, before);
    const { body } = await owner.upload(IMPORTS, { audience_id, start: 'true' }, csv(text));
    const completed = await waitForEnd(owner, body.data.id);
    expect(completed).toMatchObject({
      audience_id,
      status: 'completed',
      created_count: 1,
      updated_count: 2,
      skipped_count: 0,
    });
    expect((await owner.get(`/v1/audiences/${audience_id}`)).body.data.contacts_count).toBe(3);
    const byNumber = Object.fromEntries((await listContacts(owner, audience_id)).map((row) => [row.number, row]));
    expect(byNumber).toMatchObject({
      447410000001: { first_name: 'Ann new', custom1: 'one' },
      447410000002: { first_name: 'Bo', custom1: 'two' },
      447410000003: { first_name: 'Cy', custom1: 'three' },
    });
    expect((await owner.get(`${IMPORTS}?filter[audience_id]=${audience_id}`)).body).toMatchObject({
      data: [{ id: body.data.id }],
      pagination: { total: 1 },
    });
    expect((await owner.get(`${IMPORTS}?filter[audience_id]=nonsense`)).status).toBe(400);
  });

  test('leaves existing contacts unchanged when its policy is skip', async () => {
    const audience_id = await makeAudience(world.kernel, company.account_id, before);
    const { body } = await owner.upload(IMPORTS, { audience_id, start: 'true', existing: 'skip' }, csv(text));
    expect(await waitForEnd(owner, body.data.id)).toMatchObject({
      created_count: 1,
      updated_count: 0,
      skipped_count: 2,
      total_rows: 3,
    });
    expect(await listContacts(owner, audience_id)).toMatchObject([
      { first_name: 'Ann' },
      { first_name: 'Bo' },
      { first_name: 'Cy' },
    ]);
    expect((await owner.get(`/v1/audiences/${audience_id}`)).body.data.contacts_count).toBe(3);
  });

  test('keeps the contact count exact and does not deadlock when contacts are also changed manually', async () => {
    const audience_id = await makeAudience(world.kernel, company.account_id, []);
    const { body } = await owner.upload(IMPORTS, { audience_id, start: 'true' }, csv(manyRows(3_000)));
    const path = `/v1/audiences/${audience_id}/contacts`;
    const replies = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const reply = await owner.post(path, { number: `+1415${2_000_000 + index * 70}` });
        if (reply.status === 201 && index % 3 === 0) await owner.delete(`${path}/${reply.body.data.id}`);
        return reply.status;
      }),
    );
    expect(replies.every((status) => status === 201 || status === 409)).toBe(true);
    expect(await waitForEnd(owner, body.data.id)).toMatchObject({ status: 'completed' });
    const { stored, counted } = await world.kernel.db.one<{ stored: number; counted: number }>(sql`
      select count(*) as stored, (select contacts_count from audiences where id = ${audience_id}) as counted
      from contacts where audience_id = ${audience_id}`);
    expect(counted).toBe(stored);
    expect(stored).toBeGreaterThanOrEqual(2_990);
  });
});
