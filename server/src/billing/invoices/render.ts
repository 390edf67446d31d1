/** Draws invoices as PDF in separate processes, because the embedding of fonts would block this one. */
import { fileURLToPath } from 'node:url';
import type { InvoiceDetails } from '@parley/contract/billing/invoices.ts';
import { startLimited } from '../../kernel/untrusted/limited_process.ts';

const ENTRY = fileURLToPath(new URL('./render_process.ts', import.meta.url));
const LIMITS = { heap_mb: 256, memory_mb: 1_280, cpu_seconds: 30 } as const;
const LIMIT_MS = 60_000;

export async function renderInvoice(invoice: InvoiceDetails): Promise<Uint8Array> {
  const child = startLimited(ENTRY, LIMITS);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('drawing an invoice took too long')), LIMIT_MS);
      // The first message reports that the process is ready; the second one contains the invoice.
      child.once('message', () => {
        child.once('message', (pdf) => resolve(pdf as Uint8Array));
        child.send(invoice);
      });
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`drawing an invoice ended with ${code}`)));
    });
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}
