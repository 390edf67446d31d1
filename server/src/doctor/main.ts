/** `npm run doctor`: the report on paper (or `--json`), exit code 1 when anything is wrong. */
import { Db } from '../kernel/db/db.ts';
import { examine } from './doctor.ts';

const url = process.env.DATABASE_URL;
if (!url || url === 'embedded') {
  console.error('DATABASE_URL is needed: the database to examine');
  process.exitCode = 2;
} else {
  const db = new Db({ url, max: 1, application_name: 'parley doctor' });
  try {
    const findings = await examine(db);
    const broken = findings.filter((finding) => !finding.ok);
    if (process.argv.includes('--json')) console.log(JSON.stringify(findings, null, 2));
    else {
      for (const { id, title, ok, rows } of findings) {
        console.log(`${ok ? 'ok    ' : 'BROKEN'}  ${id.padEnd(4)} ${title}`);
        for (const row of rows) console.log(`              ${JSON.stringify(row)}`);
      }
      console.log(
        broken.length
          ? `${broken.length} of ${findings.length} claims are broken`
          : `all ${findings.length} claims hold`,
      );
    }
    process.exitCode = broken.length ? 1 : 0;
  } catch (error) {
    console.error(`the database could not be examined: ${(error as Error).message}`);
    process.exitCode = 2;
  } finally {
    await db.close();
  }
}
