/** Talks to the page of the CRM around the panel, with the messages of Pipedrive's app extensions. */

const identifier = (): string => new URLSearchParams(window.location.search).get('id') ?? '';
const TIMEOUT_MS = 5_000;

/** Sends a command. The host answers on a separate port. Fails if it does not answer in time. */
function execute<T>(command: string, args: unknown = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    const timer = setTimeout(() => {
      port1.close();
      reject(new Error(`The CRM did not respond to ${command}`));
    }, TIMEOUT_MS);
    port1.onmessage = ({ data }: MessageEvent<{ error?: string; data: T }>) => {
      clearTimeout(timer);
      port1.close();
      if (data.error) reject(new Error(data.error));
      else resolve(data.data);
    };
    // The host is not known in advance, and the messages contain no data of the account.
    window.parent.postMessage({ payload: { type: 'command', command, args }, id: identifier() }, '*', [port2]);
  });
}

/** Without an answer, the panel keeps the size that the CRM gave it. */
export const startHost = (height: number): Promise<void> =>
  execute<void>('initialize', { size: { height } }).catch(() => {});

/** A new signed token, for a panel that has been open for long. */
export const readSignedToken = async (): Promise<string> =>
  (await execute<{ token: string }>('get_signed_token')).token;
