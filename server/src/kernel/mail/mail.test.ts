import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { sql } from '../db/db.ts';
import { loadConfig } from '../settings/config.ts';
import { letter } from './letter.ts';
import { type Mail, mailJobs, sendMail, transportOptions } from './mail.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'worker', sandbox: true });
});
afterAll(() => world.stop());

const mail = (to: string, overrides: Partial<Mail> = {}): Mail => ({
  to,
  subject: 'Grüße aus Parley',
  ...letter({ title: 'Code', paragraphs: ['Your code is 123456'], footer: 'You requested it.' }),
  ...overrides,
});
interface Row {
  status: string;
  attempts: number;
  error: string | null;
}
const row = (to: string) =>
  world.kernel.db.maybeOne<Row>(sql`select status, attempts, error from mails where recipient = ${to}`);
async function waitUntil(to: string, isSettled: (row: Row) => boolean): Promise<Row> {
  for (const deadline = Date.now() + 15_000; Date.now() < deadline; ) {
    const current = await row(to);
    if (current && isSettled(current)) return current;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`mail still pending: ${JSON.stringify(await row(to))}`);
}
async function listReceived(to: string): Promise<{ subject: string }[]> {
  const response = await fetch(`${world.sandbox!.url}/api/mail?to=${encodeURIComponent(to)}`);
  return ((await response.json()) as { mail: { subject: string }[] }).mail;
}

test('an email is sent after the commit, once per key, and with a subject in any script', async () => {
  await world.kernel.db.tx(async (tx) => {
    expect(await sendMail(tx, mail('anna@example.test', { dedupe_key: 'welcome:1' }))).toBe(true);
    expect(await sendMail(tx, mail('anna@example.test', { dedupe_key: 'welcome:1' }))).toBe(false);
  });
  expect(await waitUntil('anna@example.test', ({ status }) => status === 'sent')).toEqual({
    status: 'sent',
    attempts: 1,
    error: null,
  });
  expect(await listReceived('anna@example.test')).toMatchObject([{ subject: 'Grüße aus Parley' }]);
});

test('an email that can be stopped has the headers for one click', async () => {
  const unsubscribe_url = `${world.kernel.config.PUBLIC_URL}/unsubscribe/x`;
  await world.kernel.db.tx((tx) => sendMail(tx, mail('stop@example.test', { unsubscribe_url })));
  await waitUntil('stop@example.test', ({ status }) => status === 'sent');
  const [{ id }] = (await listReceived('stop@example.test')) as unknown as [{ id: string }];
  const { headers } = (await (await fetch(`${world.sandbox!.url}/api/mail/${id}`)).json()) as {
    headers: { name: string; value: string }[];
  };
  const header = (name: string) => headers.find((one) => one.name.toLowerCase() === name)?.value;
  expect(header('list-unsubscribe')).toBe(`<${unsubscribe_url}>`);
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
});

test('an email from a failed transaction is never stored', async () => {
  await expect(
    world.kernel.db.tx(async (tx) => {
      await sendMail(tx, mail('rolled.back@example.test'));
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  expect(await row('rolled.back@example.test')).toBeNull();
});

test('an email is retried when the server is busy, but not when the recipient is refused', async () => {
  await world.kernel.db.tx(async (tx) => {
    await sendMail(tx, mail('bounce@example.test'));
    await sendMail(tx, mail('busy@example.test'));
  });
  const bounced = await waitUntil('bounce@example.test', ({ status }) => status !== 'waiting');
  expect(bounced).toMatchObject({ status: 'bounced', attempts: 1, error: expect.stringMatching(/5\d\d/) });
  const busy = await waitUntil('busy@example.test', ({ attempts }) => attempts > 0);
  expect(busy).toMatchObject({ status: 'waiting', error: expect.stringMatching(/4\d\d/) });
});

test('an email waiting for a mail server is sent once one is configured', async () => {
  const withoutSmtp = { ...world.kernel, config: { ...world.kernel.config, SMTP_URL: null } };
  await world.kernel.db.run(sql`
    insert into mails (id, recipient, subject, html, body, create_date)
    values (gen_random_uuid(), 'early@example.test', 's', 'h', 't', now() - interval '1 hour')`);
  const sweepJob = mailJobs.find(({ type }) => type.cron)!;
  await sweepJob.run(withoutSmtp, {}, new AbortController().signal);
  expect(await row('early@example.test')).toMatchObject({ status: 'waiting', attempts: 0 });
  await sweepJob.run(world.kernel, {}, new AbortController().signal);
  expect(await row('early@example.test')).toMatchObject({ status: 'sent', attempts: 1 });
  expect(await listReceived('early@example.test')).toHaveLength(1);
});

test('an email is sealed until it is sent and then deleted, and its code is never in the stored subject', async () => {
  const stored = async (to: string) =>
    (
      await world.kernel.db.one<{ text: string }>(
        sql`select to_jsonb(m)::text as text from mails m where recipient = ${to}`,
      )
    ).text;
  const secretMail = (to: string) =>
    mail(to, {
      subject: '123456 is your code',
      kept_subject: 'Your code',
      ...letter({ title: 'Code', paragraphs: ['https://example.test/reset/secret'], footer: 'You requested it.' }),
    });
  const kept = await world.kernel.db.tx(async (tx) => {
    await sendMail(tx, secretMail('sealed@example.test'));
    const { text } = await tx.one<{ text: string }>(sql`
      select to_jsonb(m)::text as text from mails m where recipient = 'sealed@example.test'`);
    return text;
  });
  expect(kept).toContain('"subject": "Your code"');
  expect(kept).not.toMatch(/123456|reset/);
  await waitUntil('sealed@example.test', ({ status }) => status === 'sent');
  expect(await listReceived('sealed@example.test')).toMatchObject([{ subject: '123456 is your code' }]);
  expect(JSON.parse(await stored('sealed@example.test'))).toMatchObject({ sealed: null, html: null, body: null });
});

test('a mail server on another machine must offer TLS, and emails are signed with the key of the domain', async () => {
  const options = (settings: Record<string, string>) => transportOptions(loadConfig({ MODE: 'demo', ...settings }));
  expect(options({ SMTP_URL: 'smtp://u:p@mail.example.com' })).toMatchObject({ secure: false, requireTLS: true });
  expect(options({ SMTP_URL: 'smtp://mail.example.com', SMTP_TLS: 'optional' }).requireTLS).toBe(false);
  expect(options({ SMTP_URL: 'smtps://mail.example.com' })).toMatchObject({ secure: true, requireTLS: false });
  expect(options({ SMTP_URL: 'smtp://127.0.0.1:2525' }).requireTLS).toBe(false);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const folder = await mkdtemp(join(tmpdir(), 'parley-dkim-'));
  const path = join(folder, 'dkim.pem');
  await writeFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const settings = { DKIM_SELECTOR: 'parley', DKIM_KEY_FILE: path, MAIL_FROM: 'Parley <a@mail.example>' };
  const config = { ...world.kernel.config, ...settings };
  const [send] = mailJobs;
  const { id } = await world.kernel.db.tx(async (tx) => {
    await sendMail(tx, mail('signed@example.test'));
    return tx.one<{ id: string }>(sql`select id from mails where recipient = 'signed@example.test'`);
  });
  await send!.run({ ...world.kernel, config }, { id }, new AbortController().signal);
  await waitUntil('signed@example.test', ({ status }) => status === 'sent');
  expect(transportOptions(config).dkim).toMatchObject({ domainName: 'mail.example', keySelector: 'parley' });
  await rm(folder, { recursive: true });
});
