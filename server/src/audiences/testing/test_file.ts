/** Reads the contacts in a file of a test key. There are at most 1,000, so they are read while the call waits. */
import type { ContactInput } from '@parley/contract/audiences/audiences.ts';
import { MAX_TEST_CONTACTS } from '@parley/contract/audiences/limits.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { z } from 'zod';
import { newId } from '../../kernel/clock.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { openFile, pickGuessedColumns, previewFile } from '../imports/imports.ts';
import { importRowLimit, readAccountCountry } from '../phone_numbers/account_country.ts';
import { runTask } from '../reader/reader.ts';
import { COPY_COLUMNS, type RowCounts } from '../reader/task.ts';

type TestFileContact = Pick<
  z.output<typeof ContactInput>,
  'number' | 'first_name' | 'last_name' | 'custom1' | 'custom2'
>;
interface TestFile {
  contacts: TestFileContact[];
  counts: RowCounts;
}

const LIMIT_MS = 45_000;
const NAMES = COPY_COLUMNS.split(', ');

/** The reader writes lines for COPY, which double each backslash. */
function toContact(line: string): TestFileContact {
  const cells = line.split('\t');
  const cell = (name: keyof TestFileContact) => cells[NAMES.indexOf(name)]!.replaceAll('\\\\', '\\');
  const [first_name, last_name, custom1, custom2] = [
    cell('first_name'),
    cell('last_name'),
    cell('custom1'),
    cell('custom2'),
  ];
  return { number: `+${cell('number')}`, first_name, last_name, custom1, custom2 };
}

export async function readTestFile(
  { kernel, actor, tx: db, upload }: Ctx,
  default_country: string | undefined,
): Promise<TestFile> {
  if (!upload) throw new Problem('VALUE_INVALID', { field: 'file', message: 'File is a required field' });
  try {
    const country = default_country ?? (await readAccountCountry(db, actor.account_id));
    const preview = await previewFile(kernel, actor, upload.key, { country });
    const columns = pickGuessedColumns(preview);
    if (columns.number === undefined) throw new Problem('IMPORT_NUMBER_COLUMN_REQUIRED');
    const max_rows = await importRowLimit(db, actor.account_id);
    const contacts: TestFileContact[] = [];
    const { encoding, delimiter, has_header } = preview;
    const counts = await runTask(
      {
        kind: 'rows',
        options: { country, max_rows, encoding, delimiter: (delimiter ?? undefined) as ',' | undefined, has_header },
        ...{
          columns,
          default_country: country,
          account_id: actor.account_id,
          audience_id: newId(),
          import_id: newId(),
        },
        column_names: preview.columns.map(({ name }) => name),
      },
      {
        tenant: actor,
        open: () => openFile(kernel, upload.key),
        limit_ms: LIMIT_MS,
        async onBatch({ copy, counts }) {
          if (counts.contacts > MAX_TEST_CONTACTS) throw new Problem('TEST_DATA_FULL');
          if (copy) contacts.push(...Buffer.from(copy).toString('utf8').split('\n').filter(Boolean).map(toContact));
        },
      },
    );
    return { contacts, counts };
  } finally {
    await kernel.storage.remove(upload.key);
  }
}
