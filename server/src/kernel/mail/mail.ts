/**
 * Emails are sent through an outbox. The row is written in the transaction that needs the email, so no email reports a
 * change that was rolled back, and no email is lost. Each email is sent at least once. Its Message-ID stays the same,
 * so a receiver can detect a duplicate. Never send an email directly from a request. The content is sealed until the
 * email is sent and then deleted, because codes and links open accounts.
 */
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brandOrigin, DEFAULT_BRAND, fillName, readBrand, readPersonBrand } from '../brand/brand.ts';
import { newId } from '../clock.ts';
import { type Queryable, sql, type Tx } from '../db/db.ts';
import { enqueue, type JobWork, job, work } from '../jobs/jobs.ts';
import type { Kernel } from '../kernel.ts';
import { type Config, isLoopback } from '../settings/config.ts';
import { type Letter, moveToBrand, renderLetter } from './letter.ts';

export interface Mail {
  to: string;
  subject: string;
  letter: Letter;
  /** Kept for support instead of the subject, which contains a code. */
  kept_subject?: string;
  account_id?: string;
  /** Stops emails like this one, without a sign-in (RFC 8058). */
  unsubscribe_url?: string;
  /** If an email with the same key exists, this one is not written. */
  dedupe_key?: string;
}

/** The sealed parts of an email. `html` and `text`: an email that an earlier version wrote. */
type Words = Pick<Mail, 'subject' | 'unsubscribe_url'> & (Pick<Mail, 'letter'> | { html: string; text: string });

export interface Rendered {
  subject: string;
  html: string;
  text: string;
  /** Null: the sender of the installation. */
  from: { name: string; address: string } | null;
  unsubscribe_url?: string;
}

interface Waiting {
  id: string;
  account_id: string | null;
  recipient: string;
  attempts: number;
  sealed: string | null;
  /** Emails from before emails were sealed. */
  subject: string;
  html: string;
  body: string;
}

/** With the pauses in `sendOne`, these attempts cover about a day. */
const MAX_ATTEMPTS = 30;

const sendOne = job<{ id: string }>('mail.send', {
  retry: MAX_ATTEMPTS,
  retry_seconds: 15,
  expire_seconds: 120,
  concurrency: 2,
});
const sendRest = job('mail.send_rest', { cron: '*/5 * * * *', retry: 0, expire_seconds: 280 });

/** Writes the email to the outbox. It is sent after the commit. Returns false if the key was used before. */
export async function sendMail(tx: Tx, mail: Mail): Promise<boolean> {
  const id = newId();
  const { to, subject, letter, unsubscribe_url, kept_subject = subject } = mail;
  const words: Words = { subject, letter, ...(unsubscribe_url ? { unsubscribe_url } : {}) };
  const sealed = tx.db.seals.seal(JSON.stringify(words), place(id));
  const written = await tx.run(sql`
    insert into mails (id, account_id, recipient, subject, sealed, dedupe_key)
    values (${id}, ${mail.account_id ?? null}, ${to}, ${fillName(kept_subject, DEFAULT_BRAND)},
      ${sealed}, ${mail.dedupe_key ?? null})
    on conflict (dedupe_key) do nothing`);
  if (written === 0) return false;
  await enqueue(tx, sendOne, { id });
  return true;
}

type MailConfig = Pick<Config, 'SMTP_URL' | 'SMTP_TLS' | 'MAIL_FROM' | 'DKIM_SELECTOR' | 'DKIM_KEY_FILE'>;

const place = (id: string) => ({ table: 'mails', row: id });

/**
 * Returns the content of an email that was not sent yet, with the brand that the recipient sees now. Its links lead to
 * the verified domain of that brand.
 */
export async function readWords(
  { db, config }: Pick<Kernel, 'db' | 'config'>,
  mail: Omit<Waiting, 'attempts'>,
): Promise<Rendered> {
  const { id, account_id, recipient, sealed, subject, html, body } = mail;
  if (sealed === null) return { subject, html, text: body, from: null };
  const words = JSON.parse(db.seals.open(sealed, place(id))) as Words;
  if (!('letter' in words)) return { ...words, from: null };
  const brand = account_id === null ? await readPersonBrand(db, recipient) : await readBrand(db, account_id);
  return {
    // A name in the subject may contain line breaks.
    subject: fillName(words.subject, brand).replace(/\s+/g, ' '),
    ...renderLetter(words.letter, brand, config),
    ...(words.unsubscribe_url
      ? { unsubscribe_url: moveToBrand(words.unsubscribe_url, config, brandOrigin(config, brand)) }
      : {}),
    from: brand === DEFAULT_BRAND ? null : { name: brand.name, address: brand.sender_email ?? senderAddress(config) },
  };
}

export const mailJobs: readonly JobWork[] = [
  work(sendOne, async (kernel, { id }) => {
    if (!kernel.config.SMTP_URL) {
      kernel.log.warn({ mail_id: id }, 'no SMTP_URL: the mail waits in the outbox');
      return;
    }
    await attempt(kernel, id);
  }),
  // Sends emails that were written while no mail server was configured, or whose job was lost when a backup was
  // restored.
  work(sendRest, async (kernel, _, signal) => {
    if (!kernel.config.SMTP_URL) return;
    for (const id of await listOverdueMails(kernel.db)) {
      if (signal.aborted) return;
      await attempt(kernel, id);
    }
  }),
];

