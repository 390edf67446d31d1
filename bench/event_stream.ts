/** Opens live streams with as little overhead as possible, because the generator shares the machine with the server. */
import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

/** Resolves when the stream is open. `onFrame` gets every frame except heartbeats as text. */
export function openStream(url: string, token: string, onFrame: (frame: string) => void): Promise<{ close(): void }> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/v1/events`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        return reject(new Error(`the stream was refused with status ${response.statusCode}`));
      }
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const frames = (rest + chunk).split('\n\n');
        rest = frames.pop() ?? '';
        for (const frame of frames) {
          if (frame.includes('"connection.ok"')) resolve({ close: () => call.destroy() });
          else if (!frame.includes('"heartbeat"')) onFrame(frame);
        }
      });
    });
    call.on('error', reject);
    call.end();
  });
}
