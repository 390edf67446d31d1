/** The fallback steps of a campaign. Each has its own message, which is written for each contact. */

import { type CampaignFallback, NO_CAMPAIGN_CONTENT } from '@parley/contract/campaigns/content.ts';
import type { createCampaign } from '@parley/contract/campaigns/drafts.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { readFallbacks } from '@parley/contract/messages/fallbacks.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { listContactFieldKeys } from '../../audiences/audiences.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import { findSender, isUsable } from '../../senders/senders.ts';
import { readContent, requireCampaignTemplate } from './content.ts';
import { messageObstacles } from './obstacles.ts';
import { requireCampaignSender } from './sender.ts';
import { loadWriter, type Writer } from './writer.ts';

type Inputs = NonNullable<Parsed<typeof createCampaign>['body']['fallbacks']>;

export type StoredFallback = Omit<CampaignFallback, 'channel'> & { channel: ChannelName };

/** Returns null without fallbacks. Throws the problems of the steps, with the path of the step in their fields. */
export async function readCampaignFallbacks(
  db: Queryable,
  { account_id, channel }: { account_id: string; channel: ChannelName },
  inputs: Inputs | null,
  validity_seconds: number,
): Promise<StoredFallback[] | null> {
  if (!inputs || inputs.length === 0) return null;
  const { read, findings } = readFallbacks(channel, inputs, validity_seconds);
  const [first, ...others] = findings;
  if (first) throw new Problem(first.code, { field: first.field, message: first.message, others });
  const steps: StoredFallback[] = [];
  for (const [index, step] of read.entries()) {
    const { template = null, text, variables, ...content } = inputs[index]!;
    steps.push(
      await atStep(index, async () => {
        const { id: from } = await requireCampaignSender(db, account_id, step.channel, step.from);
        const chosen = template
          ? await requireCampaignTemplate(db, { account_id, channel: step.channel, sender_id: from }, template)
          : null;
        const values = variables?.map((value) => value ?? '');
        const own = readContent(step.channel, { ...content, ...(values ? { variables: values } : {}) });
        return {
          ...step,
          from,
          text: chosen && (channelRules(step.channel).rich || !text) ? chosen.text : (text ?? ''),
          template: chosen?.id ?? null,
          ...(own ?? NO_CAMPAIGN_CONTENT),
        };
      }),
    );
  }
  return steps;
}

async function atStep<T>(index: number, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { name, field, message, others } = error;
    throw new Problem(name, { field: `fallbacks.${index}${field ? `.${field}` : ''}`, message, others });
  }
}

export interface ReadyStep extends Pick<StoredFallback, 'channel' | 'trigger' | 'wait_seconds'> {
  sender: Sender;
  writer: Writer;
}

/** Loads the sender and the message of each step. Throws the first problem, with the channel of its step. */
export async function loadSteps(
  db: Queryable,
  account_id: string,
  fallbacks: readonly StoredFallback[] | null,
): Promise<ReadyStep[]> {
  const steps: ReadyStep[] = [];
  if (!fallbacks || fallbacks.length === 0) return steps;
  const fields = await listContactFieldKeys(db, account_id);
  for (const { channel, from, trigger, wait_seconds, text, template, ...content } of fallbacks) {
    const { label } = channelRules(channel);
    const sender = await findSender(db, account_id, from);
    if (!sender || !isUsable(sender))
      throw new Problem('CAMPAIGN_SENDER_INVALID', {
        message: `The sender of the ${label} fallback is not one of your approved senders`,
      });
    const source = { account_id, channel, text, template_id: template, content };
    const [obstacle] = messageObstacles(source, fields);
    if (obstacle) throw new Problem(obstacle.code, { message: `${label} fallback: ${obstacle.message}` });
    const writer = await loadWriter(db, source, sender).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      throw new Problem(error.name, { message: `${label} fallback: ${error.message}` });
    });
    steps.push({ channel, trigger, wait_seconds, sender, writer });
  }
  return steps;
}
