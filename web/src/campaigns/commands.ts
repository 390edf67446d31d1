/** Command palette: creates a campaign on each channel. */
import { CHANNEL_LABELS, CHANNELS } from '@parley/contract/channels/names.ts';
import { registerCommands } from '../kernel/commands.ts';
import { createCampaignPath } from '../paths.ts';

registerCommands(
  ...CHANNELS.map((name) => ({
    id: `campaigns.create.${name}`,
    label: `Create ${CHANNEL_LABELS[name]} campaign`,
    keywords: 'new send broadcast',
    path: createCampaignPath(name),
    needs: 'CAMPAIGNS:add' as const,
  })),
);
