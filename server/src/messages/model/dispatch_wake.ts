/**
 * Wakes the workers when a message can be sent. Workers in this process wake immediately. Workers in other processes
 * wake through at most one NOTIFY per 50 ms, because a NOTIFY in every transaction would serialize the commits. If a
 * wake-up is lost, polling finds the message.
 */
import type pg from 'pg';
import { type Db, sql, type Tx } from '../../kernel/db/db.ts';

const CHANNEL = 'parley_dispatch';
const SPACING_MS = 50;

interface Bell {
  listeners: Set<() => void>;
  is_idle: boolean;
  is_pending: boolean;
}

const bells = new WeakMap<Db, Bell>();

function findBell(db: Db): Bell {
  let bell = bells.get(db);
  if (!bell) {
    bell = { listeners: new Set(), is_idle: true, is_pending: false };
    bells.set(db, bell);
  }
  return bell;
}

/** Call this in any transaction that inserts rows into `dispatch`. The wake-up follows the commit. */
export function wakeDispatch(tx: Tx): void {
  tx.afterCommit(() => ring(tx.db));
}

function ring(db: Db): void {
  const bell = findBell(db);
  for (const listener of bell.listeners) listener();
  bell.is_pending = true;
  if (bell.is_idle) void notify(db, bell);
}

async function notify(db: Db, bell: Bell): Promise<void> {
  bell.is_idle = false;
  while (bell.is_pending) {
    bell.is_pending = false;
    await db.run(sql`select pg_notify(${CHANNEL}, '')`).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, SPACING_MS).unref());
  }
  bell.is_idle = true;
}

interface Listening {
  stop(): Promise<void>;
}

/** Calls `wake` when this process or another one signals. The next `keep` replaces a lost database connection. */
export function listenDispatch(db: Db, wake: () => void): Listening & { keep(): Promise<void> } {
  const { listeners } = findBell(db);
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
