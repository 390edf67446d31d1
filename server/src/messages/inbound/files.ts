/**
 * Fetches the files of inbound messages. The message is stored immediately; its file is fetched later, scanned like any
 * upload, and kept in the account's media. If a file is too large, dangerous, or gone, the message gets a note instead.
 */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { messageFileChanged } from '@parley/contract/messages/messages.ts';
import { Problem, type ProblemName } from '@parley/contract/problem.ts';
import { CarrierRefusal } from '../../channels/channel.ts';
import type { IncomingContent } from '../../channels/chat_event.ts';
import { openConnection } from '../../connections/connections.ts';
import { newId } from '../../kernel/clock.ts';
import { type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emitSelected } from '../../kernel/live/events.ts';
import { storeInboundFile, useMedia } from '../../media/media.ts';
import { messageJson } from '../model/message_columns.ts';

type InboundFile = NonNullable<IncomingContent['media']> & {
  account_id: string;
  message_id: string;
  connection_id: string;
  channel: string;
  /** The number of failed attempts so far. */
  tries: number;
};

export const fileJob = job<InboundFile>('messages.fetch_file', { concurrency: 2 });

/** The pauses double each time and add up to about three hours. Carriers keep files for a week. */
const MAX_TRIES = 10;
const PAUSE_MS = 10_000;

/** Problems that can pass: users can delete files, and the malware scanner can come back. */
const PASSING: ReadonlySet<ProblemName> = new Set(['STORAGE_LIMIT_REACHED', 'MALWARE_SCAN_UNAVAILABLE']);

export async function fetchFile(kernel: Kernel, file: InboundFile): Promise<void> {
  const { db } = kernel;
  if (!(await isWaiting(kernel, file))) return;
  try {
    const media = await download(kernel, file);
    await db.tx(async (tx) => {
      const { file_name, content_type, type } = media;
      const content = { media_id: media.id, media_type: type, file_name, content_type };
      const updated = await updateMessage(
        tx,
        file,
        sql`type = ${type}, content = m.content || ${JSON.stringify(content)}::jsonb`,
      );
      if (updated) await useMedia(tx, file.account_id, media.id, `message:${file.message_id}`);
    });
  } catch (error) {
    const isPassing = error instanceof Problem && PASSING.has(error.name);
    const isFinal = error instanceof CarrierRefusal || (error instanceof Problem && !isPassing);
    if (!isFinal && file.tries + 1 < MAX_TRIES) {
      kernel.log.warn(
        { err: error, message_id: file.message_id },
        'could not fetch the file of an inbound message yet',
      );
      const start_after = new Date(Date.now() + PAUSE_MS * 2 ** file.tries);
      await db.tx((tx) => enqueue(tx, fileJob, { ...file, tries: file.tries + 1 }, { start_after }));
      return;
    }
    const reason = isFinal || isPassing ? (error as Error).message : 'the carrier did not provide it';
    const text = `The file could not be fetched: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
    await db.tx((tx) => updateMessage(tx, file, sql`status_details = ${text}`));
  }
}

async function download(kernel: Kernel, { account_id, channel, ...file }: InboundFile) {
  const connection = await openConnection(kernel, kernel.db, file.connection_id);
  if (!connection?.adapter.media) throw new CarrierRefusal('', 'its connection was removed');
  const { stream, content_type } = await connection.adapter.media.fetch(connection.spec, file.source);
  const { type, file_name } = file;
  const mimeType = file.content_type ?? content_type;
  return storeInboundFile(
    kernel,
    { account_id, type, channel: channel as ChannelName, file_name, content_type: mimeType },
    stream,
  );
}

/** Selects messages that are still waiting for their file. A job may run twice, and a message may have been deleted. */
const WAITING: Sql = sql`m.content is not null and m.content->>'media_id' is null and m.status_details is null`;

const isWaiting = async ({ db }: Kernel, { account_id, message_id }: InboundFile): Promise<boolean> =>
  (await db.maybeOne(sql`
    select from messages m where m.account_id = ${account_id} and m.id = ${message_id} and ${WAITING}`)) !== null;

async function updateMessage(tx: Tx, { account_id, message_id }: InboundFile, set: Sql): Promise<boolean> {
  const changed = await tx.run(sql`
    update messages m set ${set}, update_date = ${tx.now}
    where m.account_id = ${account_id} and m.id = ${message_id} and ${WAITING}`);
  if (changed === 0) return false;
  await emitSelected(
    tx,
    messageFileChanged,
    sql`
      select m.account_id, ${newId()}::uuid as id, ${messageJson} as payload,
             true as live
      from messages m where m.account_id = ${account_id} and m.id = ${message_id}`,
  );
  return true;
}
