/** The demo's templates are valid, match those in the sandbox, and are seeded once. */
import { templateFindings } from '@parley/contract/templates/rules.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConnection } from '../connections/connections.ts';
import { sql } from '../kernel/db/db.ts';
import { createWorld, type World } from '../test/world.ts';
import { enrollDemo } from './channels.ts';
import { WHATSAPP_CONNECTION } from './connection_ids.ts';
import { seed } from './seed.ts';
import { DEMO_TEMPLATES, messageType } from './template_texts.ts';
import { seedTemplates } from './templates.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api', sandbox: true });
});
afterAll(() => world?.stop());

test.each(DEMO_TEMPLATES.map((template) => [`${template.channel} ${template.name}`, template] as const))(
  'the %s template is valid',
  (_, template) => {
    const { header = null, footer = null, buttons = [], samples = [], wa_category = null, filename = null } = template;
    const findings = templateFindings({
      ...{ channel: template.channel, name: template.name, text: template.text, type: messageType(template) },
      ...{
        media_id: template.file ? '0197a5f0-0000-7000-8000-000000000001' : null,
        url: null,
        filename,
        header,
        footer,
      },
      ...{ buttons, samples, wa_category, wa_sender_code: template.channel === 'WHATSAPP' ? '4917139200900' : null },
    });
    expect(findings).toEqual([]);
  },
);

test('seeding creates all templates once, submits the WhatsApp ones, and leaves one rejected', async () => {
  const { kernel, sandbox } = world;
  const origin = `http://127.0.0.1:${sandbox!.http}`;
  await seed(kernel);
  await kernel.db.run(sql`
    update connections set settings = settings || jsonb_build_object('base_url', ${`${origin}/graph/v25.0`}::text)
    where id = ${WHATSAPP_CONNECTION}`);
  await enrollDemo(kernel);
  await seedTemplates(kernel, origin);
  const rows = await kernel.db.rows<{ name: string; channel: string; status: string; external_id: string | null }>(sql`
    select name, channel, status, reason->>'code' as reason, reason->>'advice' as advice, external_id
    from templates order by id`);
  expect(rows.map(({ channel, name }) => [channel, name])).toEqual(
    DEMO_TEMPLATES.map(({ channel, name }) => [channel, name]),
  );
  const [rejected, ...others] = rows.filter(({ status }) => status !== 'COMPLETED');
  expect(others).toEqual([]);
  expect(rejected).toMatchObject({
    status: 'CANCELED',
    reason: 'INCORRECT_CATEGORY',
    advice: expect.stringMatching(/Marketing/),
  });

  const connection = await openConnection(kernel, kernel.db, WHATSAPP_CONNECTION);
  const submitted = await connection!.adapter.templates!.list(connection!.spec);
  const stored = rows.filter(({ channel }) => channel === 'WHATSAPP');
  expect(submitted).toHaveLength(stored.length);
  for (const { name, status, external_id } of stored)
    expect(submitted.find((template) => template.external_id === external_id)).toMatchObject({ name, status });
  // All consistency checks on templates and files pass.
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);

  await kernel.db.run(sql`update templates set delete_date = now() where channel = 'SMS'`);
  await seedTemplates(kernel, origin);
  expect(await kernel.db.rows(sql`select 1 from templates`)).toHaveLength(rows.length);
});
