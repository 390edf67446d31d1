/**
 * The permission matrix of the inbox: every call with the ID of a conversation, the list, the counts, the search, the
 * calls that return parts of conversations, and the events, for every set of permissions and every bucket. New calls
 * with the ID of a conversation and new events are covered automatically.
 */
import { endpointPath } from '@parley/contract/endpoint.ts';
import { BUCKETS, type Bucket, canViewBucket } from '@parley/contract/inbox/inbox.ts';
import { ENDPOINTS, EVENTS } from '@parley/contract/index.ts';
import { type Need, type Permissions, permits } from '@parley/contract/permission.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { addTexts } from '../messages/messages.ts';
import { makeConversation } from '../test/inbox/conversations.ts';
import { type Company, makeCompany, makeSender, makeUser } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';

const PERMISSIONS: Permissions[] = [
  {},
  { MESSAGES: 1 },
  { CONVERSATIONS: 1 },
  { CONVERSATIONS: 2 },
  { CONVERSATIONS: 15 },
  { MESSAGES: 1, CONVERSATIONS: 1 },
  { MESSAGES: 15, CONVERSATIONS: 15 },
  { AUDIENCES: 15 },
  { AUDIENCES: 1, MESSAGES: 1 },
];
const CALLS = ENDPOINTS.filter(({ path }) => path.startsWith('/v1/conversations/{id}'));
const CONTENTS = ['conversations', 'conversation_assignments', 'conversation_entries', 'conversation_presence'];
/** Events without contents of a conversation: about all targets, a count of messages, and the ID of a person. */
const WITHOUT_CONTENTS = ['inbox_targets.changed', 'contents.expired', 'person.erased'];
/** Events about a conversation's content. */
const INBOX_EVENTS = EVENTS.filter(
  ({ id, modules }) => !WITHOUT_CONTENTS.includes(id) && modules.some((name) => CONTENTS.includes(name)),
);

/** The bodies of calls that need other fields than `seen`. */
const BODIES: Record<string, object> = {
  'assistance.create': { action: 'suggest' },
  'conversation_notes.create': { text: 'Call back' },
  'conversation_drafts.save': { reply: 'Hello' },
  'conversation_presence.report': { state: 'viewing' },
  'conversation_collisions.create': { message_id: '00000000-0000-7000-8000-000000000000' },
};
/** The parameters of calls that need any. */
const QUERIES: Record<string, string> = {
  'link_previews.get': '?message_id=00000000-0000-7000-8000-000000000000',
};

let world: World;
let company: Company;
let sender_id: string;
let number = 447410002000;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  ({ sender_id } = await makeSender(world.kernel, company.account_id));
});
afterAll(() => world.stop());

const assignee = (bucket: Bucket, user_id: string): string | null =>
  bucket === 'none' ? null : bucket === 'self' ? user_id : company.user_id;

