/**
 * The failure of a response that is neither a success nor a refusal in the carrier's own format. The HTTP status
 * determines the failure.
 */
import type { SendFailure } from './channel.ts';

export function unreadable(status: number): SendFailure {
  const code = `HTTP ${status}`;
  if (status === 429) return { kind: 'throttled', code, text: 'The carrier is limiting the message rate' };
  if (status === 503) return { kind: 'connection', code, text: 'The carrier cannot accept messages right now' };
  if (status >= 300 && status < 500)
    return {
      kind: 'connection',
      code,
      text: 'The carrier is not available at the moment',
      internal: 'The server at this URL is not the carrier’s',
      limited: true,
    };
  // A proxy in front of the carrier may have passed the request on.
  return { kind: 'unknown', code, text: 'The response could not be read' };
}
