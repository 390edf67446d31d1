/** Adds the numbers in a file to the stop list. */
import type { importStopList as ImportStopList } from '@parley/contract/audiences/stop_list.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { z } from 'zod';
import { newId } from '../../kernel/clock.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { importRowLimit, readAccountCountry } from '../phone_numbers/account_country.ts';
import { runTask } from '../reader/reader.ts';
import { COPY_COLUMNS } from '../reader/task.ts';
import { stopNumbers } from '../stop_list/stop_list.ts';
import { openFile, previewFile } from './imports.ts';

const READ_MS = 40_000;
const NUMBER_COLUMN = COPY_COLUMNS.split(', ').indexOf('number');

export async function importStopList(
  { kernel, actor, tx: db, upload }: Ctx,
  body: Parsed<typeof ImportStopList>['body'],
): Promise<z.output<(typeof ImportStopList)['output']>> {
  if (!upload) throw new Problem('VALUE_INVALID', { field: 'file', message: 'File is a required field' });
  try {
    const country = body.default_country ?? (await readAccountCountry(db, actor.account_id));
    const preview = await previewFile(kernel, actor, upload.key, { country });
    const number = preview.columns.findIndex(({ guess }) => guess === 'number');
    if (number < 0) throw new Problem('IMPORT_NUMBER_COLUMN_REQUIRED');
    const numbers: string[] = [];
    const counts = await runTask(
      {
        kind: 'rows',
        options: {
          country,
          max_rows: await importRowLimit(db, actor.account_id),
          encoding: preview.encoding,
          delimiter: (preview.delimiter ?? undefined) as ',' | undefined,
          has_header: preview.has_header,
        },
        columns: { number },
        default_country: country,
        ...{ account_id: actor.account_id, audience_id: newId(), import_id: newId() },
        column_names: preview.columns.map(({ name }) => name),
      },
      {
        tenant: actor,
        open: () => openFile(kernel, upload.key),
        limit_ms: READ_MS,
        onBatch: async ({ copy }) => {
          if (copy) numbers.push(...readNumbers(copy));
        },
      },
    );
    const added_count = await kernel.db.tx((tx) => stopNumbers(tx, actor, numbers));
    return {
      total_rows: counts.processed,
      added_count,
      existing_count: numbers.length - added_count,
      duplicate_count: counts.duplicate,
      invalid_count: counts.invalid,
    };
  } finally {
    await kernel.storage.remove(upload.key);
  }
}

/** The reader writes contacts as lines for COPY. */
const readNumbers = (copy: Uint8Array): string[] =>
  Buffer.from(copy)
    .toString()
    .split('\n')
    .flatMap((line) => line.split('\t', NUMBER_COLUMN + 1)[NUMBER_COLUMN] ?? []);