async function listOverdueMails(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from mails
    where status = 'waiting' and (
      attempts = 0 and create_date < now() - interval '5 minutes' or create_date < now() - interval '2 days')
    order by id limit 500`);
  return rows.map((row) => row.id);
}

// The row stays locked while the email is being sent, so two workers never send the same email at once.
async function attempt(kernel: Kernel, id: string): Promise<void> {
  const failure = await kernel.db.tx(async (tx) => {
    const mail = await tx.maybeOne<Waiting>(sql`
      select id, account_id, recipient, attempts, sealed, subject, html, body from mails
      where id = ${id} and status = 'waiting' for update skip locked`);
    if (!mail) return null;
    try {
      await submitMail(kernel, mail);
    } catch (error) {
      const status = isRefused(error) ? 'bounced' : mail.attempts + 1 >= MAX_ATTEMPTS ? 'failed' : 'waiting';
      await tx.run(sql`
        update mails set status = ${status}, attempts = attempts + 1, error = ${(error as Error).message.slice(0, 500)}
        where id = ${id}`);
      if (status !== 'waiting') await deleteWords(tx, id);
      return status === 'waiting' ? (error as Error) : null;
    }
    await tx.run(sql`
      update mails set status = 'sent', attempts = attempts + 1, error = null, sent_date = ${tx.now} where id = ${id}`);
    await deleteWords(tx, id);
    return null;
  });
  if (failure) throw failure;
}

const deleteWords = (tx: Tx, id: string) =>
  tx.run(sql`update mails set sealed = null, html = null, body = null where id = ${id}`);

async function submitMail(kernel: Kernel, mail: Waiting): Promise<void> {
  const { MAIL_FROM } = kernel.config;
  const { from, unsubscribe_url, ...words } = await readWords(kernel, mail);
  const { createTransport } = await import('nodemailer');
  // Opens one connection per email, because a pool of idle connections would delay a shutdown.
  await createTransport(transportOptions(kernel.config, from?.address)).sendMail({
    from: from ?? MAIL_FROM,
    to: mail.recipient,
    ...words,
    // Bounces return to the installation, whose SPF record names the mail server.
    ...(from ? { envelope: { from: senderAddress(kernel.config), to: mail.recipient } } : {}),
    messageId: `<${mail.id}@${senderDomain(kernel.config)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribe_url) },
  });
}

/** With both headers, mail programs offer to stop these emails with one click. */
const unsubscribeHeaders = (url: string | undefined): Record<string, string> =>
  url ? { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {};

/** The signature covers both headers for unsubscribing, as RFC 8058 requires. */
const SIGNED_HEADERS = [
  ...['From', 'Sender', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'MIME-Version', 'Content-Type'],
  ...['Content-Transfer-Encoding', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
].join(':');

const senderAddress = ({ MAIL_FROM }: Pick<Config, 'MAIL_FROM'>): string =>
  /<([^<>]+)>\s*$/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM.trim();

const senderDomain = ({ MAIL_FROM }: Pick<Config, 'MAIL_FROM'>): string =>
  /@([^<>@\s]+?)>?$/.exec(MAIL_FROM)?.[1] ?? 'localhost';

/** Read once per file. A missing or unreadable file fails the email, which is then retried. */
const dkimKeys = new Map<string, string>();
function readDkimKey(path: string): string {
  const privateKey = dkimKeys.get(path) ?? readFileSync(path, 'utf8');
  dkimKeys.set(path, privateKey);
  return privateKey;
}

/** The DNS record that lets this installation sign emails of another domain; null if it does not sign emails. */
export function signatureRecord(config: MailConfig, domain: string): { name: string; value: string } | null {
  const { DKIM_SELECTOR, DKIM_KEY_FILE } = config;
  if (!DKIM_SELECTOR || !DKIM_KEY_FILE) return null;
  const key = createPublicKey(readDkimKey(DKIM_KEY_FILE));
  const value = key.export({ type: 'spki', format: 'der' }).toString('base64');
  return { name: `${DKIM_SELECTOR}._domainkey.${domain}`, value: `v=DKIM1; k=rsa; p=${value}` };
}

/** `from` is the sender's address, whose domain signs the email. */
export function transportOptions(config: MailConfig, from?: string) {
  const { protocol, hostname, port, username, password } = new URL(config.SMTP_URL!);
  const secure = protocol === 'smtps:';
  const { DKIM_SELECTOR, DKIM_KEY_FILE } = config;
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // Without TLS, passwords and codes may go only to a mail server on this machine.
    requireTLS: !secure && config.SMTP_TLS === 'required' && !isLoopback(hostname),
    ...(DKIM_SELECTOR && DKIM_KEY_FILE
      ? {
          dkim: {
            domainName: from?.split('@').at(-1) ?? senderDomain(config),
            keySelector: DKIM_SELECTOR,
            privateKey: readDkimKey(DKIM_KEY_FILE),
            headerFieldNames: SIGNED_HEADERS,
          },
        }
      : {}),
    ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 15_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/**
 * True if the mail server permanently refused this recipient or this email. A failed login to the mail server is a
 * configuration error and is retried.
 */
function isRefused(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
}
