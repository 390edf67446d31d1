/** The SMTP server for the mailbox. It accepts any email, with or without authentication, and delivers none. */
import { SMTPServer } from 'smtp-server';
import { findMailRefusal } from '../world/magic.ts';
import type { Mailbox } from './mailbox.ts';

const maxBytes = 25 * 1024 * 1024;

const smtpError = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });

interface Smtp {
  port: number;
  close(): Promise<void>;
}

export async function openSmtp(mailbox: Mailbox, port: number, host: string): Promise<Smtp> {
  const server = new SMTPServer({
    banner: 'Parley sandbox: nothing here reaches a real mailbox',
    // No client trusts the built-in certificate, so offering STARTTLS would make strict senders fail.
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: maxBytes,
    logger: false,
    closeTimeout: 500,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anyone' }),
    onRcptTo: ({ address }, _session, done) => {
      const magic = findMailRefusal(address);
      done(magic ? smtpError(magic.response, magic.title) : null);
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        if (!stream.sizeExceeded) chunks.push(chunk);
      });
      stream.on('error', done);
      stream.on('end', () => {
        if (stream.sizeExceeded) {
          done(smtpError(552, 'More than 25 MB'));
          return;
        }
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        const to = envelope.rcptTo.map(({ address }) => address);
        mailbox.store(Buffer.concat(chunks), from, to).then(
          (id) => done(null, `stored as ${id}`),
          () => done(smtpError(452, 'No room for mail')),
        );
      });
    },
  });
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(port, host, listening.resolve);
  await listening.promise;
  server.off('error', listening.reject);
  // A client that disconnects during a transfer is not an error in the sandbox.
  server.on('error', () => {});
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
