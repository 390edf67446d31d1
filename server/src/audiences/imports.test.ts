import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db.ts';
import { type Company, makeAudience, makeCompany } from '../test/make.ts';
import { type Caller, createWorld, until, type World } from '../test/world.ts';
import { xlsx, xlsxRow } from '../test/zip.ts';
import { runImport } from './import_run.ts';
import { sweepImports } from './import_sweep.ts';

let world: World;
let company: Company;
let owner: Caller;
/** Runs no jobs: here the tests decide when an import runs. */
let held: World;
let heldCompany: Company;
let heldOwner: Caller;

beforeAll(async () => {
  world = await createWorld();
  company = await makeCompany(world.kernel, { country: 'US' });
  owner = world.as(company.token);
  held = await createWorld({ role: 'api' });
  heldCompany = await makeCompany(held.kernel, { country: 'US' });
  heldOwner = held.as(heldCompany.token);
}, 60_000);
afterAll(async () => {
  const broken = [...(await world.examine()), ...(await held.examine())].filter(({ ok }) => !ok);
  await world.stop();
  await held.stop();
  expect(broken).toEqual([]);
});

const IMPORTS = '/v1/audience_imports';
const csv = (bytes: string, name = 'people.csv') => ({ name, bytes });
const many = (count: number) =>
  `Number,First name\n${Array.from({ length: count }, (_, index) => `+1415${2_000_000 + index * 7},Person ${index}\n`).join('')}`;

