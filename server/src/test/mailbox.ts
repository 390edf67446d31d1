/** What was sent to people, read where it waits: mails in the outbox, text messages in the log. */
import { sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { until } from './world.ts';

export interface Post {
  id: string;
  subject: string;
  text: string;
  html: string;
}

export const mailsTo = (kernel: Kernel, address: string): Promise<Post[]> =>
  kernel.db.rows<Post>(sql`
    select id, subject, body as text, html from mails where recipient = ${address} order by create_date, id`);

/** The newest mail to the address, once there are as many as expected. */
export async function mailTo(kernel: Kernel, address: string, count = 1): Promise<Post> {
  let mails: Post[] = [];
  await until(`mail ${count} to ${address}`, async () => {
    mails = await mailsTo(kernel, address);
    return mails.length >= count;
  });
  return mails[count - 1]!;
}

/** Of several that jobs write in whatever order, the one that says this. */
export async function mailSaying(kernel: Kernel, address: string, words: string): Promise<Post> {
  let found: Post | undefined;
  await until(`a mail to ${address} that says ${words}`, async () => {
    found = (await mailsTo(kernel, address)).find(({ text }) => text.includes(words));
    return found !== undefined;
  });
  return found!;
}

export const codeIn = ({ text }: { text: string }): string => {
  const code = /^(\d{6})(?=$| is your)/m.exec(text)?.[1];
  if (!code) throw new Error(`no code in: ${text}`);
  return code;
};
export const linkIn = ({ text }: { text: string }, path: string): string => {
  const found = text.match(new RegExp(`${path}/([\\w-]{20,100}(?:/\\d{6})?)`))?.[1];
  if (!found) throw new Error(`no link to ${path} in: ${text}`);
  return found;
};

/** The newest text message to the number. */
export async function textTo(kernel: Kernel, number: string, count = 1): Promise<{ text: string; source: string }> {
  let texts: { text: string; source: string }[] = [];
  await until(`text message ${count} to ${number}`, async () => {
    texts = await kernel.db.rows(sql`
      select text, source from messages where number = ${number} and direction = 'MT' order by create_date, id`);
    return texts.length >= count;
  });
  return texts[count - 1]!;
}
