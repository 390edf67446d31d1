import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { makeCarrier, makeCompany, makeSender, makeUser } from '../test/make.ts';
import { makeTemplate } from '../test/templates.ts';
import {
  type Caller,
  createWorld,
  freePort,
  type SandboxProcess,
  startSandbox,
  until,
  type World,
} from '../test/world.ts';

const SAM = 1001;
const LEA = 1002;
const COMPANY = '70001';
/** Ada, whose number the CRM has without the country code. */
const ADA = { person_id: '1', number: '491700456101' };

let folder: string;
let box: SandboxProcess;
let world: World;
let owner: Caller;
let account_id: string;
let user_id: string;
let sender_id: string;

// biome-ignore lint/suspicious/noExplicitAny: tests read responses member by member
const control = async (method: string, path: string, body?: unknown): Promise<any> => {
  const response = await fetch(`${box.url}/api/pipedrive${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return response.status === 204 ? null : response.json();
};
const activities = async () => (await control('GET', '')).activities;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-crm-'));
  box = await startSandbox(folder);
  const PORT = String(await freePort());
  const PUBLIC_URL = `http://127.0.0.1:${PORT}`;
  world = await createWorld({
    settings: {
      PORT,
      PUBLIC_URL,
      CRM_APPS: `pipedrive,parley,sandbox-pipedrive-secret,${box.url}/pipedrive`,
    },
  });
  await control('PUT', '/app', { callback_url: `${PUBLIC_URL}/pipedrive` });
  await makeCarrier(world.kernel);
});
afterAll(async () => {
  await world.stop();
  await box.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await control('POST', '/reset');
  await world.kernel.db.run(sql`delete from crm_companies`);
  const made = await makeCompany(world.kernel, { country: 'DE' });
  ({ account_id, user_id } = made);
  owner = world.as(made.token);
  ({ sender_id } = await makeSender(world.kernel, account_id));
});

const answer = async (caller: Caller, user: number, state?: string) => {
  const { code } = await control('POST', '/codes', { user_id: user });
  return caller.post('/v1/pipedrive-oauth/token', { code, ...(state ? { state } : {}) });
};
const install = async (caller: Caller = owner, user: number = SAM) => {
  const { url } = (await caller.post('/v1/crm_connections/pipedrive/authorizations')).body.data;
  return answer(caller, user, new URL(url).searchParams.get('state')!);
};
const openPanel = async (user: number = SAM, seconds = 300) => {
  const { token } = await control('POST', '/panel_tokens', { user_id: user, seconds });
  return world.as().post('/v1/pipedrive-panels', { token });
};
const panel = async (user: number = SAM): Promise<Caller> =>
  world.as((await openPanel(user)).body.data.access_token as string);
const connection = async () => (await owner.get('/v1/crm_connections')).body.data[0].connection;

