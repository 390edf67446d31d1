import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Company, makeCompany } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';
import { removeMedia } from '../removal.ts';
import { createWhole } from './whole.ts';

let world: World;
let company: Company;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
});
afterAll(() => world?.stop());

test('an upload reports its first error even when the file is removed in the meantime', async () => {
  const { account_id, user_id } = company;
  const { kernel } = world;
  // The disk fails, and the file is deleted at the same time.
  const broken = async () => {
    const { id } = await kernel.db.one<{ id: string }>(sql`select id from media where account_id = ${account_id}`);
    await kernel.db.tx((tx) => removeMedia(tx, account_id, id));
    throw new Error('The disk cannot be read');
  };
  const failing: Kernel = { ...kernel, storage: Object.assign(Object.create(kernel.storage), { open: broken }) };
  const upload = { key: 'uploads/1', filename: 'a.pdf', bytes: 100, mimetype: 'application/pdf' };
  const actor = { account_id, user_id, real_user_id: null } as Parameters<typeof createWhole>[1];
  await expect(createWhole(failing, actor, upload, { type: 'document' } as never)).rejects.toThrow(
    'The disk cannot be read',
  );
  expect(await kernel.db.rows(sql`select 1 from media where account_id = ${account_id} and status = 'ready'`)).toEqual(
    [],
  );
});
