/**
 * `npm run networks`: replaces the numbering plan with the bundled one, or with the file that is named. With
 * `--preview`, it only prints what would change. The exit code is 1 if the file has invalid lines.
 */
import { readFile } from 'node:fs/promises';
import { updateNetworks } from '../admin/networks/networks.ts';
import { Db } from '../kernel/db/db.ts';
import { migrate } from '../kernel/db/migrate.ts';

async function main(args: readonly string[]): Promise<number> {
  const preview = args.includes('--preview');
  const [file, ...rest] = args.filter((arg) => arg !== '--preview');
  if (rest.length > 0 || file?.startsWith('-')) {
    console.error('Usage: npm run networks -- [FILE] [--preview]');
    return 2;
  }
  const text = file === undefined ? null : await readFile(file, 'utf8');
  const url = process.env.DATABASE_URL!;
  await migrate(url);
  const db = new Db({ url, max: 2, application_name: 'parley networks' });
  try {
    const { added, changed, removed, unchanged, prefixes, invalid, problems, applied } = await db.tx((tx) =>
      updateNetworks(tx, null, { text, apply: !preview }),
    );
    for (const { line, text } of problems) console.error(`line ${line}: ${text}`);
    if (invalid > 0) {
      console.error(`${invalid} invalid lines. Nothing was changed.`);
      return 1;
    }
    console.log(
      `${applied ? 'Numbering plan replaced' : 'Preview'}: ${added} networks added, ${changed} changed, ${removed} ` +
        `removed, ${unchanged} unchanged; ${prefixes} prefixes.`,
    );
    return 0;
  } finally {
    await db.close();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`the numbering plan was not changed: ${(error as Error).message}`);
  process.exitCode = 2;
}