describe('connecting', () => {
  test('a person connects the company, and its tokens are stored sealed', async () => {
    const reply = await install();
    expect([reply.status, reply.body.data]).toMatchObject([
      201,
      { provider: 'pipedrive', company_id: COMPANY, state: 'active', users: [{ id: String(SAM), state: 'active' }] },
    ]);
    const stored = await world.kernel.db.one<{ access_token: string; refresh_token: string }>(
      sql`select access_token, refresh_token from crm_users where account_id = ${account_id}`,
    );
    expect([stored.access_token, stored.refresh_token].every((text) => text.startsWith('sealed.'))).toBe(true);
    expect(reply.text).not.toContain('token');
  });

  test('an authorization is refused when another user started it', async () => {
    const other = world.as(
      (await makeUser(world.kernel, account_id, { owner: false, permissions: { MESSAGES: 15 } })).token,
    );
    const { url } = (await owner.post('/v1/crm_connections/pipedrive/authorizations')).body.data;
    const reply = await answer(other, SAM, new URL(url).searchParams.get('state')!);
    expect([reply.status, reply.body.errors[0].code]).toEqual([400, 2345]);
  });

  test('a wrong code and a company that another account has connected are refused', async () => {
    const wrong = await owner.post('/v1/pipedrive-oauth/token', { code: 'wrong' });
    expect([wrong.status, wrong.body.errors[0].code]).toEqual([400, 2344]);
    await install();
    const stranger = world.as((await makeCompany(world.kernel)).token);
    const taken = await install(stranger);
    expect([taken.status, taken.body.errors[0].code]).toEqual([409, 2347]);
    expect((await stranger.get('/v1/crm_connections')).body.data[0].connection).toBeNull();
  });

  test('a user without permission to change the account can join a connection but not start one', async () => {
    const agent = world.as((await makeUser(world.kernel, account_id, { permissions: { MESSAGES: 15 } })).token);
    const first = await install(agent, LEA);
    expect([first.status, first.body.errors[0].code]).toEqual([403, 1136]);
    await install();
    expect((await install(agent, LEA)).status).toBe(201);
    expect((await connection()).users.map(({ id }: { id: string }) => id)).toEqual([String(SAM), String(LEA)]);
  });

  test('an uninstalled app loses its tokens and panels, and the connection must be renewed', async () => {
    await install();
    const opened = await panel();
    await control('POST', '/uninstalls', { user_id: SAM });
    expect(await connection()).toMatchObject({
      state: 'broken',
      users: [],
      last_error: expect.stringMatching(/uninstalled/),
    });
    expect((await opened.get('/v1/pipedrive-senders')).status).toBe(401);
    const forged = await world.as().raw('/pipedrive', {
      method: 'DELETE',
      headers: { authorization: 'Basic d3Jvbmc6d3Jvbmc=', 'content-type': 'application/json' },
      body: JSON.stringify({ company_id: 70_001, user_id: SAM }),
    });
    expect(forged.status).toBe(401);
  });

  test('disconnecting deletes all data of the connection and revokes its tokens', async () => {
    await install();
    expect((await owner.delete('/v1/crm_connections/pipedrive')).status).toBe(204);
    expect(await connection()).toBeNull();
    expect((await control('GET', '')).installed).toEqual([]);
    expect((await owner.delete('/v1/crm_connections/pipedrive')).status).toBe(404);
  });
});

