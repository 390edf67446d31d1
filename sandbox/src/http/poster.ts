import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

const responseTimeout = 10_000;

/** Sends POST requests to businesses over persistent connections. */
export class Poster {
  private readonly http = new HttpAgent({ keepAlive: true });
  private readonly https = new HttpsAgent({ keepAlive: true });

  /**
   * Returns the HTTP status of the response, even if it is a redirect. Rejects with the reason if there is no response.
   */
  async post(address: string, headers: Record<string, string>, body: string): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const secure = address.startsWith('https:');
    const request = (secure ? httpsRequest : httpRequest)(address, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: secure ? this.https : this.http,
    });
    const timeout = setTimeout(() => request.destroy(new Error('no response within 10 seconds')), responseTimeout);
    request.on('response', (response) => {
      response.resume();
      // Waits until the response ends, so that the next request cannot overtake this one on another connection.
      response.on('close', () => {
        clearTimeout(timeout);
        if (response.complete) resolve(response.statusCode ?? 0);
        else reject(new Error('the connection was cut during the response'));
      });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timeout);
      reject(new Error(error.code ?? error.message));
    });
    request.end(body);
    return promise;
  }

  close(): void {
    this.http.destroy();
    this.https.destroy();
  }
}
