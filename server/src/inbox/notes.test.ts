import { NOTE_MAX } from '@parley/contract/inbox/notes.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { makeConversation } from '../test/inbox/conversations.ts';
import { mailsTo } from '../test/mailbox.ts';
import { type Company, makeCompany, makeSender, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';

let world: World;
let company: Company;
let owner: Caller;
let ann: Awaited<ReturnType<typeof makeUser>> & { caller: Caller };
let id: string;
let number = 447410004000;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  ann = await user('Ann', { MESSAGES: 3, CONVERSATIONS: 1 });
  id = await conversation(company);
});

async function conversation({ account_id }: Company): Promise<string> {
  const { sender_id } = await makeSender(world.kernel, account_id);
  return makeConversation(world.kernel, { account_id, sender_id, number: String(number++) });
}
async function user(first_name: string, permissions: Record<string, number>) {
  const made = await makeUser(world.kernel, company.account_id, { first_name, permissions });
  return { ...made, caller: world.as(made.token) };
}
const answer = ({ status, body }: Reply) => [status, body?.errors?.[0].code];
const write = (text: unknown, mentions: unknown = [], caller: Caller = owner, to: string = id) =>
  caller.post(`/v1/conversations/${to}/notes`, { text, mentions });
const entries = async (caller: Caller = owner) => (await caller.get(`/v1/conversations/${id}/entries`)).body.data;
const readEmail = async (user_id: string): Promise<string> =>
  (await world.kernel.db.one<{ email: string }>(sql`select email from users where id = ${user_id}`)).email;
const mentioned = async ({ caller }: { caller: Caller }) => {
  const list = (await caller.get('/v1/conversations?filter[mentioned]=true')).body.data;
  const { mentions } = (await caller.get('/v1/conversation_badges')).body.data;
  return [list.map((row: { id: string }) => row.id), mentions];
};
const events = async (type: string) =>
  (
    await world.kernel.db.rows<{ payload: object }>(sql`
      select payload from events where account_id = ${company.account_id} and type = ${type} order by id`)
  ).map(({ payload }) => payload);

