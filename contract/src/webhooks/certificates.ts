/** The client certificate that a webhook presents to its server (mutual TLS). */
import { z } from 'zod';
import { idParams, problem } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { MAX_PEM, Webhook } from './webhooks.ts';

/**
 * Without a body, Parley generates a private key, which never leaves it, and a self-signed certificate. With
 * `certificate` and `private_key`, the webhook presents your own certificate. Both replace an earlier one immediately.
 */
export const createWebhookCertificate = endpoint({
  id: 'webhooks.create_certificate',
  method: 'POST',
  path: '/v1/webhooks/{id}/certificates',
  summary: 'Generate or upload the client certificate of a webhook',
  needs: 'WEBHOOKS:edit',
  params: idParams('WEBHOOK_NOT_FOUND'),
  body: z.object({
    /** PEM, with any intermediate certificates after it. */
    certificate: z
      .string()
      .trim()
      .max(MAX_PEM, { error: problem('WEBHOOK_CERTIFICATE_INVALID') })
      .optional(),
    /** PEM, without a password: RSA with at least 2,048 bits, or an elliptic curve. */
    private_key: z
      .string()
      .trim()
      .max(MAX_PEM, { error: problem('WEBHOOK_KEY_INVALID') })
      .optional(),
  }),
  status: 201,
  output: Webhook,
  problems: [
    'WEBHOOK_NOT_FOUND',
    'WEBHOOK_HTTPS_REQUIRED',
    'WEBHOOK_CERTIFICATE_INVALID',
    'WEBHOOK_CERTIFICATE_EXPIRED',
    'WEBHOOK_KEY_INVALID',
  ],
});

export const removeWebhookCertificate = endpoint({
  id: 'webhooks.remove_certificate',
  method: 'DELETE',
  path: '/v1/webhooks/{id}/certificates',
  summary: 'Remove the client certificate of a webhook',
  needs: 'WEBHOOKS:edit',
  params: idParams('WEBHOOK_NOT_FOUND'),
  output: Webhook,
  problems: ['WEBHOOK_NOT_FOUND'],
});
