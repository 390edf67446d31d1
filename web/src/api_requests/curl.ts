/** Writes a logged request as a curl command. The reader fills in the key and the values that the log masks. */
import type { ApiRequestDetail } from '@parley/contract/api_requests/api_requests.ts';

type Request = Pick<ApiRequestDetail, 'method' | 'path' | 'request_body'>;

/**
 * Quotes a string for the shell. A single quote would end the string, so it is placed outside the quotes and escaped
 * with a backslash.
 */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export function writeCurl({ method, path, request_body }: Request, origin: string): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(origin + path)}`,
    `-H 'X-API-Key: YOUR_API_KEY'`,
  ];
  if (request_body !== null) lines.push(`-H 'Content-Type: application/json'`, `-d ${quote(request_body)}`);
  return lines.join(' \\\n  ');
}
