/** Tests campaigns that another user must approve, with a clock that the tests advance. */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heldClock } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import {
  broken,
  campaignDraft,
  crowd,
  fanOutAll,
  makeStage,
  readCampaign,
  type Stage,
  startCampaign,
} from '../../test/campaigns.ts';
import { makeKey, makeUser } from '../../test/make.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { type Caller, createWorld, freePort, type World } from '../../test/world.ts';
import { getCampaign } from '../campaigns.ts';
import { startDue } from './schedule.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const clock = heldClock(new Date());

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const EDITOR = { CAMPAIGNS: 7, AUDIENCES: 1, SENDERS: 1 };
const wire = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
const soon = () => wire(clock.now().getTime() + HOUR);
const code = (reply: { body: { errors?: { code: number }[] } }) => reply.body.errors?.[0]?.code;

interface Office extends Stage {
  /** Two more users who may edit campaigns. */
  editors: Caller[];
}

/** An account with five contacts, which requires approval above three recipients. */
async function makeOffice(rule: Record<string, number> = { recipients: 3 }): Promise<Office> {
  const stage = await makeStage(world, crowd(5));
  const editors: Caller[] = [];
  for (const first_name of ['Ann', 'Bea']) {
    const { token } = await makeUser(world.kernel, stage.account_id, { permissions: EDITOR, first_name });
    editors.push(world.as(token));
  }
  expect((await stage.caller.put('/v1/accounts/self', { campaign_approval: rule })).status).toBe(200);
  return { ...stage, editors };
}

const decide = (caller: Caller, { id, approval }: Campaign, decision = 'approved', reason = '') =>
  caller.post(`/v1/campaigns/${id}/approvals`, { approval_id: approval!.id, decision, reason });
const read = ({ account_id, id }: Campaign) => getCampaign(world.kernel.db, account_id, id);
const listMails = ({ account_id }: Stage, subject: string) =>
  world.kernel.db.rows<{ recipient: string }>(sql`
    select recipient from mails where account_id = ${account_id} and subject like ${`${subject}%`}`);

test('a campaign above a threshold waits, and starts once when two users approve it in the same second', async () => {
  const office = await makeOffice();
  const campaign = await startCampaign(office);
  expect(campaign).toMatchObject({
    status: 'in_complete',
    fanned_out: 0,
    approval: { status: 'requested', target: 'in_progress', recipients: 5, submitter_ids: [office.user_id] },
  });
  expect(await listMails(office, 'Approve the campaign')).toHaveLength(2);
  const filter = '/v1/campaigns?filter[approvals]=requested';
  expect((await office.caller.get(filter)).body.data).toHaveLength(1);
  // The author cannot approve, and a key cannot.
  expect(code(await decide(office.caller, campaign))).toBe(2355);
  const key = world.as({ key: await makeKey(world.kernel, office.account_id) });
  expect((await decide(key, campaign)).status).toBe(403);
  const replies = await Promise.all(office.editors.map((editor) => decide(editor, campaign)));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(await readCampaign(office, campaign.id)).toMatchObject({
    status: 'in_progress',
    approval: { status: 'approved' },
  });
  await fanOutAll(world, campaign);
  expect(await readCampaign(office, campaign.id)).toMatchObject({ fanned_out: 5 });
  expect(await listMails(office, 'Campaign approved')).toHaveLength(1);
  const audit = await world.kernel.db.rows(sql`
    select 1 from audit_log where account_id = ${office.account_id} and action = 'campaign.approved'`);
  expect(audit).toHaveLength(1);
});

