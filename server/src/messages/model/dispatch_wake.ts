/**
 * Wakes the workers when a message can be sent. Workers in this process wake immediately. Workers in other processes
 * wake through at most one NOTIFY per 50 ms, because a NOTIFY in every transaction would serialize the commits. If a
 * wake-up is lost, polling finds the message.
 */
import type pg from 'pg';
import { type Db, sql, type Tx } from '../../kernel/db/db.ts';

const CHANNEL = 'parley_dispatch';
/** The payload of a NOTIFY about messages that are more urgent than a campaign. */
const URGENT = 'urgent';
const SPACING_MS = 50;

type Wake = (isUrgent: boolean) => void;

interface Bell {
  listeners: Set<Wake>;
  is_idle: boolean;
  is_pending: boolean;
  is_urgent: boolean;
}

const bells = new WeakMap<Db, Bell>();

function findBell(db: Db): Bell {
  let bell = bells.get(db.root);
  if (!bell) {
    bell = { listeners: new Set(), is_idle: true, is_pending: false, is_urgent: false };
    bells.set(db.root, bell);
  }
  return bell;
}

/**
 * Call this in any transaction that inserts rows into `dispatch`. The wake-up follows the commit. Workers look for
 * urgent messages even while a campaign occupies the connections.
 */
export function wakeDispatch(tx: Tx, isUrgent = false): void {
  tx.afterCommit(() => ringBell(tx.db, isUrgent));
}

function ringBell(db: Db, isUrgent: boolean): void {
  const bell = findBell(db);
  for (const listener of bell.listeners) listener(isUrgent);
  bell.is_pending = true;
  bell.is_urgent ||= isUrgent;
  if (bell.is_idle) void notify(db, bell);
}

async function notify(db: Db, bell: Bell): Promise<void> {
  bell.is_idle = false;
  while (bell.is_pending) {
    const payload = bell.is_urgent ? URGENT : '';
    bell.is_pending = false;
    bell.is_urgent = false;
    await db.run(sql`select pg_notify(${CHANNEL}, ${payload})`).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, SPACING_MS).unref());
  }
  bell.is_idle = true;
}

interface Listening {
  stop(): Promise<void>;
}

/** Calls `wake` when this process or another one signals. The next `keep` replaces a lost database connection. */
export function listenDispatch(db: Db, wake: Wake): Listening & { keep(): Promise<void> } {
  const { listeners } = findBell(db);
  listeners.add(wake);
  let client: pg.Client | null = null;
  return {
    async keep() {
      if (client) return;
      const opened = await db.dedicated('parley dispatch');
      opened.on('notification', ({ payload }) => wake(payload === URGENT));
      opened.on('end', () => {
        if (client === opened) client = null;
      });
      client = opened;
      await opened.query(`listen ${CHANNEL}`);
      wake(true);
    },
    async stop() {
      listeners.delete(wake);
      const closing = client;
      client = null;
      await closing?.end().catch(() => {});
    },
  };
}