describe('a note', () => {
  test('is kept in the conversation, is never sent, and survives a change of the assignee', async () => {
    const text = 'Refund agreed 🎉\nCall back at 10:00 \u202Eabc\u202C';
    const note = await write(text);
    expect(note.status).toBe(201);
    expect(note.body.data).toMatchObject({ kind: 'note', text, user: { id: company.user_id }, mentions: [] });
    await owner.put(`/v1/conversations/${id}`, { assignee_id: ann.user_id });
    expect(await entries(ann.caller)).toEqual([note.body.data]);
    const { count } = await world.kernel.db.one<{ count: number }>(sql`
      select count(*) from messages where account_id = ${company.account_id} and direction = 'MT'`);
    expect(count).toBe(0);
    expect(await events('conversation_entry.created')).toEqual([{ ...note.body.data, assignee_id: null }]);
  });

  test('is added once when the call is repeated with its idempotency key', async () => {
    const call = () =>
      owner.raw(`/v1/conversations/${id}/notes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': `note-${id}` },
        body: JSON.stringify({ data: { text: 'Once', mentions: [ann.user_id] } }),
      });
    expect([(await call()).status, (await call()).status]).toEqual([201, 201]);
    expect(await entries()).toHaveLength(1);
    expect(await mailsTo(world.kernel, await readEmail(ann.user_id))).toHaveLength(1);
  });

  test('is deleted only by its user, with its mentions', async () => {
    const note = (await write('See @Ann Person', [ann.user_id])).body.data.id;
    const path = `/v1/conversations/${id}/notes/${note}`;
    expect(answer(await ann.caller.delete(path))).toEqual([403, 2335]);
    const other = await conversation(company);
    expect(answer(await owner.delete(`/v1/conversations/${other}/notes/${note}`))).toEqual([404, 2334]);
    await owner.put(`/v1/conversations/${id}`, { status: 'pending' });
    const status = (await entries())[0].id;
    expect(answer(await owner.delete(`/v1/conversations/${id}/notes/${status}`))).toEqual([404, 2334]);
    expect((await owner.delete(path)).status).toBe(204);
    expect(answer(await owner.delete(path))).toEqual([404, 2334]);
    expect((await entries()).map(({ kind }: { kind: string }) => kind)).toEqual(['status']);
    expect(await mentioned(ann)).toEqual([[], 0]);
    expect(await events('conversation_note.removed')).toEqual([{ id: note, conversation_id: id, assignee_id: null }]);
  });

  test('needs a text of at most 5,000 characters, without characters that cannot be stored', async () => {
    expect(answer(await write(' \n '))).toEqual([400, 2330]);
    expect(answer(await write('x'.repeat(10_000)))).toEqual([400, 2331]);
    expect((await write('a\0b')).status).toBe(400);
    expect((await write('x'.repeat(NOTE_MAX))).status).toBe(201);
    expect(await entries()).toHaveLength(1);
  });

  test('is refused from users who may only read, and in conversations of other companies', async () => {
    const reader = await user('Rea', { MESSAGES: 1, CONVERSATIONS: 1 });
    expect(answer(await write('Hello', [], reader.caller))).toEqual([403, 1136]);
    const stranger = world.as((await makeCompany(world.kernel)).token);
    expect(answer(await write('Hello', [], stranger))).toEqual([404, 1651]);
    expect(await entries()).toEqual([]);
  });
});

describe('a mention', () => {
  test('notifies the user in the app and by email until the user has opened the conversation', async () => {
    const note = (await write('Can you check this, @Ann Person?', [ann.user_id, ann.user_id])).body.data;
    expect(note.mentions).toEqual([{ id: ann.user_id, full_name: 'Ann Person' }]);
    expect(await mentioned(ann)).toEqual([[id], 1]);
    expect(await mentioned({ caller: owner })).toEqual([[], 0]);
    expect(await events('conversation_mention.created')).toEqual([
      {
        id: note.id,
        conversation_id: id,
        assignee_id: null,
        user_id: ann.user_id,
        by_name: 'Test Person',
        text: 'Can you check this, @Ann Person?',
      },
    ]);
    const [mail] = await mailsTo(world.kernel, await readEmail(ann.user_id));
    expect(mail).toMatchObject({ subject: 'Test Person mentioned you in a conversation' });
    expect(mail!.text).toContain('Can you check this, @Ann Person?');
    expect(mail!.text).toContain(`${world.kernel.config.PUBLIC_URL}/inbox/unassigned?conversation=${id}`);
    await ann.caller.put(`/v1/conversations/${id}`, { seen: true });
    expect(await mentioned(ann)).toEqual([[id], 0]);
    expect(await events('conversation_mentions.changed')).toEqual([{ user_ids: [ann.user_id] }]);
  });

  test('reaches only users who can view the conversation', async () => {
    const blind = await user('Bo', { MESSAGES: 3 });
    const stranger = await makeCompany(world.kernel);
    expect(answer(await write('Look, @Bo', [blind.user_id]))).toEqual([400, 2332]);
    expect(answer(await write('Look', [stranger.user_id]))).toEqual([400, 2332]);
    expect(answer(await write('Look', ['nobody']))).toEqual([400, 2332]);
    const names = async () =>
      (await owner.get(`/v1/conversations/${id}/readers`)).body.data.map((row: { id: string }) => row.id);
    expect(await names()).toEqual([ann.user_id, company.user_id]);
    await owner.put(`/v1/conversations/${id}`, { assignee_id: blind.user_id });
    expect(await names()).toEqual([blind.user_id, company.user_id]);
    expect((await write('Look, @Bo', [blind.user_id])).status).toBe(201);
    expect(answer(await write('Look, @Ann', [ann.user_id]))).toEqual([400, 2332]);
  });

  test('is hidden when the user can no longer view the conversation, and in a deleted conversation', async () => {
    await write('@Ann', [ann.user_id]);
    await owner.put(`/v1/conversations/${id}`, { assignee_id: company.user_id });
    expect(await mentioned(ann)).toEqual([[], 0]);
    await owner.put(`/v1/conversations/${id}`, { assignee_id: null });
    expect(await mentioned(ann)).toEqual([[id], 1]);
    await owner.delete(`/v1/conversations/${id}`);
    expect(await mentioned(ann)).toEqual([[], 0]);
  });

  test('of the writer sends no notification, and a note has at most 20 mentions', async () => {
    await write('@me', [company.user_id]);
    expect(await mentioned({ caller: owner })).toEqual([[], 0]);
    expect(await mailsTo(world.kernel, await readEmail(company.user_id))).toEqual([]);
    expect(
      answer(
        await write(
          'All',
          Array.from({ length: 21 }, () => ann.user_id),
        ),
      ),
    ).toEqual([400, 2333]);
  });
});
