/** Finds problems in the text of a message before its writer is loaded. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { fewestSegments } from '@parley/contract/channels/sms/profile.ts';
import { unknownVariables } from '@parley/contract/channels/sms/text.ts';
import { linkFindings, withSampleLinks } from '@parley/contract/links/inline.ts';
import { MAX_SEGMENTS } from '@parley/contract/messages/messages.ts';
import { type ProblemName, problemMessage } from '@parley/contract/problem.ts';
import type { WriterSource } from './writer.ts';

export interface Obstacle {
  code: ProblemName;
  message: string;
}

/** The shortest possible beginning of a short URL. */
const SHORTEST_PREFIX = 'https://a.io';

const unknownVariablesMessage = (names: readonly string[]): string =>
  `Unknown ${names.length > 1 ? 'variables' : 'variable'} ${names.map((name) => `{${name}}`).join(', ')}`;

/** Returns whether the channel delivers only templates to people who have not written. */
export const needsTemplate = (channel: ChannelName): boolean => channelRules(channel).session?.outside === 'templates';

/**
 * Problems in the text itself. Loading the writer reveals all others. `fields` are the keys of the account's own
 * fields.
 */
export function messageObstacles(
  { channel, text, template_id, content, session_text }: WriterSource,
  fields: readonly string[],
): Obstacle[] {
  const { rich, counts } = channelRules(channel);
  if (session_text) return textObstacles(session_text, fields);
  if (rich && template_id !== null) return [];
  if (needsTemplate(channel)) return [{ code: 'CAMPAIGN_TEXT_REQUIRED', message: 'Select an approved template' }];
  const obstacles: Obstacle[] = [];
  const hasFile = content.type !== undefined && content.type !== 'text';
  if (text.trim() === '' && !hasFile)
    obstacles.push({ code: 'CAMPAIGN_TEXT_REQUIRED', message: problemMessage('CAMPAIGN_TEXT_REQUIRED') });
  obstacles.push(...textObstacles(text, fields));
  if (counts === 'segments' && fewestSegments(withSampleLinks(text, SHORTEST_PREFIX)) > MAX_SEGMENTS)
    obstacles.push({
      code: 'MESSAGE_SEGMENTS_LIMIT_EXCEEDED',
      message: problemMessage('MESSAGE_SEGMENTS_LIMIT_EXCEEDED'),
    });
  return obstacles;
}

function textObstacles(text: string, fields: readonly string[]): Obstacle[] {
  const unknown = unknownVariables(text, fields);
  return [
    ...(unknown.length > 0
      ? [{ code: 'CAMPAIGN_VARIABLE_UNKNOWN' as const, message: unknownVariablesMessage(unknown) }]
      : []),
    ...linkFindings(text).map(({ code, message }) => ({ code, message })),
  ];
}
