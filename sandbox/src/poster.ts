// One POST after another to addresses of businesses, over connections that stay open: a campaign is two callbacks a message.
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

const answerWithin = 10_000;

export class Poster {
  #http = new HttpAgent({ keepAlive: true });
  #https = new HttpsAgent({ keepAlive: true });

  /** The HTTP status of the answer; rejects with a sentence when there was none. Redirects are answers like any other. */
  async post(address: string, headers: Record<string, string>, body: string): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const secure = address.startsWith('https:');
    const request = (secure ? httpsRequest : httpRequest)(address, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: secure ? this.#https : this.#http,
    });
    const late = setTimeout(() => request.destroy(new Error('no answer in 10 seconds')), answerWithin);
    request.on('response', (response) => {
      response.resume();
      // Not before the end: what is told next must not overtake it on another connection.
      response.on('close', () => {
        clearTimeout(late);
        if (response.complete) resolve(response.statusCode ?? 0);
        else reject(new Error('the connection was cut in the answer'));
      });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(late);
      reject(new Error(error.code ?? error.message));
    });
    request.end(body);
    return promise;
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}
