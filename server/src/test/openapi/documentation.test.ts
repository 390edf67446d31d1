/** Tests the documentation of the API: its sections as Markdown, and every example as a request to a running server. */
import { AREAS } from '@parley/contract/docs/areas.ts';
import { describeCall } from '@parley/contract/docs/examples.ts';
import { GUIDES } from '@parley/contract/docs/guides.ts';
import { type Document, type Operation, resolveReferences, toModules } from '@parley/contract/docs/openapi.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCarrier, makeCompany, makeKey, makeSender } from '../make.ts';
import { picture } from '../media_files.ts';
import { createWorld, type World } from '../world.ts';

let world: World;
let operations: readonly Operation[];
let key: string;
let token: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  const company = await makeCompany(world.kernel);
  token = company.token;
  key = await makeKey(world.kernel, company.account_id);
  await makeCarrier(world.kernel);
  await makeSender(world.kernel, company.account_id, { code: 'Harbour' });
  const document = (await world.as().get('/v1/openapi.json')).body as Document;
  operations = toModules(resolveReferences(document)).flatMap((module) => module.operations);
});
afterAll(() => world.stop());

const fileContent = (name: string): Promise<Buffer> | string =>
  name.endsWith('.png')
    ? picture('png', 640, 640)
    : name.endsWith('.pdf')
      ? '%PDF-1.4\n%%EOF\n'
      : 'number\n447410000123\n';

async function send(operation: Operation): Promise<{ status: number; code: number | undefined; message: string }> {
  const { method, url, headers, data, form, file } = describeCall(operation, world.url);
  const body = form && new FormData();
  for (const [name, value] of Object.entries(form ?? {}))
    if (name === 'file') body?.set(name, new Blob([await fileContent(file)]), file);
    else body?.set(name, String(value));
  const response = await fetch(url, {
    method,
    headers: {
      ...Object.fromEntries(
        headers.map(([name, value]) => [name, value.replace('YOUR_API_KEY', key).replace('YOUR_SESSION_TOKEN', token)]),
      ),
      ...(data ? { 'content-type': 'application/json' } : {}),
    },
    ...(data ? { body: JSON.stringify(data) } : body ? { body } : {}),
    signal: AbortSignal.timeout(10_000),
  });
  const text =
    response.headers.get('content-type')?.includes('json') && response.status >= 400 && (await response.text());
  await response.body?.cancel().catch(() => {});
  const [error] = text ? (JSON.parse(text) as { errors: { code: number; message: string }[] }).errors : [];
  return { status: response.status, code: error?.code, message: error?.message ?? '' };
}

// It runs first, because examples put its number on the stop list.
test('every request of a guide is accepted', async () => {
  const api = world.as({ key });
  for (const { id } of GUIDES) {
    const text = (await world.as().get(`/docs/${id}.md`)).text;
    const created = new Map<string, string>();
    const fill = (block: string) =>
      [...created].reduce((filled, [name, value]) => filled.replaceAll(name, value), block);
    for (const [, block] of text.matchAll(/```sh\n([\s\S]*?)```/g)) {
      const { path, body, put } = readCurl(fill(block!));
      if (/MESSAGE_ID|webhooks/.test(path)) continue;
      const reply = !body ? await api.get(path) : await (put ? api.put : api.post)(path, body.data);
      if (path === '/v1/audiences') created.set('AUDIENCE_ID', reply.body.data.id);
      if (path === '/v1/campaigns') created.set('CAMPAIGN_ID', reply.body.data.id);
      expect([id, path, reply.text.includes('"errors"') ? reply.text : 'accepted']).toEqual([id, path, 'accepted']);
    }
  }
});

function readCurl(block: string): { path: string; body: { data: unknown } | null; put: boolean } {
  const { pathname, search } = new URL(/'(http[^']+)'/.exec(block)![1]!);
  const json = /-d '([^']+)'/.exec(block)?.[1];
  const body = json ? (JSON.parse(json) as { data: unknown }) : null;
  return { path: pathname + search, body, put: block.includes('-X PUT') };
}

