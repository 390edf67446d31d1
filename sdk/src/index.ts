/** The client of the Parley API. */
export { createParley, type Options, type Parley } from './client.ts';
export { ParleyError } from './error.ts';
export type * from './generated.ts';
export { every } from './pages.ts';
export { verifySignature, verifyWebhook, WebhookError } from './webhooks.ts';
