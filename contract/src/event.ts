/**
 * An event is a past-tense fact with its public payload. It is stored in the same transaction as the change it reports,
 * and reaches the live stream and the webhooks unchanged. Shared code must not switch on event names.
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
  /** Cached queries of these modules are stale after the event. */
  readonly modules: readonly string[];
  /** The permission needed to receive the event. */
  readonly needs: Needs | null;
  readonly payload: P;
  /** Also restricts the recipients, based on the payload. */
  readonly visible?: (payload: z.output<P>, viewer: Viewer) => boolean;
}

export type AnyEventType = EventType<z.ZodType>;

export function event<P extends z.ZodType>(definition: EventType<P>): EventType<P> {
  return definition;
}

/** One event in the live stream. `timestamp` is strictly increasing, and a stream can resume after it. */
export interface LiveEvent<P = unknown> {
  event_type: string;
  timestamp: string;
  seq: number;
  modules: readonly string[];
  data: P;
}
