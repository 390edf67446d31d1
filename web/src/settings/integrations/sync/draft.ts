import type { CrmSyncSettings } from '@parley/contract/crm/sync.ts';

/** The settings while they are edited. The audience is empty until one is selected. */
export type Draft = CrmSyncSettings;
