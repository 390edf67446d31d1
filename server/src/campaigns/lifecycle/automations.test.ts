/** Tests automations, with a clock that the tests advance. */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { heldClock } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import {
  applyCarrierStatus,
  broken,
  campaignDraft,
  count,
  crowd,
  fanOutAll,
  makeStage,
  type Stage,
  startCampaign,
  writeBack,
} from '../../test/campaigns.ts';
import { testNumber } from '../../test/make.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { createWorld, until, type World } from '../../test/world.ts';
import { getCampaign, updateCampaign } from '../campaigns.ts';
import { startDue } from './schedule.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const clock = heldClock(new Date());

let world: World;
let stage: Stage;
beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
});
beforeEach(async () => {
  stage = await makeStage(world, crowd(2));
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const { db } = { get db() { return world.kernel.db; } };
