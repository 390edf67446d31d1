/**
 * Random histories of campaigns with a canary, an A/B test, repeats, approvals, and a rate. A model predicts the result
 * of each request, and the work of the server in between may only move a campaign as the lifecycle allows.
 */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { createCampaign as createEndpoint } from '@parley/contract/campaigns/drafts.ts';
import type { CampaignStatus } from '@parley/contract/campaigns/statuses.ts';
import { Problem } from '@parley/contract/problem.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heldClock } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { applyCarrierStatus, broken, campaignDraft, count, crowd, fanOutAll, makeStage } from '../../test/campaigns.ts';
import { makeUser } from '../../test/make.ts';
import { sample } from '../../test/soak/soak.ts';
import { createWorld, type World } from '../../test/world.ts';
import { createCampaign, getCampaign, updateCampaign } from '../campaigns.ts';
import { chooseWinner } from '../safety/ab_test.ts';
import { checkLimits } from '../safety/breaker.ts';
import { decideApproval } from './decisions.ts';
import { startDue } from './schedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const clock = heldClock(new Date());

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
});
afterAll(() => world.stop());

const setup = fc.record({
  hasCanary: fc.boolean(),
  hasTest: fc.boolean(),
  repeats: fc.boolean(),
  needsApproval: fc.boolean(),
  isPaced: fc.boolean(),
});
type Setup = typeof setup extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant('submit' as const) },
  { weight: 3, arbitrary: fc.constant('approve' as const) },
  { weight: 3, arbitrary: fc.constant('work' as const) },
  { weight: 2, arbitrary: fc.constant('wait' as const) },
  fc.constantFrom('decline', 'edit', 'draft', 'pause', 'cancel', 'fail', 'winner'),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Model {
  status: CampaignStatus;
  approval: 'requested' | 'approved' | 'declined' | null;
  hasStarted: boolean;
  schedule: number | null;
}

const OVER: readonly CampaignStatus[] = ['completed', 'failed', 'canceled'];
const wire = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
const now = () => clock.now().getTime();
const canChange = ({ status, hasStarted }: Model) => !hasStarted && status !== 'canceled' && status !== 'completed';

/** Returns the state of the campaign after the request, or null if the server refuses it. */
function predict(model: Model, request: Step, { repeats, needsApproval }: Setup): Model | null {
  const { status, approval } = model;
  const submitted = (draft: Model, schedule: number | null): Model =>
    needsApproval && draft.approval !== 'approved'
      ? { ...draft, schedule, approval: 'requested', status: draft.status === 'paused' ? 'paused' : 'in_complete' }
      : repeats
        ? { ...draft, schedule, status: 'scheduled' }
        : { ...draft, schedule, status: 'in_progress', hasStarted: true };
  switch (request) {
    case 'submit':
      if (OVER.includes(status)) return null;
      // The request also sets the time of the next run, so the campaign changes.
      if (repeats) return submitted({ ...model, approval: null }, now() + HOUR);
      return status === 'in_progress'
        ? model
        : model.hasStarted
          ? { ...model, status: 'in_progress' }
          : submitted(model, null);
    case 'approve':
      if (approval !== 'requested' || (model.schedule !== null && model.schedule <= now())) return null;
      return submitted({ ...model, approval: 'approved' }, model.schedule);
    case 'decline':
      return approval === 'requested' ? { ...model, approval: 'declined' } : null;
    case 'edit': {
      if (!canChange(model)) return null;
      const changed = { ...model, approval: null };
      if (status !== 'scheduled') return changed;
      return needsApproval ? { ...changed, status: 'in_complete', approval: 'requested' } : changed;
    }
    case 'draft':
      if (!canChange(model)) return null;
      return { ...model, status: 'in_complete', approval: approval === 'requested' ? null : approval };
    case 'pause':
      if (status === 'paused') return model;
      return status === 'in_progress' || status === 'scheduled' ? { ...model, status: 'paused' } : null;
    case 'cancel':
      if (status === 'canceled') return model;
      if (status === 'in_complete' || OVER.includes(status)) return null;
      return { ...model, status: 'canceled', approval: approval === 'requested' ? null : approval };
    default:
      return model;
  }
}

interface Place {
  campaign: Campaign;
  author: Actor;
  editor: Actor;
  repeats: boolean;
}

async function ask({ campaign, author, editor, repeats }: Place, request: Step, tx: Tx): Promise<void> {
  const { kernel } = world;
  const change = (body: object) => updateCampaign(tx, kernel, author, campaign.id, body);
  const decide = async (decision: 'approved' | 'declined') => {
    const { approval } = await getCampaign(tx, campaign.account_id, campaign.id);
    if (!approval) throw new Problem('CAMPAIGN_APPROVAL_OUTDATED');
    const ctx = { actor: editor, kernel, address: '127.0.0.1', request_id: 'model', headers: {} };
    await decideApproval(tx, ctx, campaign.id, { approval_id: approval.id, decision, reason: 'Because' });
  };
  if (request === 'submit')
    await change(repeats ? { status: 'scheduled', schedule: wire(now() + HOUR) } : { status: 'in_progress' });
  if (request === 'approve') await decide('approved');
  if (request === 'decline') await decide('declined');
  if (request === 'edit') await change({ text: `Text ${Math.random()}` });
  if (request === 'draft') await change({ status: 'in_complete' });
  if (request === 'pause') await change({ status: 'paused' });
  if (request === 'cancel') await change({ status: 'canceled' });
}

