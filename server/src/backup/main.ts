/**
 * `npm run backup -- FOLDER [--no-files]` and `npm run restore -- FOLDER [--replace | --check] [--no-files]`. The exit
 * code is 0 on success.
 */
import { join, resolve } from 'node:path';
import type { Manifest } from './manifest.ts';
import { restoreBackup, verifyBackup } from './restore.ts';
import { writeBackup } from './write.ts';

const USAGE: Readonly<Record<string, string>> = {
  backup: 'Usage: npm run backup -- FOLDER [--no-files]',
  restore: 'Usage: npm run restore -- FOLDER [--replace | --check] [--no-files]',
};
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  backup: ['--no-files'],
  restore: ['--no-files', '--replace', '--check'],
};

function describe({ create_date, tables, files }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0).toLocaleString('en-US');
  const stored = files === null ? 'without files' : `${files.length.toLocaleString('en-US')} files`;
  return `${tables.length} tables, ${rows} rows, ${stored}, from ${create_date}`;
}

const HELD = [
  'When Parley starts, sending is on hold, because queued messages may have been sent since the backup.',
  'An operator decides what to do with them in the admin view, under Sending.',
].join('\n');

async function main([command = '', ...args]: readonly string[]): Promise<number> {
  const flags = args.filter((arg) => arg.startsWith('--'));
  const [name, ...rest] = args.filter((arg) => !arg.startsWith('--'));
  // npm changes the working directory to the folder of the package.
  const folder = name && resolve(process.env.INIT_CWD ?? '', name);
  const usage = USAGE[command] ?? '';
  if (!folder || rest.length > 0 || flags.some((flag) => !FLAGS[command]?.includes(flag))) {
    console.error(usage);
    return 2;
  }
  const url = process.env.DATABASE_URL ?? '';
  const inBucket = Boolean(process.env.S3_BUCKET?.trim());
  const files = inBucket || flags.includes('--no-files') ? null : join(process.env.DATA_DIR ?? '', 'files');
  if (command === 'backup') {
    console.log(`Wrote ${folder}: ${describe(await writeBackup({ url, files }, folder))}`);
    if (inBucket) console.log('The files are in the bucket. Back it up with the tools of its provider.');
    console.log('Store SECRET_KEY, or the file secret-key in DATA_DIR, separately.');
  } else if (flags.includes('--check')) {
    console.log(`${folder} is intact: ${describe(await verifyBackup(folder))}`);
  } else {
    const restored = await restoreBackup({ url, files, replace: flags.includes('--replace') }, folder);
    console.log(`Restored ${folder}: ${describe(restored)}\n${HELD}`);
  }
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`${process.argv[2]} failed: ${(error as Error).message}`);
  process.exitCode = 1;
}
