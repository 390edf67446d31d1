/** The guides of the documentation: the rules that apply to every endpoint. */

import { DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import type { ReactNode } from 'react';
import { OPENAPI_LINK, OPERATOR_OPENAPI_LINK } from '../../paths.ts';
import { CodeBlock } from '../../ui/data/CodeBlock.tsx';

export interface Guide {
  id: string;
  title: string;
  body: () => ReactNode;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const FIRST_MESSAGE = () =>
  [
    `curl '${window.location.origin}/v1/messages' \\`,
    "  -H 'X-API-Key: YOUR_API_KEY' \\",
    "  -H 'Content-Type: application/json' \\",
    '  -H "Idempotency-Key: $(uuidgen)" \\',
    `  -d '{"data": {"channel": "${DEFAULT_CHANNEL}", "from": "Harbour", "to": ["447400123456"], "text": "Hello"}}'`,
  ].join('\n');

const FILTERED_LIST = () =>
  [
    `curl '${window.location.origin}/v1/messages?page_size=50&filter[statuses]=failed,expired' \\`,
    "  -H 'X-API-Key: YOUR_API_KEY'",
  ].join('\n');

function Requests() {
  return (
    <>
      <p>
        Authenticate with an API key in the header <code>X-API-Key</code>, or with the token of a session in{' '}
        <code>Authorization: Bearer …</code>. Endpoints for people, such as those for passwords, accept only a session.
      </p>
      <CodeBlock code={FIRST_MESSAGE()} label="First request" />
      <p>
        Request and response bodies are JSON objects with a <code>data</code> member. Times are UTC, in the format{' '}
        <code>yyyy-MM-dd HH:mm:ss</code>. Phone numbers are digits with the country code. Amounts ending in{' '}
        <code>_micros</code> are millionths of the account’s currency.
      </p>
      <p>
        The <a href={OPENAPI_LINK}>OpenAPI 3.1 document</a> lists every endpoint’s fields and error codes in
        machine-readable form, for generated clients. <a href={OPERATOR_OPENAPI_LINK}>Another document</a> adds the
        calls of operators.
      </p>
      <p>
        A JSON body can be compressed: send <code>Content-Encoding: gzip</code> or <code>deflate</code>.
      </p>
    </>
  );
}

function Lists() {
  return (
    <>
      <p>
        A list has <code>data</code> and <code>pagination</code>. Request the next page with <code>page</code>, or
        follow <code>pagination.links.next</code> until it is null. <code>page_size</code> is 10, 20, 50, or 100.
      </p>
      <p>
        If a list has more than 10,000 rows, <code>total</code> is 10,000 and <code>total_is_estimate</code> is true.
        The last page has the exact total.
      </p>
      <p>
        Filters have the form <code>filter[name]=value</code>. Separate several values with commas. Unknown filters are
        rejected. A date without a time, such as <code>2027-01-31</code>, means the whole day.
      </p>
      <CodeBlock code={FILTERED_LIST()} label="A filtered list" />
      <CodeBlock
        code={json({
          data: ['…'],
          pagination: {
            number: 1,
            size: 50,
            total: 1204,
            links: { first: '…', current: '…', previous: null, next: '…' },
          },
        })}
        label="A page"
      />
    </>
  );
}

function Errors() {
  return (
    <>
      <p>
        A refused request has a status of 400 or above and a list of <code>errors</code>. <code>code</code> never
        changes, so check the code, not the text. <code>field</code> names the field of the request. Quote{' '}
        <code>request_id</code> when you contact support.
      </p>
      <CodeBlock
        code={json({
          errors: [{ status: 400, code: 1506, message: 'Recipient is required', field: 'to', request_id: '…' }],
        })}
        label="An error"
      />
      <p>
        429 means too many requests: wait for the seconds in <code>Retry-After</code>. Other responses announce the
        limit in <code>RateLimit-Limit</code>, <code>RateLimit-Remaining</code>, and <code>RateLimit-Reset</code>. Retry
        500 and 503 with increasing waits, and with the same idempotency key.
      </p>
    </>
  );
}

function Idempotency() {
  return (
    <>
      <p>
        Requests that send or spend accept <code>Idempotency-Key</code>, a string of your choice with at most 255
        characters. Repeat a request with the same key if you did not get its response: it is carried out once, and you
        get the first response again.
      </p>
      <p>
        The same key with a different body is refused with 422. While the first request is being carried out, a repeated
        one is refused with 409.
      </p>
    </>
  );
}

export const GUIDES: readonly Guide[] = [
  { id: 'requests', title: 'Making requests', body: Requests },
  { id: 'lists', title: 'Lists and filters', body: Lists },
  { id: 'errors', title: 'Errors', body: Errors },
  { id: 'idempotency', title: 'Repeating a request', body: Idempotency },
];
