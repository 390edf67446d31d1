/** The parts of the document that no endpoint defines: pages, errors, and headers. */
import { timestamp } from '@parley/contract/common.ts';
import { problemCode, problemMessage } from '@parley/contract/problem.ts';
import type { Json } from './schemas.ts';

const link = { type: 'string', description: 'A path of this API, with its query.' };

export const PAGINATION: Json = {
  type: 'object',
  properties: {
    number: { type: 'integer', description: 'The number of the page, from 1.', examples: [1] },
    size: { type: 'integer', description: 'The maximum number of rows per page.', examples: [10] },
    total: { type: 'integer', description: 'The number of rows in the list.', examples: [120] },
    total_is_estimate: {
      type: 'boolean',
      description: 'True if the list has more than `total` rows. The last page has the exact total.',
    },
    links: {
      type: 'object',
      properties: {
        first: link,
        current: link,
        previous: { ...link, type: ['string', 'null'] },
        next: { ...link, type: ['string', 'null'], description: 'The next page. Null on the last page.' },
      },
      required: ['first', 'current', 'previous', 'next'],
    },
  },
  required: ['number', 'size', 'total', 'links'],
};

const { pattern, description, examples } = timestamp.meta() ?? {};

export const ERRORS: Json = {
  Problem: {
    type: 'object',
    properties: {
      timestamp: { type: 'string', pattern, description, examples },
      path: { type: 'string', description: 'The path of the request.', examples: ['/v1/messages'] },
      method: { type: 'string', description: 'The method of the request.', examples: ['POST'] },
      status: { type: 'integer', description: 'The HTTP status.', examples: [400] },
      code: { type: 'integer', description: 'The code of the problem. Codes never change.', examples: [1705] },
      message: {
        type: 'string',
        description: 'A readable description of the problem.',
        examples: ['A value is missing or not valid'],
      },
      field: { type: 'string', description: 'The field of the request.', examples: ['to'] },
      request_id: { type: 'string', description: 'Quote this ID when you contact support.' },
    },
    required: ['code', 'message'],
  },
  Errors: {
    type: 'object',
    properties: { errors: { type: 'array', items: { $ref: '#/components/schemas/Problem' }, minItems: 1 } },
    required: ['errors'],
  },
};

const seconds = { type: 'integer', minimum: 0 };

export const HEADERS: Json = {
  'Retry-After': { description: 'Wait this many seconds before you retry the request.', schema: seconds },
  RateLimit: {
    description: 'The requests that are left (`r`), and the seconds until the window ends (`t`).',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The requests per window (`q`), and the length of the window in seconds (`w`).',
    schema: { type: 'string' },
  },
  'RateLimit-Limit': { description: 'Requests per second for this session or API key.', schema: seconds },
  'RateLimit-Remaining': { description: 'Requests left in the current window.', schema: seconds },
  'RateLimit-Reset': { description: 'The seconds until the window ends.', schema: seconds },
};

export const SERVER_ERROR: Json = {
  description: (['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const)
    .map((name) => `${problemCode(name)}: ${problemMessage(name)}`)
    .join(' '),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Errors' } } },
};
