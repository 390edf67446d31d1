/**
 * Files of people: the message is there at once and its file follows, fetched from the carrier, looked into like any other and kept as the account's. One
 * that is too large, dangerous or gone leaves a message that says so.
 */
import type { ChannelName } from '@parley/contract/common.ts';
import { messageFileChanged } from '@parley/contract/messages/messages.ts';
import { Problem } from '@parley/contract/problem.ts';
import { CarrierRefusal, type IncomingContent } from '../channels/channel.ts';
import { openConnection } from '../connections/connections.ts';
import { newId } from '../kernel/clock.ts';
import { type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emitSelected } from '../kernel/live/events.ts';
import { storeInboundFile, useMedia } from '../media/media.ts';
import { conversationOf, messageColumns } from './columns.ts';

type File = NonNullable<IncomingContent['media']> & {
  account_id: string;
  message_id: string;
  connection_id: string;
  channel: string;
  /** So often it has been tried in vain. */
  tries: number;
};

export const fileJob = job<File>('messages.fetch_file', { concurrency: 2 });

/** With pauses that double from here: about three hours in all. Carriers keep files for a week. */
const TRIES = 10;
const PAUSE_MS = 10_000;

export async function fetchFile(kernel: Kernel, file: File): Promise<void> {
  const { db } = kernel;
  if (!(await isWaiting(kernel, file))) return;
  try {
    const media = await fetched(kernel, file);
    await db.tx(async (tx) => {
      const { file_name, content_type, type } = media;
      const content = { media_id: media.id, media_type: type, file_name, content_type };
      const kept = await change(
        tx,
        file,
        sql`type = ${type}, content = m.content || ${JSON.stringify(content)}::jsonb`,
      );
      if (kept) await useMedia(tx, file.account_id, media.id, `message:${file.message_id}`);
    });
  } catch (error) {
    const final = error instanceof CarrierRefusal || error instanceof Problem;
    if (!final && file.tries + 1 < TRIES) {
      kernel.log.warn({ err: error, message_id: file.message_id }, 'the file of a message could not be fetched yet');
      const start_after = new Date(Date.now() + PAUSE_MS * 2 ** file.tries);
      await db.tx((tx) => enqueue(tx, fileJob, { ...file, tries: file.tries + 1 }, { start_after }));
      return;
    }
    const why = final ? (error as Error).message : 'the carrier did not hand it over';
    const words = `The file could not be fetched: ${why.charAt(0).toLowerCase()}${why.slice(1)}`;
    await db.tx((tx) => change(tx, file, sql`status_details = ${words}`));
  }
}

async function fetched(kernel: Kernel, { account_id, channel, ...file }: File) {
  const connection = await openConnection(kernel, kernel.db, file.connection_id);
  if (!connection?.adapter.fetchMedia) throw new CarrierRefusal('', 'the connection it came over is gone');
  const { stream, content_type } = await connection.adapter.fetchMedia(connection.spec, file.source);
  const { type, file_name } = file;
  const told = file.content_type ?? content_type;
  return storeInboundFile(
    kernel,
    { account_id, type, channel: channel as ChannelName, file_name, content_type: told },
    stream,
  );
}

/** A job may run twice. */
const WAITING: Sql = sql`m.content->>'media_id' is null and m.status_details is null`;

const isWaiting = async ({ db }: Kernel, { account_id, message_id }: File): Promise<boolean> =>
  (await db.maybeOne(sql`
    select from messages m where m.account_id = ${account_id} and m.id = ${message_id} and ${WAITING}`)) !== null;

async function change(tx: Tx, { account_id, message_id }: File, set: Sql): Promise<boolean> {
  const changed = await tx.run(sql`
    update messages m set ${set}, update_date = ${tx.now}
    where m.account_id = ${account_id} and m.id = ${message_id} and ${WAITING}`);
  if (changed === 0) return false;
  await emitSelected(
    tx,
    messageFileChanged,
    sql`
      select m.account_id, ${newId()}::uuid as id, (select row_to_json(told) from (select ${messageColumns}, ${conversationOf}) told) as payload,
             true as live
      from messages m where m.account_id = ${account_id} and m.id = ${message_id}`,
  );
  return true;
}