async function ended(caller: Caller, id: string) {
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
const contactsOf = async (caller: Caller, id: string) =>
  ((await caller.get(`/v1/audiences/${id}/contacts?page_size=100`)).body.data as Record<string, string>[]).reverse();
const eventsOf = async (of: World, account_id: string, type: string) =>
  (
    await of.kernel.db.rows<{ payload: Record<string, unknown> }>(
      sql`select payload from events where account_id = ${account_id} and type = ${type} order by id`,
    )
  ).map(({ payload }) => payload);
const filesOf = (of: World, id: string) =>
  of.kernel.db.one<{ storage_key: string; refused_key: string | null }>(
    sql`select storage_key, refused_key from audience_imports where id = ${id}`,
  );

describe('a file becomes an audience', () => {
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

  test('looked at first, then started with the chosen columns; every row is accounted for', async () => {
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
    // Nothing of it is an audience yet.
    expect((await owner.get('/v1/audiences?filter[search]=Spring')).body.pagination.total).toBe(0);

    const started = await owner.put(`${IMPORTS}/${id}`, {
      options: { columns: { number: 0, first_name: 1, last_name: 2, custom1: 3 }, default_country: 'US' },
    });
    expect(started.body.data).toMatchObject({ id, status: 'running' });
    const done = await ended(owner, id);
    expect(done).toMatchObject({
      status: 'completed',
      total_rows: 9,
      processed_rows: 9,
      created_count: 3,
      updated_count: 0,
      duplicate_count: 1,
      invalid_count: 5,
      skipped_count: 0,
      has_refused: true,
      error_code: null,
    });

    const audience = (await owner.get(`/v1/audiences/${done.audience_id}`)).body.data;
    expect(audience).toMatchObject({ name: 'Spring people', channel: 'SMS', contacts_count: 3 });
    expect(await contactsOf(owner, audience.id)).toMatchObject([
      { number: '12025550101', country: 'US', first_name: 'Ann', last_name: 'Lee', custom1: 'Reno', custom2: '' },
      { number: '12025550102', country: 'US', first_name: 'Bo', last_name: '', custom1: '=1+1' },
      { number: '442079460959', country: 'GB', first_name: 'Gus', last_name: 'O\\Neill', custom1: '' },
    ]);

    const refused = await owner.get(`${IMPORTS}/${id}/refused_rows`);
    expect(refused.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(refused.headers.get('content-disposition')).toMatch(/^attachment; .*spring%20refused%20rows\.csv/);
    expect(
      refused.text
        .replace(/^\ufeff/, '')
        .trimEnd()
        .split('\r\n'),
    ).toEqual([
      'Line,Reason,Number,First name,Last name,City',
      '5,The same number as in line 2,+1 202 555 0101,Ann again,Lee,Reno',
      expect.stringMatching(
        /^6,A spreadsheet has rounded this number and its last digits are lost\..*,1\.20256E\+10,Cy,,$/,
      ),
      '7,The number is missing,,Dee,,',
      "8,This is not a valid phone number,call me,Eve,'@home,",
      '9,First name can have at most 32 characters,+12025550103,A name that has far too many letters in it,,',
      '10,The row has more columns than the heading,+442079460958,Flo,O\\Neill,x,,more',
    ]);

    expect(await eventsOf(world, company.account_id, 'audience.created')).toContainEqual(
      expect.objectContaining({ id: audience.id, contacts_count: 3 }),
    );
    const told = (await eventsOf(world, company.account_id, 'audience_import.progressed')).filter(
      (payload) => payload.id === id,
    );
    expect(told.map(({ status }) => status)).toEqual(expect.arrayContaining(['mapping', 'running', 'completed']));
    expect(told.at(-1)).toMatchObject({ status: 'completed', created_count: 3 });
    for (const payload of told)
      expect(Object.keys(payload)).not.toEqual(expect.arrayContaining(['preview', 'storage_key']));

    await until('the uploaded file is removed', async () => (await filesOf(world, id)).storage_key === '');
  });

  test('at once, when the upload says so; an XLSX with numbers in numeric cells', async () => {
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
    const done = await ended(owner, body.data.id);
    expect(done).toMatchObject({ status: 'completed', created_count: 2, invalid_count: 0, has_refused: false });
    expect(await contactsOf(owner, done.audience_id as string)).toMatchObject([
      { number: '12025550101', first_name: 'Ann' },
      { number: '12025550102', first_name: 'Bo' },
    ]);
    expect((await owner.get(`${IMPORTS}/${body.data.id}/refused_rows`)).body.errors[0].code).toBe(1901);
  });

  test('without a default country national numbers are refused, and the file says why', async () => {
    const text = 'Number\n+12025550101\n2025550102\n';
    const { body } = await owner.upload(IMPORTS, { name: 'No country' }, csv(text));
    await owner.put(`${IMPORTS}/${body.data.id}`, { options: { columns: { number: 0 }, default_country: null } });
    expect(await ended(owner, body.data.id)).toMatchObject({ status: 'completed', created_count: 1, invalid_count: 1 });
    expect((await owner.get(`${IMPORTS}/${body.data.id}/refused_rows`)).text).toContain('choose a default country');
  });

  test('looked at again with another reading of the file', async () => {
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
    // Started with a reading that nobody has looked at: it is looked at first.
    const options = { columns: { number: 1, first_name: 0 }, delimiter: ',', has_header: false };
    expect((await owner.put(path, { options })).body.data).toMatchObject({ status: 'running', total_rows: 2 });
    expect(await ended(owner, body.data.id)).toMatchObject({ status: 'completed', created_count: 2 });
  });
});

describe('a file into an audience that is there', () => {
  const text = 'Number,First name,custom1\n447410000001,Ann new,\n447410000002,,two\n447410000003,Cy,three\n';
  const before = [
    { number: '447410000001', first_name: 'Ann', custom1: 'one' },
    { number: '447410000002', first_name: 'Bo', custom1: 'old' },
  ];

  test('update: what the file says, and no text to nothing', async () => {
    const audience_id = await makeAudience(world.kernel, company.account_id, before);
    const { body } = await owner.upload(IMPORTS, { audience_id, start: 'true' }, csv(text));
    const done = await ended(owner, body.data.id);
    expect(done).toMatchObject({
      audience_id,
      status: 'completed',
      created_count: 1,
      updated_count: 2,
      skipped_count: 0,
    });
    expect((await owner.get(`/v1/audiences/${audience_id}`)).body.data.contacts_count).toBe(3);
    const byNumber = Object.fromEntries((await contactsOf(owner, audience_id)).map((one) => [one.number, one]));
    expect(byNumber).toMatchObject({
      447410000001: { first_name: 'Ann new', custom1: 'one' },
      447410000002: { first_name: 'Bo', custom1: 'two' },
      447410000003: { first_name: 'Cy', custom1: 'three' },
    });
    expect((await owner.get(`${IMPORTS}?filter[audience_id]=${audience_id}`)).body).toMatchObject({
      data: [{ id: body.data.id }],
      pagination: { total: 1 },
    });
    expect((await owner.get(`${IMPORTS}?filter[audience_id]=nonsense`)).body.pagination.total).toBe(0);
  });

  test('skip: those who are there stay as they are', async () => {
    const audience_id = await makeAudience(world.kernel, company.account_id, before);
    const { body } = await owner.upload(IMPORTS, { audience_id, start: 'true', existing: 'skip' }, csv(text));
    expect(await ended(owner, body.data.id)).toMatchObject({
      created_count: 1,
      updated_count: 0,
      skipped_count: 2,
      total_rows: 3,
    });
    expect(await contactsOf(owner, audience_id)).toMatchObject([
      { first_name: 'Ann' },
      { first_name: 'Bo' },
      { first_name: 'Cy' },
    ]);
    expect((await owner.get(`/v1/audiences/${audience_id}`)).body.data.contacts_count).toBe(3);
  });

  test('while people are added and removed by hand the count stays true, and nothing deadlocks', async () => {
    const audience_id = await makeAudience(world.kernel, company.account_id, []);
    const { body } = await owner.upload(IMPORTS, { audience_id, start: 'true' }, csv(many(3_000)));
    const path = `/v1/audiences/${audience_id}/contacts`;
    const replies = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const reply = await owner.post(path, { number: `+1415${2_000_000 + index * 70}` });
        if (reply.status === 201 && index % 3 === 0) await owner.delete(`${path}/${reply.body.data.id}`);
        return reply.status;
      }),
    );
    expect(replies.every((status) => status === 201 || status === 409)).toBe(true);
    expect(await ended(owner, body.data.id)).toMatchObject({ status: 'completed' });
    const { stored, counted } = await world.kernel.db.one<{ stored: number; counted: number }>(sql`
      select count(*) as stored, (select contacts_count from audiences where id = ${audience_id}) as counted
      from contacts where audience_id = ${audience_id}`);
    expect(counted).toBe(stored);
    expect(stored).toBeGreaterThanOrEqual(2_990);
  });
});

