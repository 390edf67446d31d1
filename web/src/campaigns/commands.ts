/** Command palette: creates a campaign, and finds campaigns by name. */
import { DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { registerCommands, registerJumps } from '../kernel/commands.ts';
import { createCampaignPath } from '../paths.ts';

registerCommands({
  id: 'campaigns.create',
  label: 'Create SMS campaign',
  keywords: 'new send broadcast',
  path: createCampaignPath(DEFAULT_CHANNEL),
  needs: 'CAMPAIGNS:add',
});
registerJumps({
  id: 'campaigns',
  needs: 'CAMPAIGNS:view',
  async find(text, signal) {
    const { findCampaigns } = await import('./find.ts');
    return findCampaigns(text, signal);
  },
});
