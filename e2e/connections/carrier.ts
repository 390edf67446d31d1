/** An SMPP carrier with unusual formats: padded hexadecimal IDs, a clock ahead of UTC, and national numbers. */
import { formatReceipt } from '@parley/smpp/receipt.ts';
import { type BoundSession, createSmppServer } from '@parley/smpp/server.ts';

const AHEAD_MS = 330 * 60_000;

export async function startQuirkyCarrier(country_code: string) {
  // Large enough to contain letters in hexadecimal.
  let next = 0xa0b0c0;
  const accept = (session: BoundSession) => {
    session.onSubmit = (pdu) => {
      const { source_addr = '', destination_addr = '' } = pdu;
      const id = (++next).toString(16);
      const date = new Date(Date.now() + AHEAD_MS);
      const padded = id.padStart(16, '0');
      const receipt = formatReceipt({ id: padded, state: 'DELIVERED', submit_date: date, done_date: date });
      setTimeout(() => {
        const phone = {
          source_addr_ton: 2,
          source_addr_npi: 1,
          source_addr: destination_addr.slice(country_code.length),
        };
        void session.deliver({ ...receipt, ...phone, destination_addr: source_addr }).catch(() => undefined);
      }, 200);
      return { message_id: id.toUpperCase() };
    };
  };
  const server = createSmppServer({ authenticate: () => 0, onBound: accept });
  return { port: await server.listen(0, '127.0.0.1'), stop: () => server.close(200) };
}