describe('all of it or nothing', () => {
  async function waiting(fields: Record<string, string>, text: string) {
    const { body } = await heldOwner.upload(IMPORTS, { start: 'true', ...fields }, csv(text));
    expect(body.data.status).toBe('running');
    return { account_id: heldCompany.account_id, id: body.data.id as string };
  }
  const contactsStored = async () =>
    (
      await held.kernel.db.one<{ count: number }>(
        sql`select count(*) from contacts where account_id = ${heldCompany.account_id}`,
      )
    ).count;
  const under = () => new AbortController();

  test('a run that is cut off leaves nothing, and the next one gives the same result', async () => {
    const ids = await waiting({ name: 'Cut off' }, many(60_000));
    const before = await contactsStored();
    const stop = under();
    const run = runImport(held.kernel, ids, stop.signal);
    await until(
      'rows are on their way',
      async () => (await heldOwner.get(`${IMPORTS}/${ids.id}`)).body.data.processed_rows > 0,
      20_000,
    );
    // The worker is told to stop.
    stop.abort(new Error('stopping'));
    await expect(run).rejects.toThrow('stopping');
    expect(await contactsStored()).toBe(before);
    expect((await heldOwner.get('/v1/audiences?filter[search]=Cut off')).body.pagination.total).toBe(0);

    // The database throws the connection out in the middle.
    const second = runImport(held.kernel, ids, under().signal);
    const failed = expect(second).rejects.toThrow();
    await until('the copy is at work', async () => {
      const { rowCount } = await held.kernel.db.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy contacts%' and state = 'active' and datname = current_database()`,
      );
      return (rowCount ?? 0) > 0;
    });
    await failed;
    expect(await contactsStored()).toBe(before);

    await runImport(held.kernel, ids, under().signal);
    // And once more, as after a crash between the commit and the job's end.
    await runImport(held.kernel, ids, under().signal);
    const done = (await heldOwner.get(`${IMPORTS}/${ids.id}`)).body.data;
    expect(done).toMatchObject({
      status: 'completed',
      created_count: 60_000,
      total_rows: 60_000,
      duplicate_count: 0,
      invalid_count: 0,
    });
    expect(await contactsStored()).toBe(before + 60_000);
    expect((await heldOwner.get(`/v1/audiences/${done.audience_id}`)).body.data).toMatchObject({
      contacts_count: 60_000,
    });
    expect((await filesOf(held, ids.id)).storage_key).toBe('');
  }, 60_000);

  test('two workers with the same job: one does it', async () => {
    const ids = await waiting({ name: 'Twice' }, many(2_000));
    await Promise.all([runImport(held.kernel, ids, under().signal), runImport(held.kernel, ids, under().signal)]);
    expect((await heldOwner.get('/v1/audiences?filter[search]=Twice')).body.data).toMatchObject([
      { contacts_count: 2_000 },
    ]);
    expect((await heldOwner.get(`${IMPORTS}/${ids.id}`)).body.data).toMatchObject({
      status: 'completed',
      created_count: 2_000,
    });
  });

  test('canceled in the middle: it stops, and nothing of it stays', async () => {
    const audience_id = await makeAudience(held.kernel, heldCompany.account_id, [{ number: '12025550100' }]);
    const ids = await waiting({ audience_id }, many(80_000));
    const run = runImport(held.kernel, ids, under().signal);
    await until(
      'rows are on their way',
      async () => (await heldOwner.get(`${IMPORTS}/${ids.id}`)).body.data.processed_rows > 0,
      20_000,
    );
    const { storage_key } = await filesOf(held, ids.id);
    expect((await heldOwner.delete(`${IMPORTS}/${ids.id}`)).status).toBe(204);
    await run;
    expect((await heldOwner.get(`${IMPORTS}/${ids.id}`)).body.data).toMatchObject({
      status: 'canceled',
      processed_rows: 0,
      created_count: 0,
    });
    expect(await contactsOf(heldOwner, audience_id)).toHaveLength(1);
    await until('its file is gone', async () => !(await held.kernel.storage.exists(storage_key)));
    for (const again of [
      await heldOwner.delete(`${IMPORTS}/${ids.id}`),
      await heldOwner.put(`${IMPORTS}/${ids.id}`, { options: { columns: { number: 0 } } }),
    ])
      expect(again.body.errors[0]).toMatchObject({ code: 1318, status: 409 });
  }, 60_000);

  test('the name is taken while it waits: it fails with the reason, and can be told apart from a defect', async () => {
    const ids = await waiting({ name: 'Wanted' }, many(10));
    expect((await heldOwner.post('/v1/audiences', { name: 'WANTED' })).status).toBe(201);
    await runImport(held.kernel, ids, under().signal);
    expect((await heldOwner.get(`${IMPORTS}/${ids.id}`)).body.data).toMatchObject({
      status: 'failed',
      error_code: 1309,
      error_message: 'An audience with this name exists',
      audience_id: null,
      created_count: 0,
    });
    expect((await eventsOf(held, heldCompany.account_id, 'audience_import.progressed')).at(-1)).toMatchObject({
      id: ids.id,
      status: 'failed',
    });
  });

  test('an audience with a running import cannot be deleted; with one that only waits for its columns it can', async () => {
    const audience_id = await makeAudience(held.kernel, heldCompany.account_id, []);
    const mapping = (await heldOwner.upload(IMPORTS, { audience_id }, csv(many(5)))).body.data.id;
    const ids = await waiting({ audience_id }, many(5));
    expect((await heldOwner.delete(`/v1/audiences/${audience_id}`)).body.errors[0]).toMatchObject({
      code: 1319,
      status: 409,
    });
    await runImport(held.kernel, ids, under().signal);
    expect((await heldOwner.delete(`/v1/audiences/${audience_id}`)).status).toBe(204);
    expect(
      (await heldOwner.put(`${IMPORTS}/${mapping}`, { options: { columns: { number: 0 } } })).body.errors[0].code,
    ).toBe(1301);
  });

  test('the sweep: what nobody wants any more goes, what was forgotten runs', async () => {
    const unwanted = (await heldOwner.upload(IMPORTS, { name: 'Unwanted' }, csv(many(5)))).body.data.id;
    const lost = await waiting({ name: 'Lost' }, many(5));
    const fresh = (await heldOwner.upload(IMPORTS, { name: 'Fresh' }, csv(many(5)))).body.data.id;
    await held.kernel.db.run(
      sql`update audience_imports set update_date = now() - interval '25 hours' where id in (${unwanted}, ${lost.id})`,
    );
    const { storage_key } = await filesOf(held, unwanted);
    const jobs = () =>
      held.kernel.db.one<{ count: number }>(
        sql`select count(*) from pgboss.job where name = 'audience_imports.run' and data->>'id' = ${lost.id}`,
      );
    expect((await jobs()).count).toBe(1);
    await sweepImports(held.kernel);
    expect((await heldOwner.get(`${IMPORTS}/${unwanted}`)).body.data.status).toBe('canceled');
    expect(await held.kernel.storage.exists(storage_key)).toBe(false);
    expect((await jobs()).count).toBe(2);
    expect((await heldOwner.get(`${IMPORTS}/${fresh}`)).body.data.status).toBe('mapping');
  });
});
