/**
 * `npm run rekey`: seals every stored secret again with the current SECRET_KEY. Parley can run in the meantime. The
 * exit code is 1 if a value was sealed with a key that is neither the current one nor in SECRET_KEY_PREVIOUS.
 */
import { Db } from '../kernel/db/db.ts';
import { createSeals } from '../kernel/security/seal.ts';
import { readSecretKeys } from '../kernel/security/secrets.ts';
import { ConfigError, loadConfig } from '../kernel/settings/config.ts';
import { resealAll } from './reseal.ts';

async function main(): Promise<number> {
  const config = loadConfig(process.env);
  const [secret, ...previous] = await readSecretKeys(config);
  const seals = createSeals(secret, previous);
  const db = new Db({ url: config.DATABASE_URL!, max: 2, application_name: 'parley rekey', seals });
  try {
    const { resealed, unknown } = await resealAll(db);
    for (const { place, error } of unknown) console.error(`${place}: ${error}`);
    console.log(`${resealed} values were sealed again, ${unknown.length} could not be opened.`);
    if (unknown.length === 0)
      console.log('No stored value needs a previous key. Codes that were sent in the last 15 minutes still do.');
    return unknown.length === 0 ? 0 : 1;
  } finally {
    await db.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const lines = error instanceof ConfigError ? error.lines : [`no value was sealed again: ${(error as Error).message}`];
  for (const line of lines) console.error(line);
  process.exitCode = 2;
}
