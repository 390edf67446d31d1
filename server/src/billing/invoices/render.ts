/** Draws invoices and statements as PDF in a separate process, because the embedding of fonts would block this one. */
import { fileURLToPath } from 'node:url';
import type { InvoiceDetails } from '@parley/contract/billing/invoices.ts';
import type { Statement } from '@parley/contract/billing/statements.ts';
import { startLimited } from '../../kernel/untrusted/limited_process.ts';

/** A statement with the texts of its drawing. */
export interface DrawnStatement extends Statement {
  title: string;
  /** The company that issues the account's invoices. */
  seller: string;
}
export type Drawn = { invoice: InvoiceDetails } | { statement: DrawnStatement };

const ENTRY = fileURLToPath(new URL('./render_process.ts', import.meta.url));
const LIMITS = { heap_mb: 256, memory_mb: 1_280, cpu_seconds: 60 } as const;
const LIMIT_MS = 60_000;
/** A process draws this many documents. Starting it takes longer than drawing, especially at the end of a month. */
const DOCUMENTS = 200;
const IDLE_MS = 5_000;

export const renderInvoice = (invoice: InvoiceDetails): Promise<Uint8Array> => render({ invoice });
export const renderStatement = (statement: DrawnStatement): Promise<Uint8Array> => render({ statement });

interface Drawer {
  readonly child: ReturnType<typeof startLimited>;
  readonly ready: Promise<void>;
  left: number;
  idle?: NodeJS.Timeout;
}
let drawer: Drawer | null = null;
/** One document at a time. */
let queue: Promise<unknown> = Promise.resolve();

function render(document: Drawn): Promise<Uint8Array> {
  const drawn = queue.then(() => draw(document));
  queue = drawn.catch(() => {});
  return drawn;
}

function startDrawer(): Drawer {
  const child = startLimited(ENTRY, LIMITS);
  const ready = new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`drawing a PDF ended with ${code}`)));
  });
  return { child, ready, left: DOCUMENTS };
}

function stopDrawer(): void {
  clearTimeout(drawer?.idle);
  drawer?.child.kill('SIGKILL');
  drawer = null;
}

/** A process that fails is replaced, so a document cannot spoil the next one. */
async function draw(document: Drawn): Promise<Uint8Array> {
  drawer ??= startDrawer();
  const current = drawer;
  clearTimeout(current.idle);
  let timer: NodeJS.Timeout | undefined;
  try {
    const { child } = current;
    const pdf = await new Promise<Uint8Array>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('drawing a PDF took too long')), LIMIT_MS);
      child.once('exit', (code) => reject(new Error(`drawing a PDF ended with ${code}`)));
      current.ready.then(() => {
        child.once('message', (bytes) => resolve(bytes as Uint8Array));
        child.send(document);
      }, reject);
    });
    current.left--;
    if (current.left === 0) stopDrawer();
    else current.idle = setTimeout(stopDrawer, IDLE_MS).unref();
    return pdf;
  } catch (error) {
    stopDrawer();
    throw error;
  } finally {
    clearTimeout(timer);
    current.child.removeAllListeners('exit').removeAllListeners('message');
  }
}