describe('the panel', () => {
  test('a panel token works only for panel calls, and a session works for none of them', async () => {
    await install();
    const opened = await panel();
    expect((await opened.get(`/v1/pipedrive-companies/${COMPANY}`)).body.data).toMatchObject({
      account_id,
      id: COMPANY,
    });
    expect((await opened.get('/v1/messages')).status).toBe(401);
    expect((await opened.get('/v1/senders')).status).toBe(401);
    expect((await owner.get('/v1/pipedrive-senders')).status).toBe(401);
    expect((await opened.get('/v1/pipedrive-companies/70002')).status).toBe(404);
  });

  test('a token that has expired, was forged, or belongs to a person without a connection is refused', async () => {
    await install();
    const expired = await openPanel(SAM, -60);
    expect([expired.status, expired.body.errors[0].code]).toEqual([400, 2349]);
    const { token } = await control('POST', '/panel_tokens', { user_id: SAM });
    const forged = await world.as().post('/v1/pipedrive-panels', { token: `${token.slice(0, -4)}AAAA` });
    expect([forged.status, forged.body.errors[0].code]).toEqual([400, 2349]);
    const lea = await openPanel(LEA);
    expect([lea.status, lea.body.errors[0].code]).toEqual([403, 2350]);
  });

  test('a panel loses access when its Parley user is blocked', async () => {
    await install();
    const opened = await panel();
    await world.kernel.db.run(sql`
      update users set blocked = true where account_id = ${account_id} and id = ${user_id}`);
    expect((await opened.get('/v1/pipedrive-senders')).status).toBe(401);
  });

  test('the people of a deal have their numbers in international format, with the stop list', async () => {
    await install();
    await owner.post('/v1/stop_list', { number: ADA.number });
    const opened = await panel();
    const { data } = (await opened.get('/v1/pipedrive-people?resource=deal&id=1')).body;
    expect(data).toMatchObject([
      {
        id: '1',
        name: 'Ada Winter',
        deal_id: '1',
        numbers: [{ number: ADA.number, stopped: true }, { number: '4930901820' }],
      },
    ]);
    const missing = await opened.get('/v1/pipedrive-people?resource=deal&id=999');
    expect([missing.status, missing.body.errors[0].code]).toEqual([404, 2351]);
  });

  test('the panel has the time zone of the company, and its senders without deleted and shared ones', async () => {
    await install();
    const [deleted, shared] = [
      await makeSender(world.kernel, account_id),
      await makeSender(world.kernel, account_id, { name: 'Try it now' }),
    ];
    await world.kernel.db.run(sql`
      update senders set delete_date = case when id = ${deleted.sender_id} then now() end,
        shared_from = case when id = ${shared.sender_id} then ${sender_id}::uuid end
      where account_id = ${account_id} and id in (${deleted.sender_id}, ${shared.sender_id})`);
    const opened = await panel();
    const senders: { id: string }[] = (await opened.get('/v1/pipedrive-senders')).body.data;
    expect(senders.map(({ id }) => id)).toEqual([sender_id]);
    const { company_id } = (await connection()) as { company_id: string };
    const company = (await opened.get(`/v1/pipedrive-companies/${company_id}`)).body.data;
    expect(company.timezone).toBe((await owner.get('/v1/accounts/self')).body.data.timezone);
  });

  test('templates of the sender are offered with their placeholders', async () => {
    await install();
    await makeTemplate(world.kernel, account_id);
    const opened = await panel();
    const { data } = (await opened.get(`/v1/pipedrive-templates?sender_id=${sender_id}`)).body;
    expect(data).toHaveLength(1);
  });
});