/** Refusals of examples that depend on the state of the company or of the system, by call. */
const REFUSALS: Readonly<Record<string, number>> = {
  'accounts.close': 1165, // requires the name of the company
  'accounts.submit_verification': 1154, // this company is verified
  'accounts.update': 1136, // a verified company cannot change its name
  'assistance_provider.update': 2584, // requires a name server
  'assistance_provider_tests.create': 2575, // no language model is set up
  'auth.sign_in': 1120, // the password is an example
  'auth_sessions.end': 1152, // there is no such session
  'auth_sessions.open': 1152,
  'brand_images.create': 2621, // the company has no sub-account
  'campaign_rehearsals.create': 1606, // there is no such audience
  'campaign_samples.create': 1606,
  'campaign_test_sends.create': 2686, // there is no such user
  'campaigns.create': 1606,
  'opt_in_forms.create': 1301, // there is no such audience
  'demo.get': 2566, // this is not the demo company
  'demo.change': 2566,
  'crm.authorize': 2341, // no CRM is set up
  'crm.connect': 2341,
  'crm.connect_pipedrive': 2341,
  'export_destination_tests.create': 2608, // the server is an example
  'invitations.accept': 1131, // there is no such invitation
  'payment_intents.create': 2040, // no payment provider is set up
  'payment_methods.create': 2048,
  'payments.create': 2042,
  'pipedrive.company': 1101, // panels have their own tokens
  'pipedrive.messages': 1101,
  'pipedrive.open': 2341,
  'pipedrive.people': 1101,
  'pipedrive.send': 1101,
  'inbox_agents.update': 2020, // the user is an example
  'pipedrive.senders': 1101,
  'pipedrive.templates': 1101,
  'push_devices.create': 2530, // the push service is an example
  'second_factors.confirm_totp': 1140, // the setup has not started
  'second_factors.create_passkey': 1150, // only an authenticator can make a passkey
  'second_factors.create_passkey_challenge': 1126, // the password is an example
  'second_factors.create_recovery_codes': 1126,
  'second_factors.create_totp': 1126,
  'second_factors.remove_totp': 1126,
  'second_factors.sign_in': 1150,
  'senders.create': 1440, // this company has the sender
  'sessions.change_password': 1126,
  'sessions.create_email_change': 1126,
  'setup_intents.get': 2040,
  'social_networks.connect': 1140, // no other provider has confirmed the person
  'social_networks.sign_in': 1140,
  'social_networks.start': 1127, // the provider is not set up
  'users.create': 1146, // the address got an invitation from the call before
  'verifications.create_email': 1167, // the address got a code from the call before
  'verifications.create_password_reset': 1167,
  'verifications.create_phone': 1801, // no sender of codes is set up
  'verifications.reset_password': 1140, // there is no such link
  'webhooks.create': 1209, // requires a name server
};
/** Calls of these modules run before others put their number on the stop list. */
const FIRST: readonly string[] = ['messages', 'verifications'];
const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE'];
const NOT_FOUND = 404;

test('every example is accepted, unless its ID or the state of the company is an example too', async () => {
  const place = ({ method, tags }: Operation) => METHODS.indexOf(method) * 2 + (FIRST.includes(tags[0]!) ? 0 : 1);
  // Signing out would end the session of the calls after it.
  const calls = operations.filter(({ operationId }) => operationId !== 'auth.sign_out');
  const unexpected: string[] = [];
  let accepted = 0;
  for (const operation of calls.toSorted((a, b) => place(a) - place(b))) {
    const { status, code, message } = await send(operation);
    const { operationId: id, path } = operation;
    if (status < 300) accepted++;
    else if (!(status === NOT_FOUND && /[{]/.test(path)) && code !== REFUSALS[id])
      unexpected.push(`${id}: ${status} ${code} ${message}`);
  }
  expect(unexpected).toEqual([]);
  expect(accepted).toBeGreaterThan(100);
});

test('every module is in one area of the contents', () => {
  const modules = AREAS.flatMap((area) => area.modules);
  expect(modules.toSorted()).toEqual([...new Set(operations.map(({ tags }) => tags[0]!))].toSorted());
});

test('llms.txt links to every section as Markdown', async () => {
  const index = (await world.as().get('/llms.txt')).text;
  const links = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, url]) => new URL(url!).pathname);
  expect(links).toHaveLength(GUIDES.length + AREAS.flatMap((area) => area.modules).length);
  const sections = await Promise.all(links.map(async (path) => (await world.as().get(path)).text));
  for (const [at, text] of sections.entries()) expect([links[at], text.slice(0, 2)]).toEqual([links[at], '# ']);
  const titles = sections.slice(GUIDES.length).flatMap((text) => text.match(/^## .+$/gm) ?? []);
  expect(titles).toHaveLength(operations.length);
  expect(sections.join('')).not.toContain('{{');
  expect((await world.as().get('/docs/none.md')).status).toBe(404);
});

test('the changes for API clients are listed by version', async () => {
  const { text } = await world.as().get('/docs/changes.md');
  const [, changes] = text.split('## What changed');
  expect(changes).toMatch(/\n### \S+\n\n- /);
  expect(changes).toContain(
    '- A `payload` of a message with more than 500 characters is refused with 1705 instead of 1527.\n',
  );
  expect(changes).not.toMatch(/For API clients|npx parley/);
});
