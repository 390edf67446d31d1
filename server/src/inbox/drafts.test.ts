import { DRAFT_MAX } from '@parley/contract/inbox/drafts.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { makeConversation } from '../test/inbox/conversations.ts';
import { type Company, makeCompany, makeSender, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';

let world: World;
let company: Company;
let owner: Caller;
let ann: { user_id: string; caller: Caller };
let id: string;
let number = 447410006000;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  const { user_id, token } = await makeUser(world.kernel, company.account_id, {
    permissions: { MESSAGES: 3, CONVERSATIONS: 1 },
  });
  ann = { user_id, caller: world.as(token) };
  const { sender_id } = await makeSender(world.kernel, company.account_id);
  id = await makeConversation(world.kernel, { account_id: company.account_id, sender_id, number: String(number++) });
});

const answer = ({ status, body }: Reply) => [status, body?.errors?.[0].code];
const save = (draft: object, caller: Caller = owner) => caller.put(`/v1/conversations/${id}/draft`, draft);
const read = async (caller: Caller = owner) => (await caller.get(`/v1/conversations/${id}/draft`)).body.data;
const list = async (caller: Caller = owner) => (await caller.get('/v1/conversation_drafts')).body.data;
const events = () =>
  world.kernel.db.rows(sql`
    select payload from events
    where account_id = ${company.account_id} and type = 'conversation_draft.changed' order by id`);

describe('a draft', () => {
  test('is kept with all its characters until it is emptied', async () => {
    const reply = '  مرحبا \u202Eabc\u202C 👩‍👩‍👧\n\nLine 2 ';
    expect((await save({ reply })).body.data).toEqual({ reply, note: '' });
    expect(await read()).toEqual({ reply, note: '' });
    expect(await list()).toEqual([{ conversation_id: id, kind: 'reply', text: reply }]);
    await save({ note: 'For Ann' });
    expect(await read()).toEqual({ reply, note: 'For Ann' });
    await save({ reply: ' ' });
    expect(await list()).toEqual([{ conversation_id: id, kind: 'note', text: 'For Ann' }]);
    await save({ note: '' });
    expect(await read()).toEqual({ reply: '', note: '' });
    expect(await list()).toEqual([]);
    expect(await events()).toHaveLength(4);
    await save({ note: '' });
    expect(await events()).toHaveLength(4);
  });

  test('is kept in both parts when they are saved at the same time', async () => {
    await Promise.all([save({ reply: 'To the contact' }), save({ note: 'To the team' })]);
    expect(await read()).toEqual({ reply: 'To the contact', note: 'To the team' });
  });

  test('is visible only to its user, and only while the user can view the conversation', async () => {
    await save({ reply: 'Mine' });
    expect(await read(ann.caller)).toEqual({ reply: '', note: '' });
    expect(await list(ann.caller)).toEqual([]);
    await save({ reply: 'Hers' }, ann.caller);
    await owner.put(`/v1/conversations/${id}`, { assignee_id: company.user_id });
    expect(await list(ann.caller)).toEqual([]);
    expect(answer(await ann.caller.get(`/v1/conversations/${id}/draft`))).toEqual([403, 1653]);
    expect(answer(await save({ reply: 'More' }, ann.caller))).toEqual([403, 1653]);
    await owner.put(`/v1/conversations/${id}`, { assignee_id: ann.user_id });
    expect(await read(ann.caller)).toEqual({ reply: 'Hers', note: '' });
    expect(await read()).toEqual({ reply: 'Mine', note: '' });
    const stranger = world.as((await makeCompany(world.kernel)).token);
    expect(answer(await save({ reply: 'Theirs' }, stranger))).toEqual([404, 1651]);
  });

  test('has at most 10,000 characters, all of which can be stored', async () => {
    expect((await save({ reply: 'x'.repeat(DRAFT_MAX) })).status).toBe(200);
    expect(answer(await save({ reply: 'x'.repeat(DRAFT_MAX + 1) }))).toEqual([400, 2339]);
    expect((await save({ reply: 'a\0b' })).status).toBe(400);
    expect((await list())[0].text).toHaveLength(160);
  });
});
