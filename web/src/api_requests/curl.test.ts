import { expect, test } from 'vitest';
import { writeCurl } from './curl.ts';

test('the command repeats the method, path, and body, and quotes apostrophes for the shell', () => {
  const request_body = `{"data":{"text":"It's ready"}}`;
  expect(writeCurl({ method: 'POST', path: '/v1/messages', request_body }, 'https://api.example.com')).toBe(
    [
      `curl -X POST 'https://api.example.com/v1/messages' \\`,
      `  -H 'X-API-Key: YOUR_API_KEY' \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '{"data":{"text":"It'\\''s ready"}}'`,
    ].join('\n'),
  );
  expect(writeCurl({ method: 'GET', path: '/v1/senders?page=2', request_body: null }, 'https://api.example.com')).toBe(
    `curl 'https://api.example.com/v1/senders?page=2' \\\n  -H 'X-API-Key: YOUR_API_KEY'`,
  );
});