describe.each(PERMISSIONS)('a user with %j', (permissions) => {
  test('reaches only the conversations of the buckets that the permissions cover', async () => {
    const { user_id, token } = await makeUser(world.kernel, company.account_id, { permissions });
    const caller = world.as(token);
    const counts = (await caller.get('/v1/conversation_badges')).body.data;
    for (const bucket of BUCKETS) {
      const isVisible = canViewBucket(bucket, { user_id, permissions });
      const own = { account_id: company.account_id, sender_id, assignee_id: assignee(bucket, user_id) };
      const listed = String(number++);
      const id = await makeConversation(world.kernel, { ...own, number: listed, texts: [`My number is ${listed}`] });
      await addTexts(world.kernel);
      for (const endpoint of CALLS) {
        if (!permits(permissions, endpoint.needs as Need)) continue;
        const row = await makeConversation(world.kernel, { ...own, number: String(number++) });
        const { status, body } = await caller.raw(
          endpointPath(endpoint.path, { id: row, note_id: row, label_id: row }) + (QUERIES[endpoint.id] ?? ''),
          {
            method: endpoint.method,
            ...(endpoint.body
              ? {
                  headers: { 'content-type': 'application/json' },
                  body: JSON.stringify({ data: BODIES[endpoint.id] ?? { seen: true } }),
                }
              : {}),
          },
        );
        const refusal = body?.errors?.[0]?.code;
        expect([endpoint.id, bucket, refusal === 1653 ? status : null]).toEqual([
          endpoint.id,
          bucket,
          isVisible ? null : 403,
        ]);
      }
      const list = await caller.get(`/v1/conversations?page_size=1000&filter[search]=${listed}`);
      const ids = (list.body.data ?? []).map((row: { id: string }) => row.id);
      expect([bucket, ids]).toEqual([bucket, isVisible ? [id] : []]);
      const found = (await caller.get(`/v1/search?text=${listed}`)).text;
      expect([bucket, found.includes(id)]).toEqual([bucket, isVisible]);
      const texts = (await caller.get(`/v1/inbox_texts?kind=message&text=${listed}`)).text;
      expect([bucket, texts.includes(id)]).toEqual([bucket, isVisible]);
      if (!isVisible) expect(counts?.[bucket].total ?? 0).toBe(0);
    }
  });

  test('reads drafts, notes, view counts, reports, rule tests, and responses only in these buckets', async () => {
    const { user_id, token } = await makeUser(world.kernel, company.account_id, { permissions });
    const [caller, owner] = [world.as(token), world.as(company.token)];
    const { body } = await owner.post('/v1/responses', { name: `Hours ${user_id}`, text: 'Until six', shared: true });
    for (const bucket of BUCKETS) {
      const isVisible = canViewBucket(bucket, { user_id, permissions });
      const digits = String(number++);
      const { account_id } = company;
      const assignee_id = assignee(bucket, user_id);
      const id = await makeConversation(world.kernel, { account_id, sender_id, assignee_id, number: digits });
      expect((await owner.post(`/v1/conversations/${id}/notes`, { text: `Note ${digits}` })).status).toBe(201);
      await world.kernel.db.run(sql`
        insert into conversation_drafts (account_id, user_id, conversation_id, reply)
        values (${account_id}, ${user_id}, ${id}, 'Hello')`);
      await world.kernel.db.run(sql`
        insert into conversation_episodes (account_id, conversation_id, channel, open_date, assignee_id)
        values (${account_id}, ${id}, 'SMS', now(), ${assignee_id})
        on conflict do nothing`);
      await addTexts(world.kernel);
      for (const path of [
        '/v1/conversation_drafts',
        `/v1/inbox_texts?kind=note&text=${digits}`,
        '/v1/inbox_reports/conversations?page_size=1000',
      ]) {
        const { status, text } = await caller.get(path);
        expect([path, bucket, status === 200 && text.includes(id)]).toEqual([path, bucket, isVisible]);
      }
      const state = { filters: { bucket, search: digits }, sort: null, columns: { shown: {}, order: [] } };
      const view = await caller.post('/v1/views', { list: 'inbox', name: digits, state });
      const counts = (await caller.get('/v1/inbox_view_counts')).body.data ?? [];
      const counted = counts.find(({ view_id }: { view_id: string }) => view_id === view.body.data?.id);
      expect([bucket, counted?.conversations ?? 0]).toEqual([bucket, isVisible ? 1 : 0]);
      const filled = await caller.post(`/v1/responses/${body.data.id}/texts`, { conversation_id: id });
      const mayFill = isVisible && permits(permissions, 'MESSAGES:add');
      expect([bucket, filled.status]).toEqual([bucket, mayFill ? 200 : 403]);
      const tested = await caller.post('/v1/inbox_rule_tests', { conditions: {} });
      if (tested.status !== 403) expect([bucket, tested.text.includes(id)]).toEqual([bucket, isVisible]);
    }
  });

  test.each(INBOX_EVENTS.map((type) => [type.id, type] as const))(
    'receives %s only for the buckets that the permissions cover',
    (_, type) => {
      const viewer = { user_id: 'me', permissions };
      for (const bucket of BUCKETS) {
        const assignee_id = bucket === 'none' ? null : bucket === 'self' ? 'me' : 'other';
        const user = assignee_id === null ? null : { id: assignee_id, full_name: 'Name' };
        const payload = { id: 'c', user_id: 'me', assignee_id, from: user, to: user };
        const isReceived = permits(permissions, type.needs) && (type.visible?.(payload, viewer) ?? true);
        expect([bucket, isReceived]).toEqual([
          bucket,
          permits(permissions, type.needs) && canViewBucket(bucket, viewer),
        ]);
      }
    },
  );
});
