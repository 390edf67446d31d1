import type { Config } from '../../kernel/settings/config.ts';
import { infobipProvider } from './infobip.ts';
import type { LookupProvider, ProviderAccess } from './provider.ts';
import { createTwilioProvider } from './twilio.ts';

const PROVIDERS: Readonly<Record<string, (access: ProviderAccess) => LookupProvider>> = {
  twilio: createTwilioProvider,
  infobip: infobipProvider,
};

const opened = new WeakMap<Config, LookupProvider | null>();

/** The provider of this installation, or null if lookups come from the numbering plan. */
export function currentProvider(config: Config): LookupProvider | null {
  const known = opened.get(config);
  if (known !== undefined) return known;
  const { LOOKUP_PROVIDER, LOOKUP_URL, LOOKUP_SECRET } = config;
  const provider = PROVIDERS[LOOKUP_PROVIDER]?.({ url: LOOKUP_URL ?? '', secret: LOOKUP_SECRET ?? '' }) ?? null;
  opened.set(config, provider);
  return provider;
}
