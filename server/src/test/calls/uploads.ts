/** Scheduled exports waiting for their upload to a destination. */
import { runUpload } from '../../exports/uploads.ts';
import { writeExport } from '../../exports/write.ts';
import { sql } from '../../kernel/db/db.ts';
import { ROUTES } from '../../modules.ts';
import { makeAudience } from '../make.ts';
import type { Caller, World } from '../world.ts';

const never = new AbortController().signal;

/** Writes a scheduled export of contacts, and returns its ID. */
export async function makeUpload(
  { kernel }: World,
  { owner, account_id }: { owner: Caller; account_id: string },
  destination_id: string,
  rows: number,
): Promise<string> {
  const contacts = Array.from({ length: rows }, (_, index) => ({ number: String(447400000000 + index) }));
  const params = { id: await makeAudience(kernel, account_id, contacts) };
  const { body } = await owner.post('/v1/export_schedules', {
    ...{ list: 'contacts', params, interval: 'daily', destination_id },
  });
  const { id } = (await owner.post('/v1/exports', { list: 'contacts', params })).body.data;
  await kernel.db.run(sql`
    update exports set schedule_id = ${body.data.id} where account_id = ${account_id} and id = ${id}`);
  await writeExport(kernel, ROUTES, { account_id, id }, never);
  return id;
}

export const upload = ({ kernel }: World, account_id: string, id: string): Promise<void> =>
  runUpload(kernel, { account_id, id }, never);

/** Makes the waiting uploads of the account due. */
export const makeUploadsDue = ({ kernel }: World, account_id: string): Promise<number> =>
  kernel.db.run(sql`
    update export_uploads set next_date = now() - interval '1 second' where account_id = ${account_id}`);
