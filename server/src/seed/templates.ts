/**
 * Templates of the demo company. Those of WhatsApp are handed to the sandbox's Graph API like any others and decided there, so that they can be sent; the rest
 * stands as it would after a review. Once: an account that has, or ever had, a template gets none.
 */
import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TemplateDesk, TemplateState } from '../channels/channel.ts';
import { openConnection } from '../connections/connections.ts';
import { newId } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { sandboxPorts } from '../kernel/settings/config.ts';
import { type MediaRow, outgoingFile, storeInboundFile, useMedia } from '../media/media.ts';
import { reasonOf } from '../templates/reason.ts';
import { WHATSAPP_CONNECTION } from './connection_ids.ts';
import { LOG_INS } from './log_ins.ts';
import { DEMO_FILES, DEMO_TEMPLATES, type DemoTemplate, typeOf } from './template_texts.ts';

const LANGUAGE = 'en';

interface Company {
  account_id: string;
  user_id: string;
  /** Of WhatsApp, once it is enrolled. */
  sender_id: string | null;
}
type Files = Readonly<Record<keyof typeof DEMO_FILES, MediaRow>>;

/** The sandbox and the demo's WhatsApp number are there. `sandbox`: where it is asked to decide. */
export async function seedTemplates(
  kernel: Kernel,
  sandbox = `http://127.0.0.1:${sandboxPorts(kernel.config).http}`,
): Promise<void> {
  const company = await bareCompany(kernel);
  if (!company) return;
  const files = await takeFiles(kernel, company.account_id);
  const known = await reviewed(kernel, company, files, sandbox);
  await kernel.db.tx(async (tx) => {
    for (const template of DEMO_TEMPLATES) {
      const whatsapp = template.channel === 'WHATSAPP';
      const external_id = known.get(template.name) ?? null;
      if (!whatsapp || external_id) await insert(tx, company, template, files, whatsapp ? external_id : null);
    }
  });
}

const bareCompany = ({ db }: Kernel) =>
  db.maybeOne<Company>(sql`
    select u.account_id, u.id as user_id, (
      select s.id from senders s where s.account_id = u.account_id and s.connection_id = ${WHATSAPP_CONNECTION}
        and s.status = 'available' and s.delete_date is null order by s.id limit 1) as sender_id
    from users u join logins l on l.id = u.login_id
    where lower(l.email) = ${LOG_INS[0].email} and u.is_owner
      and not exists (select from templates t where t.account_id = u.account_id)
    order by u.id limit 1`);

/** The same look inside as at every file. */
async function takeFiles(kernel: Kernel, account_id: string): Promise<Files> {
  const rows = Object.entries(DEMO_FILES).map(async ([name, file]) => {
    const path = fileURLToPath(new URL(`./files/${file.file_name}`, import.meta.url));
    return [
      name,
      await storeInboundFile(kernel, { account_id, channel: null, ...file }, createReadStream(path)),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(rows)) as Files;
}

/** What WhatsApp calls those it has decided on, by name. Handed over before a crash they are found again. */
async function reviewed(
  kernel: Kernel,
  { sender_id }: Company,
  files: Files,
  sandbox: string,
): Promise<Map<string, string>> {
  const connection = sender_id && (await openConnection(kernel, kernel.db, WHATSAPP_CONNECTION));
  const desk = connection ? connection.adapter.templates : null;
  if (!connection || !desk) return new Map();
  const there = await desk.list(connection.spec);
  const known = new Map<string, string>();
  for (const template of DEMO_TEMPLATES.filter(({ channel }) => channel === 'WHATSAPP')) {
    const state =
      there.find(({ name, language }) => name === template.name && language === LANGUAGE) ??
      (await handOver(kernel, desk, connection.spec, template, files));
    await decide(sandbox, state.external_id, template);
    known.set(template.name, state.external_id);
  }
  return known;
}

const handOver = (
  kernel: Kernel,
  desk: TemplateDesk,
  spec: Parameters<TemplateDesk['submit']>[0],
  template: DemoTemplate,
  files: Files,
): Promise<TemplateState> => {
  const { name, text, file, filename = null, header = null, footer = null, buttons = [], samples = [] } = template;
  const media = file ? outgoingFile(kernel, files[file], filename) : null;
  const category = template.wa_category!;
  return desk.submit(spec, { name, language: LANGUAGE, category, header, text, footer, buttons, media, samples });
};

async function decide(sandbox: string, external_id: string, { rejected }: DemoTemplate): Promise<void> {
  const answer = await fetch(`${sandbox}/api/whatsapp/templates/${external_id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rejected ? { status: 'REJECTED', reason: rejected } : { status: 'APPROVED' }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`the sandbox decided on no template (${answer.status})`);
}

async function insert(
  tx: Tx,
  { account_id, user_id, sender_id }: Company,
  template: DemoTemplate,
  files: Files,
  external_id: string | null,
): Promise<void> {
  const { channel, name, text, file, filename, header, footer, buttons = [], wa_category, samples = [] } = template;
  const id = newId();
  const media_id = file ? files[file].id : null;
  const status = template.rejected ? 'CANCELED' : 'COMPLETED';
  const reason = template.rejected ? JSON.stringify(reasonOf(template.rejected)) : null;
  // It is with WhatsApp as it stands here.
  const handed = external_id ? 1 : 0;
  await tx.run(sql`
    insert into templates (account_id, id, channel, name, text, type, media_id, filename, header, footer, buttons, wa_category, sender_id, language,
                           samples, status, reason, external_id, tried, submitted, user_id, create_date, update_date)
    values (${account_id}, ${id}, ${channel}, ${name}, ${text}, ${typeOf(template)}, ${media_id}, ${filename ?? null}, ${header ?? null},
            ${footer ?? null}, ${JSON.stringify(buttons)}::jsonb, ${wa_category ?? null}, ${external_id ? sender_id : null}, ${LANGUAGE},
            ${samples}, ${status}, ${reason}::jsonb, ${external_id}, ${handed}, ${handed}, ${user_id}, ${tx.now}, ${tx.now})`);
  if (media_id) await useMedia(tx, account_id, media_id, `template:${id}`);
}
