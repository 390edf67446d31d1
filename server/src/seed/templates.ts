/**
 * The demo company's templates. WhatsApp templates are submitted to the sandbox's Graph API and reviewed there, so that
 * they can be sent. The rest are stored as if they had been reviewed. If an account has or ever had a template, it gets
 * none.
 */
import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TemplateReview } from '../channels/channel.ts';
import type { TemplateState } from '../channels/template_state.ts';
import { openConnection } from '../connections/connections.ts';
import { newId } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { sandboxPorts } from '../kernel/settings/config.ts';
import { type MediaRow, makeOutgoingFile, storeInboundFile, useMedia } from '../media/media.ts';
import { carrierReason } from '../templates/reasons.ts';
import { WHATSAPP_CONNECTION } from './connection_ids.ts';
import { DEMO_USERS } from './demo_users.ts';
import { DEMO_FILES, DEMO_TEMPLATES, type DemoTemplate, messageType } from './template_texts.ts';

const LANGUAGE = 'en';

interface Company {
  account_id: string;
  user_id: string;
  /** The WhatsApp sender. Set once its number is registered. */
  sender_id: string | null;
}
type Files = Readonly<Record<keyof typeof DEMO_FILES, MediaRow>>;

/**
 * Requires the running sandbox and the demo's WhatsApp number. `sandbox` is the URL where template decisions are made.
 */
export async function seedTemplates(
  kernel: Kernel,
  sandbox = `http://127.0.0.1:${sandboxPorts(kernel.config).http}`,
): Promise<void> {
  const company = await findCompany(kernel);
  if (!company) return;
  const files = await storeFiles(kernel, company.account_id);
  const externalIds = await reviewTemplates(kernel, company, files, sandbox);
  await kernel.db.tx(async (tx) => {
    for (const template of DEMO_TEMPLATES) {
      const isWhatsapp = template.channel === 'WHATSAPP';
      const external_id = externalIds.get(template.name) ?? null;
      if (!isWhatsapp || external_id)
        await insertTemplate(tx, company, template, files, isWhatsapp ? external_id : null);
    }
  });
}

const findCompany = ({ db }: Kernel) =>
  db.maybeOne<Company>(sql`
    select u.account_id, u.id as user_id, (
      select s.id from senders s where s.account_id = u.account_id and s.connection_id = ${WHATSAPP_CONNECTION}
        and s.status = 'available' and s.delete_date is null order by s.id limit 1) as sender_id
    from users u join logins l on l.id = u.login_id
    where lower(l.email) = ${DEMO_USERS[0].email} and u.is_owner
      and not exists (select from templates t where t.account_id = u.account_id)
    order by u.id limit 1`);

/** Stores the files with the same checks as for every upload. */
async function storeFiles(kernel: Kernel, account_id: string): Promise<Files> {
  const rows = Object.entries(DEMO_FILES).map(async ([name, file]) => {
    const path = fileURLToPath(new URL(`./files/${file.file_name}`, import.meta.url));
    return [
      name,
      await storeInboundFile(kernel, { account_id, channel: null, ...file }, createReadStream(path)),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(rows)) as Files;
}

/**
 * Submits the WhatsApp templates, decides on them, and returns their IDs by name. Finds templates that were submitted
 * before a crash.
 */
async function reviewTemplates(
  kernel: Kernel,
  { sender_id }: Company,
  files: Files,
  sandbox: string,
): Promise<Map<string, string>> {
  const connection = sender_id && (await openConnection(kernel, kernel.db, WHATSAPP_CONNECTION));
  const desk = connection ? connection.adapter.templates : null;
  if (!connection || !desk) return new Map();
  const existing = await desk.list(connection.spec);
  const externalIds = new Map<string, string>();
  for (const template of DEMO_TEMPLATES.filter(({ channel }) => channel === 'WHATSAPP')) {
    const state =
      existing.find(({ name, language }) => name === template.name && language === LANGUAGE) ??
      (await submitTemplate(kernel, desk, connection.spec, template, files));
    await decide(sandbox, state.external_id, template);
    externalIds.set(template.name, state.external_id);
  }
  return externalIds;
}

const submitTemplate = (
  kernel: Kernel,
  desk: TemplateReview,
  spec: Parameters<TemplateReview['submit']>[0],
  template: DemoTemplate,
  files: Files,
): Promise<TemplateState> => {
  const { name, text, file, filename = null, header = null, footer = null, buttons = [], samples = [] } = template;
  const media = file ? makeOutgoingFile(kernel, files[file], filename) : null;
  const category = template.wa_category!;
  return desk.submit(spec, { name, language: LANGUAGE, category, header, text, footer, buttons, media, samples });
};

async function decide(sandbox: string, external_id: string, { rejected }: DemoTemplate): Promise<void> {
  const response = await fetch(`${sandbox}/api/whatsapp/templates/${external_id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rejected ? { status: 'REJECTED', reason: rejected } : { status: 'APPROVED' }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`The sandbox did not decide on the template (${response.status})`);
}

async function insertTemplate(
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
  const reason = template.rejected ? JSON.stringify(carrierReason(channel, template.rejected)) : null;
  // WhatsApp has the current version.
  const version = external_id ? 1 : 0;
  await tx.run(sql`
    insert into templates (account_id, id, channel, name, text, type, media_id, filename, header, footer, buttons,
                           wa_category, sender_id, language, samples, status, reason, external_id, tried, submitted,
                           user_id, create_date, update_date)
    values (${account_id}, ${id}, ${channel}, ${name}, ${text}, ${messageType(template)}, ${media_id},
            ${filename ?? null}, ${header ?? null}, ${footer ?? null}, ${JSON.stringify(buttons)}::jsonb,
            ${wa_category ?? null}, ${external_id ? sender_id : null}, ${LANGUAGE}, ${samples}, ${status},
            ${reason}::jsonb, ${external_id}, ${version}, ${version}, ${user_id}, ${tx.now}, ${tx.now})`);
  if (media_id) await useMedia(tx, account_id, media_id, `template:${id}`);
}
