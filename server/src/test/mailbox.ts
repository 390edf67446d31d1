/** Reads messages to users where they are stored: emails in the outbox, text messages in the log. */
import { sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { until } from './world.ts';

interface Email {
  id: string;
  subject: string;
  text: string;
  html: string;
}

export const mailsTo = (kernel: Kernel, address: string): Promise<Email[]> =>
  kernel.db.rows<Email>(sql`
    select id, subject, body as text, html from mails where recipient = ${address} order by create_date, id`);

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
    texts = await kernel.db.rows(sql`
      select text, source from messages where number = ${number} and direction = 'MT' order by create_date, id`);
    return texts.length >= count;
  });
  return texts[count - 1]!;
}
