import { expect, test } from 'vitest';
import { writeEditedCurl, writeExample } from './examples.ts';
import type { Operation } from './openapi.ts';

const body = (properties: object, required: string[] = []) => ({
  requestBody: {
    content: {
      'application/json': { schema: { properties: { data: { type: 'object', properties, required } } } },
    },
  },
});
const operation = (more: object): Operation =>
  ({
    ...{ operationId: 'x', summary: 'X', tags: ['x'], 'x-needs': 'MESSAGES:add', method: 'POST', path: '/v1/things' },
    ...more,
  }) as Operation;

test('a curl example quotes its body for the shell and signs the request', () => {
  const code = writeExample(
    operation(body({ name: { type: 'string', enum: ["It's"] } }, ['name'])),
    'curl',
    'https://x.test',
  );
  expect(code).toBe(
    [
      `curl 'https://x.test/v1/things' \\`,
      `  -H 'X-API-Key: YOUR_API_KEY' \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '{`,
      `  "data": {`,
      `    "name": "It'\\''s"`,
      `  }`,
      `}'`,
    ].join('\n'),
  );
});

test('curl takes the brackets of a filter literally', () => {
  const edited = { path: '/v1/things?filter[channel]=SMS', key: 'parley_test_x', body: '' };
  const code = writeEditedCurl(operation({ method: 'GET' }), 'https://x.test', edited);
  expect(code).toBe("curl -g 'https://x.test/v1/things?filter[channel]=SMS' \\\n  -H 'X-API-Key: parley_test_x'");
});

test('a path is filled with an ID, and a deletion prints nothing', () => {
  const code = writeExample(operation({ method: 'DELETE', path: '/v1/things/{id}' }), 'typescript', '');
  expect(code).toContain("fetch('/v1/things/0197a5f0-0000-7000-8000-000000000001', {");
  expect(code).not.toContain('console.log');
});

test('a Python example uses Python’s literals', () => {
  const schema = { test: { type: 'boolean' }, rows: { type: 'array', items: { type: 'integer' } } };
  const code = writeExample(operation(body(schema, ['test', 'rows'])), 'python', '');
  expect(code).toContain('"test": True,');
  expect(code).toContain('"rows": [1],');
});

test('a PHP example quotes texts, and sends empty objects as objects', () => {
  const schema = { name: { type: 'string', enum: ["It's \\n"] }, filter: { type: 'object' } };
  const code = writeExample(operation(body(schema, ['name', 'filter'])), 'php', '');
  expect(code).toContain("'name' => 'It\\'s \\\\n',");
  expect(code).toContain("'filter' => new stdClass(),");
});

test('an endpoint for people is called with a session', () => {
  expect(writeExample(operation({ 'x-audience': 'person' }), 'curl', '')).toContain(
    'Authorization: Bearer YOUR_SESSION_TOKEN',
  );
});
