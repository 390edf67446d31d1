// The SMTP door of the mailbox: takes any mail from anyone for anyone, with or without a log-in, and delivers none of it.
import { SMTPServer } from 'smtp-server';
import { mailRefusal } from './magic.ts';
import type { Mailbox } from './mailbox.ts';

const biggest = 25 * 1024 * 1024;

const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });

export interface Smtp {
  port: number;
  close(): Promise<void>;
}

export async function openSmtp(mailbox: Mailbox, port: number, host: string): Promise<Smtp> {
  const server = new SMTPServer({
    banner: 'Parley sandbox: nothing here reaches a real mailbox',
    // Its built-in certificate is trusted by nobody: offering STARTTLS would only make careful senders fail.
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: biggest,
    logger: false,
    closeTimeout: 500,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anyone' }),
    onRcptTo: ({ address }, _session, done) => {
      const magic = mailRefusal(address);
      done(magic ? refusal(magic.response, magic.title) : null);
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        if (!stream.sizeExceeded) chunks.push(chunk);
      });
      stream.on('error', done);
      stream.on('end', () => {
        if (stream.sizeExceeded) {
          done(refusal(552, 'More than 25 MB'));
          return;
        }
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        const to = envelope.rcptTo.map(({ address }) => address);
        mailbox.store(Buffer.concat(chunks), from, to).then(
          (id) => done(null, `kept as ${id}`),
          () => done(refusal(452, 'No room for mail')),
        );
      });
    },
  });
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(port, host, listening.resolve);
  await listening.promise;
  server.off('error', listening.reject);
  // A client that breaks off in the middle is not our failure.
  server.on('error', () => {});
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
