/** Campaigns. */
import type { Rows } from './row.ts';

export const CAMPAIGNS = {
  1601: [404, 'Campaign not found'],
  1602: [400, 'Campaign id is not valid'],
  1603: [400, 'Sender is required', 'from'],
  1604: [400, 'The sender is not one of your approved senders', 'from'],
  1605: [400, 'Audience is required', 'audience'],
  1606: [400, 'Audience is not valid', 'audience'],
  1607: [400, 'Template or text is required', 'text'],
  1608: [400, 'Template is not valid', 'template'],
  1609: [400, 'Schedule is not valid', 'schedule'],
  1610: [409, 'A campaign with this name exists', 'name'],
  1611: [409, 'The status of the campaign cannot be changed this way', 'status'],
  1612: [409, 'The campaign cannot be deleted while it is running'],
  1613: [400, 'The audience and the template do not match', 'audience'],
  1614: [409, 'The campaign can only be changed while it is a draft or scheduled'],
  1615: [400, 'The text uses a variable that does not exist', 'text'],
  1616: [400, 'The template is of another channel', 'template'],
  1617: [400, 'The audience is of another channel', 'audience'],
  1618: [400, 'The audience has nobody who can receive this campaign', 'audience'],
  1625: [403, 'The sender is blocked', 'from'],
} as const satisfies Rows;
