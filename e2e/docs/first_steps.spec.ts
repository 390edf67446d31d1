/**
 * The first steps of a developer, as the welcome popup and the documentation promise them. The tests print how long the
 * steps take and assert only that all of them work.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OWNER } from '../api.ts';
import { newCompany } from '../company.ts';
import { expect, signIn, test } from '../test.ts';

const run = promisify(execFile);
const CLIPBOARD = 'navigator.clipboard.readText()';

/** Returns a function that prints the time since this call. */
function measure(what: string): () => void {
  const start = performance.now();
  return () => console.log(`${what}: ${((performance.now() - start) / 1_000).toFixed(1)} s`);
}

test('a new company creates its first key from the welcome popup', async ({ at, sandbox, openAs }) => {
  test.setTimeout(120_000);
  const { email } = await newCompany(at, sandbox);
  const page = await openAs(email);
  const welcome = page.getByRole('dialog', { name: /^Welcome to Parley/ });
  await expect(welcome).toContainText('Create your first API key in under 30 seconds.');
  const print = measure('First API key, from the welcome popup');
  await welcome.getByRole('button', { name: 'Create API key' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Shop');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await expect(page.getByRole('button', { name: /^Copy API key parley_/ })).toBeVisible();
  print();
});

test('a first message is sent by copy and paste from the documentation', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const print = measure('First message, by copy and paste from the documentation');
  await page.goto('/docs');
  await expect(page.getByText('You need an account and an API key.')).toBeVisible();
  await page.goto('/apis/keys/create');
  await signIn(page, OWNER);
  await page.getByLabel('Name', { exact: true }).fill('First message');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByRole('button', { name: /^Copy API key parley_/ }).click();
  const key = await page.evaluate<string>(CLIPBOARD);
  await page.goto('/docs');
  const commands: string[] = [];
  for (const step of ['1. Find a sender', '2. Send the message']) {
    await page.getByRole('button', { name: `Copy Code: ${step}` }).click();
    await expect(page.getByRole('button', { name: `Code: ${step} copied` })).toBeVisible();
    commands.push(await page.evaluate<string>(CLIPBOARD));
  }
  const [find, send] = commands.map((command) => command.replace('YOUR_API_KEY', key));
  const senders = JSON.parse((await run('bash', ['-c', find!])).stdout) as { data: { code: string; status: string }[] };
  const { code } = senders.data.find(({ status }) => status === 'available')!;
  const env = { ...process.env, PARLEY_KEY: key };
  const sent = await run('bash', ['-c', send!.replace('"Harbour"', `"${code}"`)], { env });
  print();
  expect(JSON.parse(sent.stdout).data).toMatchObject([{ from: code, to: '447400123456', status: 'enroute' }]);
});
