/** What every operation may lean on. Built once per process by app.ts; tests build one per file. */
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Db } from './db.ts';
import type { Log } from './log.ts';
import type { Seals } from './seal.ts';
import type { Storage } from './storage.ts';

export interface Kernel {
  readonly config: Config;
  readonly db: Db;
  readonly log: Log;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly seals: Seals;
}
