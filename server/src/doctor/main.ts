/** `npm run doctor`: prints the findings as text, or as JSON with `--json`. The exit code is 1 if a check fails. */
import { Db } from '../kernel/db/db.ts';
import { examine } from './doctor.ts';

const url = process.env.DATABASE_URL;
if (!url || url === 'embedded') {
  console.error('DATABASE_URL is required: the database to check');
  process.exitCode = 2;
} else {
  const db = new Db({ url, max: 1, application_name: 'parley doctor' });
  try {
    const findings = await examine(db);
    const failed = findings.filter((finding) => !finding.ok);
    if (process.argv.includes('--json')) console.log(JSON.stringify(findings, null, 2));
    else {
      for (const { id, title, ok, rows } of findings) {
        console.log(`${ok ? 'ok    ' : 'BROKEN'}  ${id.padEnd(4)} ${title}`);
        for (const row of rows) console.log(`              ${JSON.stringify(row)}`);
      }
      console.log(
        failed.length ? `${failed.length} of ${findings.length} checks failed` : `all ${findings.length} checks passed`,
      );
    }
    process.exitCode = failed.length ? 1 : 0;
  } catch (error) {
    console.error(`the database could not be checked: ${(error as Error).message}`);
    process.exitCode = 2;
  } finally {
    await db.close();
  }
}
