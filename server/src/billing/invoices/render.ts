/** Draws invoices and statements as PDF in separate processes, because the embedding of fonts would block this one. */
import { fileURLToPath } from 'node:url';
import type { InvoiceDetails } from '@parley/contract/billing/invoices.ts';
import type { Statement } from '@parley/contract/billing/statements.ts';
import { startLimited } from '../../kernel/untrusted/limited_process.ts';

/** A statement with the texts of its drawing. */
export interface DrawnStatement extends Statement {
  title: string;
  /** The company that issues the invoices of the account. */
  seller: string;
}
export type Drawn = { invoice: InvoiceDetails } | { statement: DrawnStatement };

const ENTRY = fileURLToPath(new URL('./render_process.ts', import.meta.url));
const LIMITS = { heap_mb: 256, memory_mb: 1_280, cpu_seconds: 30 } as const;
const LIMIT_MS = 60_000;

export const renderInvoice = (invoice: InvoiceDetails): Promise<Uint8Array> => render({ invoice });
export const renderStatement = (statement: DrawnStatement): Promise<Uint8Array> => render({ statement });

async function render(document: Drawn): Promise<Uint8Array> {
  const child = startLimited(ENTRY, LIMITS);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('drawing a PDF took too long')), LIMIT_MS);
      // The first message reports that the process is ready; the second one contains the PDF.
      child.once('message', () => {
        child.once('message', (pdf) => resolve(pdf as Uint8Array));
        child.send(document);
      });
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`drawing a PDF ended with ${code}`)));
    });
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}
