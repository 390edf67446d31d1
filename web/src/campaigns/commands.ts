/** Command palette: creates a campaign. */
import { DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { registerCommands } from '../kernel/commands.ts';
import { createCampaignPath } from '../paths.ts';

registerCommands({
  id: 'campaigns.create',
  label: 'Create SMS campaign',
  keywords: 'new send broadcast',
  path: createCampaignPath(DEFAULT_CHANNEL),
  needs: 'CAMPAIGNS:add',
});