test('a user declines a campaign with a reason, and its author changes and submits it again', async () => {
  const office = await makeOffice({ amount_micros: 150_000 });
  const [editor] = office.editors as [Caller];
  const campaign = await startCampaign(office, { schedule: soon() });
  expect(campaign.approval).toMatchObject({ target: 'scheduled', amount_micros: 200_000 });
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const calendar = () => editor.get(`/v1/campaign_calendar?from=${day(-1)}&to=${day(30)}`);
  expect((await calendar()).body.data).toMatchObject([{ campaign_id: campaign.id, kind: 'approval', recipients: 5 }]);
  expect(code(await decide(editor, campaign, 'declined'))).toBe(2356);
  expect((await decide(editor, campaign, 'declined', 'Too loud \u{1F4E3}')).body.data).toMatchObject({
    status: 'in_complete',
    approval: { status: 'declined', reason: 'Too loud \u{1F4E3}', decided_by: { name: 'Ann Person' } },
  });
  expect((await calendar()).body.data).toEqual([]);
  expect(code(await decide(editor, campaign))).toBe(2354);
  const path = `/v1/campaigns/${campaign.id}`;
  const again = (await office.caller.put(path, { text: 'Quiet', status: 'scheduled' })).body.data as Campaign;
  expect(again.approval).toMatchObject({ status: 'requested', reason: '' });
  // The text changes after the user has read the request.
  const changed = (await office.caller.put(path, { text: 'Louder', status: 'scheduled' })).body.data as Campaign;
  expect(code(await decide(editor, again))).toBe(2354);
  expect((await decide(editor, changed)).body.data).toMatchObject({ status: 'scheduled' });
  // A change after the approval needs a new one. A name is not a change.
  expect((await office.caller.put(path, { name: 'Renamed' })).body.data.status).toBe('scheduled');
  expect((await office.caller.put(path, { text: 'Other' })).body.data).toMatchObject({
    status: 'in_complete',
    approval: { status: 'requested' },
  });
  const history = (await office.caller.get(`${path}/approvals`)).body.data as { status: string; void_date: unknown }[];
  expect(history.map((entry) => [entry.status, entry.void_date === null])).toEqual([
    ['requested', true],
    ['approved', false],
    ['withdrawn', false],
    ['declined', false],
  ]);
  expect((await office.caller.put(path, { status: 'in_complete' })).body.data.approval).toBeNull();
  expect((await office.caller.delete(path)).status).toBe(204);
});

test('small campaigns, and campaigns after the rule is turned off, need no approval', async () => {
  const office = await makeOffice({ recipients: 5, amount_micros: 200_000 });
  expect(await startCampaign(office)).toMatchObject({ status: 'in_progress', approval: null });
  await office.caller.put('/v1/accounts/self', { campaign_approval: { recipients: 0 } });
  const waiting = await startCampaign(office, { name: 'Waits' });
  expect(waiting.status).toBe('in_complete');
  await office.caller.put('/v1/accounts/self', { campaign_approval: null });
  const started = await office.caller.put(`/v1/campaigns/${waiting.id}`, { status: 'in_progress' });
  expect(started.body.data).toMatchObject({ status: 'in_progress', approval: null });
});

test('the user behind an API key cannot approve its campaign, and users of other accounts cannot either', async () => {
  const office = await makeOffice();
  const [ann, bea] = office.editors as [Caller, Caller];
  const key = await makeKey(world.kernel, office.account_id);
  const me = (await ann.get('/v1/users/self')).body.data.id as string;
  await world.kernel.db.run(sql`update api_keys set user_id = ${me} where account_id = ${office.account_id}`);
  const reply = await world.as({ key }).post('/v1/campaigns', campaignDraft(office));
  const campaign = reply.body.data as Campaign;
  expect(campaign.approval).toMatchObject({ requested_by: null, submitter_ids: [me] });
  expect(code(await decide(ann, campaign))).toBe(2355);
  const stranger = await makeOffice();
  expect((await decide(stranger.caller, campaign)).status).toBe(404);
  expect((await stranger.caller.get(`/v1/campaigns/${campaign.id}/approvals`)).status).toBe(404);
  expect((await decide(bea, campaign)).body.data.status).toBe('in_progress');
});