/** Runs the loops of a worker once. Carriers deliver the messages, or all of them fail. */
async function work(account_id: string, fails: boolean): Promise<void> {
  await startDue(world.kernel);
  const running = await world.kernel.db.rows<Campaign>(sql`
    select account_id, id from campaigns where account_id = ${account_id} and status = 'in_progress'`);
  for (const campaign of running) {
    await fanOutAll(world, campaign, 5);
    await applyCarrierStatus(world, campaign, fails ? 'failed' : 'delivered', fails ? { failure: 'unknown' } : {});
    await count(world, campaign);
  }
  await checkLimits(world.kernel);
}

/** The statuses that the work of the server leads to. */
const WORKED: Partial<Record<CampaignStatus, readonly CampaignStatus[]>> = {
  in_progress: ['in_progress', 'paused', 'completed', 'failed'],
  // A series that is more than an hour late pauses, and ends after its last run.
  scheduled: ['scheduled', 'paused', 'completed'],
  paused: ['paused', 'completed', 'failed'],
};

async function play(kinds: Setup, steps: readonly Step[]): Promise<void> {
  const stage = await makeStage(world, crowd(12));
  const { account_id, user_id } = stage;
  const second = await makeUser(world.kernel, account_id, { permissions: { CAMPAIGNS: 7 } });
  const rule = JSON.stringify({ recipients: kinds.needsApproval ? 0 : 1_000, amount_micros: null });
  await world.kernel.db.run(sql`update accounts set campaign_approval = ${rule}::jsonb where id = ${account_id}`);
  const author = { account_id, user_id, key_id: null } as Actor;
  const editor = { account_id, user_id: second.user_id, key_id: null } as Actor;
  const schedule = kinds.repeats ? now() + HOUR : null;
  const body = createEndpoint.body.parse({
    ...campaignDraft(stage, { text: 'First', start: false }),
    ...(kinds.hasCanary
      ? { safety: { canary: { recipients: 3, wait_minutes: 30 }, limits: { failed_percent: 20 } } }
      : {}),
    ...(kinds.hasTest ? { test: { variants: [{ text: 'Second' }], share_percent: 50, wait_minutes: 60 } } : {}),
    ...(kinds.isPaced ? { timing: { rate: { messages: 20, per: 'hour' } } } : {}),
    ...(schedule === null ? {} : { schedule: wire(schedule), repeat: { every: 'day', count: 3 } }),
  });
  const campaign = await world.kernel.db.tx((tx) => createCampaign(tx, world.kernel, author, body));
  const place = { campaign, author, editor, repeats: kinds.repeats };
  let model: Model = { status: 'in_complete', approval: null, hasStarted: false, schedule };
  const read = () => getCampaign(world.kernel.db, account_id, campaign.id);
  for (const one of steps) {
    if (one === 'wait') clock.advance(45 * MINUTE);
    else if (one === 'work' || one === 'fail') {
      await work(account_id, one === 'fail');
      const { status } = await read();
      if (status !== model.status) expect(WORKED[model.status], `${model.status} to ${status}`).toContain(status);
      model = { ...model, status, schedule: kinds.repeats ? Date.parse(`${(await read()).schedule}Z`) : null };
    } else if (one === 'winner')
      await world.kernel.db.tx((tx) => chooseWinner(tx, account_id, campaign.id, 'B')).catch(() => {});
    else {
      const next = predict(model, one, kinds);
      const refusal = await world.kernel.db
        .tx((tx) => ask(place, one, tx))
        .then(
          () => null,
          (error: unknown) => error,
        );
      if (refusal !== null && !(refusal instanceof Problem)) throw refusal;
      expect(refusal === null, `${one}: ${refusal}`).toBe(next !== null);
      model = next ?? model;
    }
    const { status, approval } = await read();
    expect([one, status, approval?.status ?? null]).toEqual([one, model.status, model.approval]);
  }
  const unapproved = await world.kernel.db.rows(sql`
    select id from campaigns where account_id = ${account_id} and start_date is not null
      and approval_status is distinct from 'approved'`);
  if (kinds.needsApproval) expect(unapproved).toEqual([]);
}

test('campaigns move only as the lifecycle allows, and none starts without its approval', async () => {
  const steps = fc.array(step, { minLength: 6, maxLength: 16 });
  await fc.assert(fc.asyncProperty(setup, steps, play), sample(12, 300));
  expect(await broken(world)).toEqual([]);
});