describe('logging', () => {
  const message = (text: string) => ({ sender_id, to: `+${ADA.number}`, person_id: ADA.person_id, deal_id: '1', text });
  const logged = async (count: number) => {
    await until(`${count} activities`, async () => (await activities()).length >= count);
    return activities();
  };

  test('a message from the panel is sent once for one key, and becomes one activity of the deal', async () => {
    await install();
    const opened = await panel();
    const key = { 'idempotency-key': newId() };
    const sent = await opened.post('/v1/pipedrive-messages', message('See you at 3'), key);
    const again = await opened.post('/v1/pipedrive-messages', message('See you at 3'), key);
    expect([sent.status, again.body.data.id]).toEqual([201, sent.body.data.id]);
    const [activity] = await logged(1);
    expect(activity).toMatchObject({
      subject: 'SMS sent: See you at 3',
      type: 'message',
      done: true,
      owner_id: SAM,
      person_id: 1,
      deal_id: 1,
      note: expect.stringContaining(sent.body.data.id),
    });
    const { data } = (await opened.get(`/v1/pipedrive-messages?sender_id=${sender_id}&number=${ADA.number}`)).body;
    expect(data).toMatchObject([{ text: 'See you at 3', direction: 'MT', logged: true }]);
    expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
  });

  test('a reply is logged for the person with its number, and an unknown number is skipped', async () => {
    await install();
    const received = async (number: string, text: string) => {
      const id = newId();
      await world.kernel.db.tx((tx) => receive(tx, { id, number, text }));
      return id;
    };
    const reply = await received(ADA.number, 'Fine <b>with</b> me');
    const strange = await received('4915100000001', 'Hello?');
    const [activity] = await logged(1);
    expect(activity).toMatchObject({ subject: 'SMS received: Fine <b>with</b> me', person_id: 1 });
    expect(activity.note).toContain('&#60;b&#62;');
    expect(activity.note).toContain(reply);
    await until('the stranger is skipped', async () => {
      const row = await world.kernel.db.maybeOne<{ status: string }>(
        sql`select status from crm_logs where account_id = ${account_id} and message_id = ${strange}`,
      );
      return row?.status === 'skipped';
    });
    expect(await activities()).toHaveLength(1);
  });

  test('an activity is not created again when the CRM has stored it but its response was lost', async () => {
    await install();
    const opened = await panel();
    const sent = await opened.post('/v1/pipedrive-messages', message('Only once'));
    await logged(1);
    // The state after a crash between the call and its result.
    await world.kernel.db.tx(async (tx) => {
      await tx.run(sql`
        update crm_logs set status = 'submitting', activity_id = null where account_id = ${account_id}`);
      const { enqueue } = await import('../kernel/jobs/jobs.ts');
      const { logJob } = await import('./logs.ts');
      await enqueue(tx, logJob, { account_id, provider: 'pipedrive', message_id: sent.body.data.id });
    });
    await until('the log is done', async () => (await connection()).logged_count === 1);
    expect(await activities()).toHaveLength(1);
  });

  test('an expired token is renewed, and an activity is retried while the CRM is down', async () => {
    await install();
    const opened = await panel();
    await control('POST', '/expired_tokens');
    await control('POST', '/failures', { status: 503, count: 1 });
    await opened.post('/v1/pipedrive-messages', message('Later'));
    await until('the failure is shown', async () => /did not respond/.test((await connection()).last_error ?? ''));
    await logged(1);
    await until('the error is gone', async () => (await connection()).last_error === null);
  });

  test('failed messages are logged when the person reconnects', async () => {
    await install();
    const opened = await panel();
    await control('POST', '/uninstalls', { user_id: SAM });
    await install();
    await control('POST', '/reset');
    const reopened = await panel();
    await reopened.post('/v1/pipedrive-messages', message('After the revocation'));
    await until('the connection is broken', async () => (await connection()).state === 'broken');
    expect((await connection()).failed_count).toBe(1);
    expect((await opened.get('/v1/pipedrive-senders')).status).toBe(401);
    await install();
    await logged(1);
    expect(await connection()).toMatchObject({ state: 'active', failed_count: 0 });
  });

  test('messages are sent but not logged when logging is off', async () => {
    await install();
    await owner.put('/v1/crm_connections/pipedrive', { logs_messages: false, sender_id });
    const opened = await panel();
    expect((await opened.post('/v1/pipedrive-messages', message('Quiet'))).status).toBe(201);
    expect((await connection()).waiting_count).toBe(0);
    expect((await opened.get(`/v1/pipedrive-companies/${COMPANY}`)).body.data.sender_id).toBe(sender_id);
  });
});

async function receive(
  tx: Parameters<Parameters<World['kernel']['db']['tx']>[0]>[0],
  { id, number, text }: { id: string; number: string; text: string },
): Promise<void> {
  const { emitSelected } = await import('../kernel/live/events.ts');
  const { messageCreated } = await import('@parley/contract/messages/messages.ts');
  const { messageJson } = await import('../messages/model/message_columns.ts');
  await tx.run(sql`
    insert into messages (account_id, id, text, "from", "to", number, channel, type, status, direction, source,
      segments_count, encoding, country, price_micros, currency, charge, sender_id)
    select ${account_id}, ${id}, ${text}, ${number}, code, ${number}, 'SMS', 'text', 'received', 'MO', 'phone', 1,
      'GSM-7', 'DE', 0, 'USD', 'none', id
    from senders where account_id = ${account_id} and id = ${sender_id}`);
  await emitSelected(
    tx,
    messageCreated,
    sql`select m.account_id, ${newId()}::uuid as id, ${messageJson} as payload, true as live
      from messages m where m.account_id = ${account_id} and m.id = ${id}`,
  );
}
