/** Connections to the SMS providers that the sandbox simulates. */
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import { sealSecrets } from '../../connections/connections.ts';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';

/** The number that the account has at every provider. */
export const SENDER = '447400990001';

export interface SandboxProvider {
  name: AdapterName;
  /** The path of the `base_url`. */
  base_path: string;
  /** A connection's settings, besides `base_url`. */
  settings: Readonly<Record<string, string>>;
}

export async function listProviders(sandbox: { url: string }): Promise<SandboxProvider[]> {
  const { providers } = (await (await fetch(`${sandbox.url}/api/providers`)).json()) as {
    providers: SandboxProvider[];
  };
  return providers;
}

interface Options {
  /** The URL of the sandbox. */
  origin: string;
  /** Changes to the settings. */
  settings?: Readonly<Record<string, unknown>>;
  name?: string;
  unknown_policy?: 'fail' | 'resend';
  grace_seconds?: number;
  /** The numbers and the percentage of the route. Without either, all numbers. */
  prefix?: string;
  percentage?: number | null;
  hasRoute?: boolean;
}

/** Adds a connection with a route. Returns the ID of the connection. */
export async function connectProvider(
  { kernel }: { kernel: Kernel },
  provider: SandboxProvider,
  { origin, settings, unknown_policy = 'fail', grace_seconds = 600, hasRoute = true, ...options }: Options,
): Promise<string> {
  const { name, base_path } = provider;
  const id = newId();
  const complete = { base_url: `${origin}${base_path}`, ...provider.settings, ...settings };
  const sealed = JSON.stringify(sealSecrets(kernel, id, name, ADAPTERS[name].settings.parse(complete)));
  await kernel.db.run(sql`
    insert into connections (id, name, adapter, channel, settings, unknown_policy, unknown_grace_seconds)
    values (${id}, ${options.name ?? name}, ${name}, 'SMS', ${sealed}::jsonb, ${unknown_policy}, ${grace_seconds})`);
  if (hasRoute)
    await kernel.db.run(sql`
      insert into routes (id, channel, connection_id, prefix, percentage)
      values (${newId()}, 'SMS', ${id}, ${options.prefix ?? null}, ${options.percentage ?? null})`);
  return id;
}

/** Adds a price for the numbers in tests. */
export const addRate = ({ kernel }: { kernel: Kernel }, price_micros = 40_000) =>
  kernel.db.run(sql`
    insert into rates (id, channel, country, price_micros, currency)
    values (${newId()}, 'SMS', 'GB', ${price_micros}, 'USD')`);
