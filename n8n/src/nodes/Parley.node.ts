/** The node: one call for each input item. */
import { randomUUID } from 'node:crypto';
import type { ExecuteContext, Item, NodeDescription } from '../n8n.ts';
import { CREDENTIAL, request } from '../request.ts';
import { FIELDS } from './fields.ts';

type Read = (name: string, fallback?: unknown) => unknown;
type Values = Readonly<Record<string, unknown>>;

/** Options that are left empty are not sent. */
const filled = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== null));

const path = (text: unknown): string => encodeURIComponent(String(text).trim());

const OPERATIONS: Readonly<Record<string, (context: ExecuteContext, read: Read) => Promise<unknown>>> = {
  sendMessage(context, read) {
    const { idempotency_key = randomUUID(), ...options } = filled(read('options', {}) as Values);
    const to = String(read('to'))
      .split(/[,;\n]/)
      .map((number) => number.trim())
      .filter(Boolean);
    const data = filled({ channel: read('channel'), from: read('from'), to, text: read('text', ''), ...options });
    return request(context, {
      ...{ method: 'POST', path: '/v1/messages', data, idempotency_key: String(idempotency_key) },
    });
  },
  getMessage: (context, read) => request(context, { method: 'GET', path: `/v1/messages/${path(read('messageId'))}` }),
  lookUpNumber: (context, read) =>
    request(context, {
      ...{ method: 'POST', path: '/v1/number-lookups', data: { number: read('number') } },
      idempotency_key: randomUUID(),
    }),
  addContact: (context, read) =>
    request(context, {
      method: 'POST',
      path: `/v1/audiences/${path(read('audienceId'))}/contacts`,
      data: { number: read('number'), ...filled(read('details', {}) as Values) },
    }),
};

export class Parley {
  description: NodeDescription = {
    displayName: 'Parley',
    name: 'parley',
    icon: 'file:parley.svg',
    group: ['output'],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: 'Send messages, look up numbers, and add contacts',
    defaults: { name: 'Parley' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    credentials: [{ name: CREDENTIAL, required: true }],
    properties: FIELDS,
  };

  async execute(this: ExecuteContext): Promise<Item[][]> {
    const items: Item[] = [];
    for (const item of this.getInputData().keys()) {
      const read: Read = (name, fallback) => this.getNodeParameter(name, item, fallback);
      try {
        const data = await OPERATIONS[String(read('operation'))]!(this, read);
        // A message to several recipients has one result for each.
        for (const json of [data].flat() as Values[]) items.push({ json, pairedItem: { item } });
      } catch (error) {
        if (!this.continueOnFail()) throw error;
        const { message, description = '' } = error as Error & { description?: string };
        items.push({ json: { error: message, description }, pairedItem: { item } });
      }
    }
    return [items];
  }
}
