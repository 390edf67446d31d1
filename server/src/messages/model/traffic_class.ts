/**
 * Traffic classes: the order in which a connection's free capacity is assigned. The class follows from the purpose of a
 * message, never from the credential that sent it: verification codes, messages to a person who has recently written,
 * single messages, and campaigns.
 */
import { TRAFFIC_CLASSES, type TrafficClass } from '@parley/contract/messages/traffic_classes.ts';
import { type Sql, sql } from '../../kernel/db/db.ts';

/** The values of `dispatch.priority`. Lower values come first. */
export const PRIORITY: Readonly<Record<TrafficClass, number>> = { code: 1, conversation: 3, single: 5, campaign: 9 };

const CLASS_OF_PRIORITY = new Map(TRAFFIC_CLASSES.map((name) => [PRIORITY[name], name]));

/** Classes have odd priorities. The even number below each is for its throttled messages, which go first. */
export const trafficClass = (priority: number): TrafficClass => CLASS_OF_PRIORITY.get(priority | 1) ?? 'single';

/** The priority of a throttled message, which precedes the new messages of its class. */
export const retryPriority = (priority: Sql): Sql => sql`(${priority} - ${priority} % 2)::smallint`;
