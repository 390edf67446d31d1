/** The OpenAPI 3.1 document. It is generated from the contract, so it always matches the server. */
import { type AnyEndpoint, endpointModule } from '@parley/contract/endpoint.ts';
import { type ProblemName, problemCode, problemMessage, problemStatus } from '@parley/contract/problem.ts';
import { z } from 'zod';

const schema = (type: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...rest } = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  }) as Record<string, unknown>;
  return rest;
};

interface ObjectSchema {
  properties?: Record<string, unknown>;
  required?: string[];
}

function parameters(endpoint: AnyEndpoint): object[] {
  const list: object[] = [];
  const path = endpoint.params ? (schema(endpoint.params, 'input') as ObjectSchema) : {};
  for (const [name, type] of Object.entries(path.properties ?? {}))
    list.push({ name, in: 'path', required: true, schema: type });
  const query = endpoint.query ? (schema(endpoint.query, 'input') as ObjectSchema) : {};
  for (const [name, type] of Object.entries(query.properties ?? {})) {
    if (name === 'filter') {
      for (const [key, inner] of Object.entries((type as ObjectSchema).properties ?? {}))
        list.push({ name: `filter[${key}]`, in: 'query', schema: inner });
    } else list.push({ name, in: 'query', required: query.required?.includes(name) ?? false, schema: type });
  }
  if (endpoint.idempotent)
    list.push({ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 255 } });
  return list;
}

function body(endpoint: AnyEndpoint): object | undefined {
  if (!endpoint.body) return undefined;
  const data = schema(endpoint.body, 'input');
  if (endpoint.upload) {
    const form = data as ObjectSchema;
    return {
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: { ...form.properties, file: { type: 'string', contentMediaType: 'application/octet-stream' } },
            required: [...(form.required ?? []), 'file'],
          },
        },
      },
    };
  }
  return {
    required: true,
    content: { 'application/json': { schema: { type: 'object', properties: { data }, required: ['data'] } } },
  };
}

function responses(endpoint: AnyEndpoint): object {
  const extra = endpoint.beside
    ? (schema(endpoint.beside, 'output') as { properties: object; required?: string[] })
    : null;
  const status = String(endpoint.status ?? 200);
  const output = endpoint.raw || status === '204' ? null : schema(endpoint.output, 'output');
  const content = endpoint.raw
    ? { [endpoint.raw]: { schema: { type: 'string' } } }
    : {
        'application/json': {
          schema: endpoint.list
            ? {
                type: 'object',
                properties: {
                  data: { type: 'array', items: output },
                  pagination: { $ref: '#/components/schemas/Pagination' },
                  ...extra?.properties,
                },
                required: ['data', 'pagination', ...(extra?.required ?? [])],
              }
            : { type: 'object', properties: { data: output }, required: ['data'] },
        },
      };
  const own = { [status]: status === '204' ? { description: 'Done' } : { description: 'Done', content } };
  const common: ProblemName[] = [
    'REQUEST_INVALID',
    'REQUEST_DATA_REQUIRED',
    'REQUEST_TOO_LARGE',
    'CONTENT_TYPE_NOT_SUPPORTED',
    'TOKEN_INVALID',
    'USER_BLOCKED',
    'PERMISSION_REQUIRED',
    'VALUE_INVALID',
    'RATE_LIMIT_EXCEEDED',
    ...(endpoint.idempotent
      ? (['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_INVALID'] as const)
      : []),
  ];
  const refusals = new Map<number, ProblemName[]>();
  for (const code of new Set<ProblemName>([...endpoint.problems, ...common])) {
    const refusal_status = problemStatus(code);
    refusals.set(refusal_status, [...(refusals.get(refusal_status) ?? []), code]);
  }
  for (const [refusal_status, codes] of [...refusals].sort(([a], [b]) => a - b)) {
    own[String(refusal_status)] = {
      description: codes.map((code) => `${problemCode(code)}: ${problemMessage(code).replace(/\.$/, '')}`).join('. '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Errors' } } },
    } as never;
  }
  return own;
}

export function openapi(endpoints: readonly AnyEndpoint[], headers: readonly string[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const requestBody = body(endpoint);
    paths[endpoint.path] ??= {};
    paths[endpoint.path]![endpoint.method.toLowerCase()] = {
      operationId: endpoint.id,
      summary: endpoint.summary,
      tags: [endpointModule(endpoint.id)],
      ...(endpoint.needs === 'public' ? { security: [] } : {}),
      'x-needs': endpoint.needs,
      'x-audience': endpoint.audience ?? 'account',
      parameters: parameters(endpoint),
      ...(requestBody ? { requestBody } : {}),
      responses: responses(endpoint),
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Parley', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    security: [{ bearer: [] }, ...headers.map((_, index) => ({ [`key${index || ''}`]: [] }))],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        ...Object.fromEntries(
          headers.map((name, index) => [`key${index || ''}`, { type: 'apiKey', in: 'header', name }]),
        ),
      },
      schemas: {
        Pagination: {
          type: 'object',
          properties: {
            number: { type: 'integer' },
            size: { type: 'integer' },
            total: { type: 'integer' },
            total_is_estimate: { type: 'boolean' },
            links: {
              type: 'object',
              properties: {
                first: { type: 'string' },
                current: { type: 'string' },
                previous: { type: ['string', 'null'] },
                next: { type: ['string', 'null'] },
              },
              required: ['first', 'current', 'previous', 'next'],
            },
          },
          required: ['number', 'size', 'total', 'links'],
        },
        Errors: {
          type: 'object',
          properties: {
            errors: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  timestamp: { type: 'string' },
                  path: { type: 'string' },
                  method: { type: 'string' },
                  status: { type: 'integer' },
                  code: { type: 'integer' },
                  message: { type: 'string' },
                  field: { type: 'string' },
                  request_id: { type: 'string' },
                },
                required: ['status', 'code', 'message'],
              },
            },
          },
          required: ['errors'],
        },
      },
    },
  };
}
