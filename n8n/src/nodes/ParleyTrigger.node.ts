/** The trigger: adds a webhook while the workflow is active, and starts the workflow with each signed delivery. */
import type { HookContext, NodeDescription, WebhookContext, WebhookResult } from '../n8n.ts';
import { CREDENTIAL, ParleyRequestError, request } from '../request.ts';
import { isSigned } from './signature.ts';

const NOT_FOUND = 404;
const WEBHOOK = 'default';

const EVENTS = [
  ['message.received', 'Message Received'],
  ['message.sent', 'Message Sent'],
  ['message.delivered', 'Message Delivered'],
  ['message.read', 'Message Read'],
  ['message.failed', 'Message Failed'],
  ['message.rejected', 'Message Rejected'],
  ['message.expired', 'Message Expired'],
  ['conversation.created', 'Conversation Created'],
  ['campaign.updated', 'Campaign Updated'],
  ['template.updated', 'Template Updated'],
  ['opt_out.added', 'Opt-Out Added'],
  ['opt_out.removed', 'Opt-Out Removed'],
  ['verification.verified', 'Verification Verified'],
  ['limit.reached', 'Limit Reached'],
] as const;

interface Webhook {
  id: string;
  url: string;
  secret: string;
  events: readonly string[];
}

const chosenEvents = (context: HookContext): string[] => [...(context.getNodeParameter('events') as string[])].sort();

const webhookPath = (id: unknown): string => `/v1/webhooks/${encodeURIComponent(String(id))}`;

/** Returns null if the webhook was deleted. */
async function find(context: HookContext, id: unknown): Promise<Webhook | null> {
  try {
    return (await request(context, { method: 'GET', path: webhookPath(id) })) as Webhook;
  } catch (error) {
    if (error instanceof ParleyRequestError && error.status === NOT_FOUND) return null;
    throw error;
  }
}

async function checkExists(this: HookContext): Promise<boolean> {
  const stored = this.getWorkflowStaticData('node');
  if (stored.id === undefined) return false;
  const webhook = await find(this, stored.id);
  if (!webhook) return false;
  const url = this.getNodeWebhookUrl(WEBHOOK);
  const events = chosenEvents(this);
  if (webhook.url !== url || webhook.events.toSorted().join() !== events.join())
    await request(this, { method: 'PUT', path: webhookPath(stored.id), data: { url, events } });
  stored.secret = webhook.secret;
  return true;
}

async function create(this: HookContext): Promise<boolean> {
  const data = { url: this.getNodeWebhookUrl(WEBHOOK), events: chosenEvents(this) };
  const { id, secret } = (await request(this, { method: 'POST', path: '/v1/webhooks', data })) as Webhook;
  Object.assign(this.getWorkflowStaticData('node'), { id, secret });
  return true;
}

async function remove(this: HookContext): Promise<boolean> {
  const stored = this.getWorkflowStaticData('node');
  try {
    if (stored.id !== undefined) await request(this, { method: 'DELETE', path: webhookPath(stored.id) });
  } catch (error) {
    if (!(error instanceof ParleyRequestError && error.status === NOT_FOUND)) return false;
  }
  delete stored.id;
  delete stored.secret;
  return true;
}

export class ParleyTrigger {
  description: NodeDescription = {
    displayName: 'Parley Trigger',
    name: 'parleyTrigger',
    icon: 'file:parley.svg',
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts a workflow when a message arrives or its status changes, and for other events',
    defaults: { name: 'Parley Trigger' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: CREDENTIAL, required: true }],
    webhooks: [{ name: WEBHOOK, httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        default: ['message.received'],
        required: true,
        options: EVENTS.map(([value, name]) => ({ name, value })),
      },
    ],
  };

  webhookMethods = { default: { checkExists, create, delete: remove } };

  async webhook(this: WebhookContext): Promise<WebhookResult> {
    const request = this.getRequestObject();
    await request.readRawBody?.();
    const { secret } = this.getWorkflowStaticData('node');
    const headers = this.getHeaderData();
    if (!request.rawBody || typeof secret !== 'string' || !isSigned(request.rawBody, headers, secret)) {
      this.getResponseObject().status(401).send('The signature is not valid').end();
      return { noWebhookResponse: true };
    }
    const event = JSON.parse(Buffer.from(request.rawBody).toString('utf8')) as Record<string, unknown>;
    // Deliveries can repeat, always with the same ID.
    return { workflowData: [[{ json: { ...event, webhook_id: headers['webhook-id'] } }]] };
  }
}
