/** The CRMs that Parley supports, and the apps that the operator has registered with them. */
import { CRM_LABELS, CRMS, type CrmName } from '@parley/contract/crm/crm.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { hubspot } from './providers/hubspot.ts';
import { pipedrive } from './providers/pipedrive.ts';
import type { App, CrmProvider } from './providers/provider.ts';

const PROVIDERS: Readonly<Record<CrmName, CrmProvider>> = { pipedrive, hubspot };

export const provider = (name: CrmName): CrmProvider => PROVIDERS[name];

export const label = (name: CrmName): string => CRM_LABELS[name];

export function findApp({ config }: Pick<Kernel, 'config'>, name: CrmName): App | null {
  const app = config.CRM_APPS.find(({ id }) => id === name);
  return app ? { ...app, url: app.url ?? provider(name).url } : null;
}

export function requireApp(kernel: Pick<Kernel, 'config'>, name: CrmName): App {
  const app = findApp(kernel, name);
  if (!app) throw new Problem('CRM_NOT_AVAILABLE');
  return app;
}

export const redirectUri = ({ config }: Pick<Kernel, 'config'>, name: CrmName): string =>
  config.PUBLIC_URL + provider(name).callback_path;

/** The pages that CRMs may show in a frame, with the origins that may do so. */
export const listFramedPages = (kernel: Pick<Kernel, 'config'>): Map<string, readonly string[]> =>
  new Map(
    CRMS.flatMap((name) => {
      const app = findApp(kernel, name);
      const origins = app ? provider(name).frameOrigins(app) : [];
      return origins.length > 0 ? [[provider(name).callback_path, origins] as const] : [];
    }),
  );
