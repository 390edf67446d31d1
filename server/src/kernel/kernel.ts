/** The dependencies that all operations share. app.ts builds one kernel per process, and tests build one per file. */
import type { Clock } from './clock.ts';
import type { Db } from './db/db.ts';
import type { Storage } from './files/storage.ts';
import type { Log } from './log.ts';
import type { Seals } from './security/seal.ts';
import type { Config } from './settings/config.ts';

export interface Kernel {
  readonly config: Config;
  readonly db: Db;
  readonly log: Log;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly seals: Seals;
}