test('the rule needs an owner, a threshold, and a second user who may edit campaigns', async () => {
  const stage = await makeStage(world, crowd(1));
  const rule = (caller: Caller, campaign_approval: unknown) => caller.put('/v1/accounts/self', { campaign_approval });
  expect(code(await rule(stage.caller, { recipients: 3 }))).toBe(2353);
  const office = await makeOffice();
  expect(code(await rule(office.caller, {}))).toBe(2353);
  expect(code(await rule(office.caller, { recipients: -1 }))).toBe(2353);
  const { token } = await makeUser(world.kernel, office.account_id, { permissions: { ACCOUNTS: 15 } });
  expect((await rule(world.as(token), null)).status).toBe(403);
  const key = await makeKey(world.kernel, office.account_id);
  expect((await rule(world.as({ key }), null)).status).toBe(403);
});

test('a server that is killed before the commit of an approval leaves the request for another user', async () => {
  const office = await makeOffice();
  const campaign = await startCampaign(office);
  const { token } = await makeUser(world.kernel, office.account_id, { permissions: EDITOR });
  const PORT = String(await freePort());
  const killed = await startWorkerProcess(world, { ROLE: 'api', PORT, FAILPOINT: 'before_decision_commit' });
  const call = fetch(`http://127.0.0.1:${PORT}/v1/campaigns/${campaign.id}/approvals`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { approval_id: campaign.approval!.id, decision: 'approved' } }),
  });
  await expect(call).rejects.toThrow();
  expect((await killed.ended).signal).toBe('SIGKILL');
  expect(await read(campaign)).toMatchObject({ status: 'in_complete', approval: { status: 'requested' } });
  expect((await decide(office.editors[0]!, campaign)).body.data).toMatchObject({
    status: 'in_progress',
    fanned_out: 0,
  });
});

// The sessions of the callers expire when the clock advances, so these are the last tests.
test('a scheduled campaign whose audience grows beyond the threshold or its approval waits at its time', async () => {
  const office = await makeOffice({ recipients: 5 });
  const [editor] = office.editors as [Caller];
  const small = await startCampaign(office, { name: 'Small', schedule: soon() });
  expect(small).toMatchObject({ status: 'scheduled', approval: null });
  await office.caller.put('/v1/accounts/self', { campaign_approval: { recipients: 4 } });
  const large = await startCampaign(office, { name: 'Large', schedule: soon() });
  const approved = (await decide(editor, large)).body.data as Campaign;
  expect(approved.status).toBe('scheduled');
  const { account_id, audience_id } = office;
  await world.kernel.db.run(sql`
    insert into contacts (account_id, audience_id, id, number, country)
    select ${account_id}, ${audience_id}, gen_random_uuid(), number || '9', country from contacts
    where account_id = ${account_id} and audience_id = ${audience_id} limit 3`);
  await world.kernel.db.run(sql`
    update audiences set contacts_count = 8 where account_id = ${account_id} and id = ${audience_id}`);
  clock.advance(HOUR + 60_000);
  await startDue(world.kernel);
  for (const campaign of [small, large])
    expect(await read(campaign)).toMatchObject({
      status: 'paused',
      status_details: 'approval',
      approval: { status: 'requested', requested_by: null, target: 'in_progress' },
    });
});

test('the approval of a repeating campaign covers its runs', async () => {
  const office = await makeOffice();
  const [editor] = office.editors as [Caller];
  const series = await startCampaign(office, { schedule: soon(), repeat: { every: 'day' } });
  expect(series.status).toBe('in_complete');
  expect((await decide(editor, series)).body.data.status).toBe('scheduled');
  for (let run = 0; run < 2; run++) {
    clock.advance(run === 0 ? HOUR + 1_000 : DAY);
    await startDue(world.kernel);
  }
  const runs = await world.kernel.db.rows<{ status: string }>(sql`
    select status from campaigns where account_id = ${office.account_id} and series_id = ${series.id}`);
  expect(runs).toEqual([{ status: 'in_progress' }, { status: 'in_progress' }]);
});
