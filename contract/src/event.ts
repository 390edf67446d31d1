/**
 * An event is a past-tense fact with its public payload. It is stored in the transaction that made it true and reaches the live
 * stream and the webhooks as it is; nothing in shared code may switch on an event's name.
 */
import type { z } from 'zod';
import type { Needs, Permissions } from './permission.ts';

export interface Viewer {
  user_id: string | null;
  session_id?: string | null;
  permissions: Permissions;
}

export interface EventType<P extends z.ZodType = z.ZodType> {
  /** `noun.past_tense` */
  readonly id: string;
  /** Cached queries of these modules are stale once it is heard. */
  readonly modules: readonly string[];
  /** Who may hear it. */
  readonly needs: Needs | null;
  readonly payload: P;
  /** Narrows the hearers further by the payload. */
  readonly visible?: (payload: z.output<P>, viewer: Viewer) => boolean;
}

export type AnyEventType = EventType<z.ZodType>;

export function event<P extends z.ZodType>(definition: EventType<P>): EventType<P> {
  return definition;
}

/** What one line of the live stream carries. `timestamp` is strictly increasing and resumes the stream. */
export interface LiveEvent<P = unknown> {
  event_type: string;
  timestamp: string;
  seq: number;
  modules: readonly string[];
  data: P;
}
