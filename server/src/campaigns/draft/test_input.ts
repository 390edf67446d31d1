/** Reads the variants of an A/B test from a request. The writer checks them when the campaign starts. */
import { NO_CAMPAIGN_CONTENT } from '@parley/contract/campaigns/content.ts';
import type { TestInput } from '@parley/contract/campaigns/inputs.ts';
import { type CampaignTest, type CampaignVariant, VARIANT_NAMES } from '@parley/contract/campaigns/variants.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import { readContent, requireCampaignTemplate } from './content.ts';

/** Throws the problems of the variants, with the path of the variant in their fields. */
export async function readTest(
  db: Queryable,
  draft: { account_id: string; channel: ChannelName; sender_id: string | null },
  input: TestInput | null,
): Promise<CampaignTest | null> {
  if (!input) return null;
  const variants: CampaignVariant[] = [];
  for (const [index, { template, text, ...content }] of input.variants.entries()) {
    variants.push(
      await atVariant(index, async () => {
        const chosen = template ? await requireCampaignTemplate(db, draft, template) : null;
        const own = readContent(draft.channel, { ...content, text });
        return {
          ...(own ?? NO_CAMPAIGN_CONTENT),
          text: chosen && (channelRules(draft.channel).rich || !text) ? chosen.text : (text ?? ''),
          template: chosen?.id ?? null,
        };
      }),
    );
  }
  return { ...input, variants };
}

async function atVariant<T>(index: number, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { name, field, others } = error;
    const message = `Variant ${VARIANT_NAMES[index + 1]}: ${error.message}`;
    throw new Problem(name, { field: `test.variants.${index}${field ? `.${field}` : ''}`, message, others });
  }
}
