/**
 * Tells the workers that something can be sent: those of this process at once, others by at most one notification in 50 ms, since a NOTIFY in every
 * transaction would make commits wait for each other. Only a wake-up: what is missed is found by polling.
 */
import type pg from 'pg';
import { type Db, sql, type Tx } from '../kernel/db/db.ts';

const CHANNEL = 'parley_dispatch';
const SPACING_MS = 50;

interface Bell {
  listeners: Set<() => void>;
  quiet: boolean;
  rung: boolean;
}

const bells = new WeakMap<Db, Bell>();

function bellOf(db: Db): Bell {
  let bell = bells.get(db);
  if (!bell) {
    bell = { listeners: new Set(), quiet: true, rung: false };
    bells.set(db, bell);
  }
  return bell;
}

/** After the commit of a transaction that put rows into `dispatch`. */
export function wakeDispatch(tx: Tx): void {
  tx.afterCommit(() => ring(tx.db));
}

function ring(db: Db): void {
  const bell = bellOf(db);
  for (const listener of bell.listeners) listener();
  bell.rung = true;
  if (bell.quiet) void notify(db, bell);
}

async function notify(db: Db, bell: Bell): Promise<void> {
  bell.quiet = false;
  while (bell.rung) {
    bell.rung = false;
    await db.run(sql`select pg_notify(${CHANNEL}, '')`).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, SPACING_MS).unref());
  }
  bell.quiet = true;
}

export interface Listening {
  stop(): Promise<void>;
}

/** `wake` is called when this or another process rings. A lost database connection is replaced at the next `keep`. */
export function listenDispatch(db: Db, wake: () => void): Listening & { keep(): Promise<void> } {
  const { listeners } = bellOf(db);
  listeners.add(wake);
  let client: pg.Client | null = null;
  return {
    async keep() {
      if (client) return;
      const opened = await db.dedicated('parley dispatch');
      opened.on('notification', wake);
      opened.on('end', () => {
        if (client === opened) client = null;
      });
      client = opened;
      await opened.query(`listen ${CHANNEL}`);
      wake();
    },
    async stop() {
      listeners.delete(wake);
      const closing = client;
      client = null;
      await closing?.end().catch(() => {});
    },
  };
}
