/** Makes a call from the documentation, without the user's session. */
import type { EditedCall, ExampleCall } from '@parley/contract/docs/examples.ts';
import { randomId } from '../../kernel/random.ts';

const TIMEOUT_MS = 30_000;
/** Longer responses would slow the page down. */
const MAX_SHOWN = 20_000;
const TEST_KEY = /^parley_test_[\w]{8,100}$/;

/** Live keys are refused here, so nothing on this page can send messages or cost money. */
export const isTestKey = (key: string): boolean => TEST_KEY.test(key);

/** Checks that the path is that of the call, with any IDs and query. Returns the problem, or null. */
export function pathProblem(template: string, given: string): string | null {
  const pattern = template
    .split(/\{\w+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/?#]+');
  return new RegExp(`^${pattern}(\\?[^#]*)?$`).test(given) ? null : `The path must have the form ${template}.`;
}

export interface Answer {
  /** 0 if there was no response. */
  status: number;
  ms: number;
  request_id: string | null;
  text: string;
}

export async function makeCall(call: ExampleCall, { path, key, body }: EditedCall): Promise<Answer> {
  const start = performance.now();
  try {
    const response = await fetch(path, {
      method: call.method,
      headers: {
        'x-api-key': key,
        ...(call.isIdempotent ? { 'idempotency-key': randomId() } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body } : {}),
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    return {
      status: response.status,
      ms: Math.round(performance.now() - start),
      request_id: response.headers.get('x-request-id'),
      text: format(text),
    };
  } catch {
    return { status: 0, ms: Math.round(performance.now() - start), request_id: null, text: '' };
  }
}

function format(text: string): string {
  try {
    return shorten(JSON.stringify(JSON.parse(text), null, 2));
  } catch {
    return shorten(text);
  }
}

const shorten = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n…` : text);
