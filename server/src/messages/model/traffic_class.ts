/**
 * Traffic classes: the order in which a connection's free capacity is offered. The class follows the purpose of a
 * message, never the credential that sent it: verification codes, messages to a person who has just written, single
 * messages, and campaigns.
 */
import { TRAFFIC_CLASSES, type TrafficClass } from '@parley/contract/messages/traffic_classes.ts';
import { type Sql, sql } from '../../kernel/db/db.ts';

/** The values of `dispatch.priority`. Lower values come first. */
export const PRIORITY: Readonly<Record<TrafficClass, number>> = { code: 1, conversation: 3, single: 5, campaign: 9 };

const CLASS_OF_PRIORITY = new Map(TRAFFIC_CLASSES.map((name) => [PRIORITY[name], name]));

/** Classes have odd priorities. The even number before each is for its refused messages, which go first. */
export const trafficClass = (priority: number): TrafficClass => CLASS_OF_PRIORITY.get(priority | 1) ?? 'single';

/** The priority of a refused message, which waits ahead of the fresh messages of its class. */
export const retryPriority = (priority: Sql): Sql => sql`(${priority} - ${priority} % 2)::smallint`;
