import { company, type Webhook } from './records.ts';

/** The webhook of a change, in the format of version 2. The CRM does not wait for the response. */
export async function announce(
  webhooks: readonly Webhook[],
  change: { entity: 'person' | 'deal'; action: string; id: number; source: string; merged_to_id?: number },
): Promise<void> {
  const { entity, action, id, source, merged_to_id } = change;
  const meta = {
    ...{ version: '2.0', action, entity, entity_id: String(id), company_id: String(company.id) },
    ...{ change_source: source, timestamp: new Date().toISOString() },
    ...(merged_to_id === undefined ? {} : { merged_to_id: String(merged_to_id) }),
  };
  for (const hook of webhooks.filter(({ event_object }) => event_object === entity)) {
    const credentials = Buffer.from(`${hook.http_auth_user}:${hook.http_auth_password}`).toString('base64');
    await fetch(hook.subscription_url, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
      body: JSON.stringify({ meta, data: { id }, previous: null }),
      signal: AbortSignal.timeout(10_000),
    }).catch(() => {
      // The real service repeats failed webhooks. Apps also ask for changes.
    });
  }
}
