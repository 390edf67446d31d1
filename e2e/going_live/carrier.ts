/**
 * An SMPP carrier that knows nothing about Parley or its sandbox: it accepts every message, keeps it, and reports it as
 * delivered.
 */

import { STATUS } from '@parley/smpp/pdu.ts';
import { formatReceipt } from '@parley/smpp/receipt.ts';
import { type BoundSession, createSmppServer } from '@parley/smpp/server.ts';
import { decodeText } from '@parley/smpp/text.ts';

export const SYSTEM_ID = 'northwind';
export const CARRIER_PASSWORD = 'f7Kq2x';

export interface Carrier {
  port: number;
  /** Waits for a text to this number that matches, and returns it with its sender. */
  waitForText(digits: string, pattern: RegExp): Promise<{ from: string; text: string }>;
  stop(): Promise<void>;
}

export async function startCarrier(): Promise<Carrier> {
  const texts: { from: string; to: string; text: string }[] = [];
  let next = 0;
  const accept = (session: BoundSession) => {
    session.onSubmit = (pdu) => {
      const { source_addr: from = '', destination_addr: to = '' } = pdu;
      const text = decodeText(pdu.short_message ?? Buffer.alloc(0), pdu.data_coding ?? 0);
      const message_id = `nw-${++next}`;
      texts.push({ from, to: to.replace(/^\+/, ''), text });
      const now = new Date();
      const receipt = formatReceipt({ id: message_id, state: 'DELIVERED', submit_date: now, done_date: now, text });
      // A carrier reports the delivery after it has answered.
      setTimeout(() => {
        void session.deliver({ ...receipt, source_addr: to, destination_addr: from }).catch(() => undefined);
      }, 200);
      return { message_id };
    };
  };
  const server = createSmppServer({
    system_id: 'NORTHWIND',
    authenticate: (bind) =>
      bind.system_id === SYSTEM_ID && bind.password === CARRIER_PASSWORD ? 0 : STATUS.ESME_RINVPASWD,
    onBound: accept,
  });
  const port = await server.listen(0, '127.0.0.1');
  return {
    port,
    async waitForText(digits, pattern) {
      for (const deadline = Date.now() + 40_000; Date.now() < deadline; ) {
        const found = texts.findLast(({ to, text }) => to === digits && pattern.test(text));
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`No text to ${digits} matches ${pattern}: ${JSON.stringify(texts)}`);
    },
    stop: () => server.close(200),
  };
}
