/** Reads messages to users where they are stored: emails in the outbox, text messages in the log. */
import { type Sql, sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { readWords } from '../kernel/mail/mail.ts';
import { readText } from '../messages/model/sealed_text.ts';
import { until } from './world.ts';

interface Email {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
}

/** The emails to an address, as the mail server will get them. The content of sent emails is deleted. */
export const mailsTo = (kernel: Kernel, address: string): Promise<Email[]> =>
  readMails(kernel, sql`recipient = ${address}`);
/** The emails about a company. */
export const mailsAbout = (kernel: Kernel, account_id: string): Promise<Email[]> =>
  readMails(kernel, sql`account_id = ${account_id}`);

async function readMails(kernel: Kernel, condition: Sql): Promise<Email[]> {
  const rows = await kernel.db.rows<Parameters<typeof readWords>[1]>(sql`
    select id, account_id, recipient, sealed, subject, html, body from mails
    where ${condition} order by create_date, id`);
  return Promise.all(
    rows.map(async (row) => ({ id: row.id, recipient: row.recipient, ...(await readWords(kernel, row)) })),
  );
}

/** Waits for the given number of emails to the address and returns the last email. */
export async function mailTo(kernel: Kernel, address: string, count = 1): Promise<Email> {
  let mails: Email[] = [];
  await until(`email ${count} to ${address}`, async () => {
    mails = await mailsTo(kernel, address);
    return mails.length >= count;
  });
  return mails[count - 1]!;
}

/** Waits for an email that contains the text. Use this function if several jobs write emails in an unknown order. */
export async function findMail(kernel: Kernel, address: string, expected: string): Promise<Email> {
  let mail: Email | undefined;
  await until(`an email to ${address} with the text ${expected}`, async () => {
    mail = (await mailsTo(kernel, address)).find(({ text }) => text.includes(expected));
    return mail !== undefined;
  });
  return mail!;
}

export const codeIn = ({ text }: { text: string }): string => {
  const code = /^(\d{6})(?=$| is your)/m.exec(text)?.[1];
  if (!code) throw new Error(`no code in: ${text}`);
  return code;
};
export const linkIn = ({ text }: { text: string }, path: string): string => {
  const hash = text.match(new RegExp(`${path}/([\\w-]{20,100}(?:/\\d{6})?)`))?.[1];
  if (!hash) throw new Error(`no link to ${path} in: ${text}`);
  return hash;
};

/** Waits for the given number of text messages to the number and returns the last message. */
export async function textTo(kernel: Kernel, number: string, count = 1): Promise<{ text: string; source: string }> {
  let texts: { text: string; source: string }[] = [];
  await until(`text message ${count} to ${number}`, async () => {
    const rows = await kernel.db.rows<{ id: string; text: string; source: string; sealed_text: string | null }>(sql`
      select m.id, m.text, m.source, d.sealed_text
      from messages m left join dispatch d on d.account_id = m.account_id and d.message_id = m.id
      where m.number = ${number} and m.direction = 'MT' order by m.create_date, m.id`);
    texts = rows.map((row) => ({
      text: readText(kernel.seals, { ...row, message_id: row.id }),
      source: row.source,
    }));
    return texts.length >= count;
  });
  return texts[count - 1]!;
}
