/** Stores each received email in its own file before the sender receives a 250 response. The newest 2,000 are kept. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import type { Live } from '../live.ts';
import { notFound } from '../problem.ts';

interface MailSummary {
  id: string;
  time: string;
  /** The sender in the envelope. `to` is also taken from the envelope. */
  from: string;
  to: string[];
  subject: string;
  preview: string;
}

interface StoredMail extends MailSummary {
  raw: string;
}

interface MailDetail extends MailSummary {
  headers: { name: string; value: string }[];
  text: string;
  has_html: boolean;
  /** The codes and links that a person would copy from the email. */
  codes: string[];
  links: string[];
  attachments: { index: number; filename: string; type: string; bytes: number }[];
}

const maxMails = 2000;

export class Mailbox {
  private readonly directory: string;
  private readonly live: Live;
  private mail: MailSummary[] = [];
  private lastId = 0;

  constructor(data_dir: string, live: Live) {
    this.directory = join(data_dir, 'mail');
    this.live = live;
    mkdirSync(this.directory, { recursive: true });
    for (const name of readdirSync(this.directory).sort()) this.load(name);
  }

  get size(): number {
    return this.mail.length;
  }

  /** Lists emails, newest first. `to` is part of an envelope address, and `before` is an email ID. */
  list(to: string, limit: number, before: string): { mail: MailSummary[]; next: string | null; total: number } {
    const recipient = to.toLowerCase();
    const page: MailSummary[] = [];
    for (let at = this.mail.length - 1; at >= 0; at -= 1) {
      const mail = this.mail[at]!;
      if (before && mail.id >= before) continue;
      if (recipient && !mail.to.some((address) => address.toLowerCase().includes(recipient))) continue;
      if (page.length === limit) return { mail: page, next: page.at(-1)!.id, total: this.mail.length };
      page.push(mail);
    }
    return { mail: page, next: null, total: this.mail.length };
  }

  async detail(id: string): Promise<MailDetail> {
    const { email, summary } = await this.read(id);
    const text = email.text ?? '';
    const links = [...text.matchAll(/https?:\/\/[^\s<>"')\]]+/g)].map(([link]) => link);
    for (const [, link] of (email.html ?? '').matchAll(/href\s*=\s*["'](https?:\/\/[^"']+)["']/gi)) {
      links.push(link!.replaceAll('&amp;', '&'));
    }
    const codes = [...text.matchAll(/(?<![\w.,/#-])\d{4,8}(?![\w.,/-]*\w)/g)].map(([code]) => code);
    return {
      ...summary,
      headers: email.headers.map(({ key, value }) => ({ name: key, value })),
      text,
      has_html: Boolean(email.html),
      codes: [...new Set(codes)].sort((a, b) => Number(b.length === 6) - Number(a.length === 6)).slice(0, 5),
      links: [...new Set(links)].slice(0, 50),
      attachments: email.attachments.map((attachment, index) => ({
        index,
        filename: attachment.filename ?? `attachment-${index + 1}`,
        type: attachment.mimeType,
        bytes: toBuffer(attachment.content).length,
      })),
    };
  }

  async html(id: string): Promise<string> {
    const { email } = await this.read(id);
    // Inline pictures are converted to data URLs, because the frame that shows the email cannot load anything from the
    // sandbox.
    return (email.html ?? '').replace(/(["'])cid:([^"']+)\1/g, (match, quote: string, cid: string) => {
      const picture = email.attachments.find(({ contentId }) => contentId === `<${cid}>` || contentId === cid);
      if (!picture) return match;
      return `${quote}data:${picture.mimeType};base64,${toBuffer(picture.content).toString('base64')}${quote}`;
    });
  }

  raw(id: string): Buffer {
    return Buffer.from(this.readStored(id).raw, 'latin1');
  }

  async attachment(id: string, index: number): Promise<{ filename: string; type: string; content: Buffer }> {
    const { email } = await this.read(id);
    const attachment = email.attachments[index];
    if (!attachment) throw notFound('this attachment');
    const filename = attachment.filename ?? `attachment-${index + 1}`;
    return { filename, type: attachment.mimeType, content: toBuffer(attachment.content) };
  }

  clear(): void {
    for (const mail of this.mail) rmSync(this.path(mail.id), { force: true });
    this.mail = [];
    this.live.publish('mail', '', () => ({ cleared: true }));
  }

  /** Stores an email in its own file. Returns its ID. */
  async store(raw: Buffer, from: string, to: string[]): Promise<string> {
    const email = await PostalMime.parse(raw);
    this.lastId = Math.max(this.lastId + 1, Date.now());
    const summary: MailSummary = {
      id: String(this.lastId),
      time: new Date().toISOString(),
      from,
      to,
      subject: email.subject ?? '',
      preview: (email.text ?? '').replace(/\s+/g, ' ').trim().slice(0, 140),
    };
    const stored: StoredMail = { ...summary, raw: raw.toString('latin1') };
    writeFileSync(`${this.path(summary.id)}.new`, JSON.stringify(stored));
    renameSync(`${this.path(summary.id)}.new`, this.path(summary.id));
    this.mail.push(summary);
    if (this.mail.length > maxMails) rmSync(this.path(this.mail.shift()!.id), { force: true });
    this.live.publish('mail', summary.id, () => summary);
    return summary.id;
  }

  private load(name: string): void {
    if (!/^\d+\.json$/.test(name)) return;
    const { raw: _, ...summary } = JSON.parse(readFileSync(join(this.directory, name), 'utf8')) as StoredMail;
    this.mail.push(summary);
    this.lastId = Math.max(this.lastId, Number(summary.id));
  }

  private async read(id: string): Promise<{ email: Email; summary: MailSummary }> {
    const { raw, ...summary } = this.readStored(id);
    return { email: await PostalMime.parse(Buffer.from(raw, 'latin1')), summary };
  }

  private readStored(id: string): StoredMail {
    if (!this.mail.some((mail) => mail.id === id)) throw notFound('this mail');
    return JSON.parse(readFileSync(this.path(id), 'utf8')) as StoredMail;
  }

  private path(id: string): string {
    return join(this.directory, `${id}.json`);
  }
}

function toBuffer(content: ArrayBuffer | Uint8Array | string): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof ArrayBuffer
    ? Buffer.from(content)
    : Buffer.from(content.buffer, content.byteOffset, content.length);
}
