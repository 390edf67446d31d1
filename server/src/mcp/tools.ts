/** Turns the tools of the contract into descriptions for agents, and the calls of agents into requests. */
import { type AnyEndpoint, endpointPath, queryString } from '@parley/contract/endpoint.ts';
import { TOOLS, type Tool } from '@parley/contract/mcp/tools.ts';
import { permits } from '@parley/contract/permission.ts';
import { z } from 'zod';
import { inputSchema, type Json } from '../kernel/http/openapi/schemas.ts';
import type { Actor } from '../kernel/security/auth.ts';

export interface ToolDescription {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object' } & Json;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
}

export interface ToolRequest {
  method: AnyEndpoint['method'];
  url: string;
  /** The body; undefined for calls without one. */
  data?: unknown;
  headers: Record<string, string>;
  /** True if the call only rehearses. */
  is_rehearsal: boolean;
}

type Arguments = Readonly<Record<string, unknown>>;

const CONFIRM = 'confirm';
const IDEMPOTENCY_KEY = 'idempotency_key';
const APPROVAL_TOKEN = 'approval_token';

const descriptions = new Map<string, ToolDescription>();

export const findTool = (name: string): Tool | undefined => TOOLS.find((tool) => tool.name === name);

/** The tools whose calls the key may make. */
export const listTools = (actor: Actor): ToolDescription[] =>
  TOOLS.filter(({ endpoint }) => isOpenTo(actor, endpoint)).map(describe);

function isOpenTo(actor: Actor, endpoint: AnyEndpoint): boolean {
  if (actor.test && !endpoint.test_keys) return false;
  if ((actor.spend_limit_micros != null || actor.approval) && endpoint.uncounted_spend) return false;
  return endpoint.needs !== 'public' && permits(actor.permissions, endpoint.needs);
}

/** Written at the first use, because most processes serve no agents. */
function describe(tool: Tool): ToolDescription {
  const known = descriptions.get(tool.name);
  if (known) return known;
  const { name, title, description, endpoint, rehearsal } = tool;
  const isRead = endpoint.method === 'GET';
  const described: ToolDescription = {
    name,
    title,
    description,
    inputSchema: argumentSchema(tool),
    annotations: {
      readOnlyHint: isRead,
      destructiveHint: false,
      idempotentHint: isRead,
      openWorldHint: rehearsal !== undefined,
    },
  };
  descriptions.set(name, described);
  return described;
}

function argumentSchema({
  endpoint,
  account,
  renames = {},
  hides = [],
  rehearsal,
  approval,
}: Tool): ToolDescription['inputSchema'] {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  for (const part of [endpoint.params, endpoint.query, endpoint.body]) {
    if (!part) continue;
    const schema = inputSchema(part) as { properties?: Record<string, Json>; required?: string[] };
    for (const [field, json] of Object.entries(schema.properties ?? {})) {
      if (field === account || hides.includes(field)) continue;
      const argument = part === endpoint.params ? (renames[field] ?? field) : field;
      properties[argument] = json;
      if (schema.required?.includes(field)) required.push(argument);
    }
  }
  if (endpoint.idempotent)
    properties[IDEMPOTENCY_KEY] = {
      type: 'string',
      description: 'A unique text for this call. A repeated call with the same text has no additional effect.',
    };
  if (rehearsal)
    properties[CONFIRM] = {
      type: 'boolean',
      description: 'True to do it. Otherwise the tool only rehearses, which is free.',
    };
  if (approval)
    properties[APPROVAL_TOKEN] = {
      type: 'string',
      description: 'The token of an approval. The user gets it by approving the message.',
    };
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The arguments are not checked here, because the endpoint checks them. */
export function toRequest(tool: Tool, args: Arguments, account_id: string): ToolRequest {
  const { [CONFIRM]: confirm, [IDEMPOTENCY_KEY]: key, [APPROVAL_TOKEN]: token, ...input } = args;
  const is_rehearsal = tool.rehearsal !== undefined && confirm !== true;
  const endpoint = is_rehearsal ? tool.rehearsal! : tool.endpoint;
  const params = pathParams(tool, input, account_id);
  const rest = Object.entries(input).filter(([name]) => !params.used.has(name));
  // The rehearsal of a call without fields, such as a price, ignores the arguments of the call.
  const passed = is_rehearsal && !endpoint.body ? [] : rest;
  const path = endpointPath(endpoint.path, params.values);
  if (endpoint.method === 'GET')
    return { method: 'GET', url: withQuery(path, Object.fromEntries(passed)), headers: {}, is_rehearsal };
  return {
    method: endpoint.method,
    url: path,
    data: Object.fromEntries(passed),
    headers: is_rehearsal ? {} : { ...header('idempotency-key', key), ...header('approval-token', token) },
    is_rehearsal,
  };
}

const header = (name: string, value: unknown): Record<string, string> =>
  typeof value === 'string' && /^[\x20-\x7e]+$/.test(value) ? { [name]: value } : {};

function pathParams({ endpoint, account, renames = {} }: Tool, input: Arguments, account_id: string) {
  const values: Record<string, unknown> = {};
  const used = new Set<string>();
  const names = endpoint.params instanceof z.ZodObject ? Object.keys(endpoint.params.shape) : [];
  for (const name of names) {
    const argument = renames[name] ?? name;
    values[name] = name === account ? account_id : (input[argument] ?? '-');
    if (name !== account) used.add(argument);
  }
  return { values, used };
}

function withQuery(path: string, query: Record<string, unknown>): string {
  const text = queryString(query);
  return text ? `${path}?${text}` : path;
}
