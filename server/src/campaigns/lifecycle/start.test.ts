import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { broken, crowd, makeStage, readCampaign, startCampaign } from '../../test/campaigns.ts';
import { createWorld, until, type World } from '../../test/world.ts';
import { lockCampaign } from '../model/queries.ts';
import { moveCampaign } from './lifecycle.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const waitForLock = () =>
  until('a statement that waits for a lock', async () => {
    const { count } = await world.kernel.db.one<{ count: number }>(sql`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    return count > 0;
  });
const errorCode = (reply: { body: { errors: { code: number }[] } }) => reply.body.errors[0]!.code;

test('a campaign cannot start while its audience is being deleted', async () => {
  const stage = await makeStage(world, crowd(2));
  const { account_id, audience_id } = stage;
  const campaign = await startCampaign(stage, { start: false });
  const { starting } = await world.kernel.db.tx(async (tx) => {
    await tx.run(sql`delete from contacts where account_id = ${account_id} and audience_id = ${audience_id}`);
    await tx.run(sql`delete from audiences where account_id = ${account_id} and id = ${audience_id}`);
    const starting = stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'in_progress' });
    await waitForLock();
    return { starting };
  });
  const refusal = await starting;
  expect([refusal.status, errorCode(refusal)]).toEqual([400, 1606]);
  expect((await readCampaign(stage, campaign.id)).status).toBe('in_complete');
});

test('an audience cannot be deleted while its campaign is starting', async () => {
  const stage = await makeStage(world, crowd(2));
  const campaign = await startCampaign(stage, { start: false });
  const { removing } = await world.kernel.db.tx(async (tx) => {
    const row = await lockCampaign(tx, stage.account_id, campaign.id);
    await moveCampaign(tx, world.kernel, row!, 'in_progress', { user_id: null, key_id: null });
    const removing = stage.caller.delete(`/v1/audiences/${stage.audience_id}`);
    await waitForLock();
    return { removing };
  });
  expect(errorCode(await removing)).toBe(1319);
  expect(await readCampaign(stage, campaign.id)).toMatchObject({ status: 'in_progress', total: 2 });
});

test('a running campaign cannot be deleted, and neither can a campaign without a valid ID', async () => {
  const stage = await makeStage(world, crowd(1));
  const { id } = await startCampaign(stage);
  expect(errorCode(await stage.caller.delete(`/v1/campaigns/${id}`))).toBe(1612);
  for (const call of ['get', 'delete'] as const)
    for (const wrong of ['1', '\u{1F389}'])
      expect(errorCode(await stage.caller[call](`/v1/campaigns/${wrong}`))).toBe(1602);
  expect((await readCampaign(stage, id)).status).toBe('in_progress');
});
