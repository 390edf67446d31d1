/** One event on its way to the open streams. It is parsed and serialized at most once, not once per stream. */
import type { AnyEventType, LiveEvent, Viewer } from '@parley/contract/event.ts';
import { permits } from '@parley/contract/permission.ts';
import { hideSpend, seesSpend } from '@parley/contract/spend.ts';

/** An event with its position, as read from the database. */
export interface StoredEvent {
  account_id: string;
  seq: number;
  published_at: string;
  type: string;
  /** JSON text. */
  payload: string;
}

export interface DeliveredEvent extends LiveEvent {
  /** The server-sent event. */
  readonly frame: string;
}

export class Delivery {
  readonly account_id: string;
  private readonly stored: StoredEvent;
  private readonly type: AnyEventType;
  private parsed: { payload: unknown } | undefined;
  private complete: DeliveredEvent | undefined;
  private reduced: DeliveredEvent | undefined;

  constructor(stored: StoredEvent, type: AnyEventType) {
    this.account_id = stored.account_id;
    this.stored = stored;
    this.type = type;
  }

  /** Returns the event as this viewer may see it, or null. */
  seenBy(viewer: Viewer | null): DeliveredEvent | null {
    const { type } = this;
    if (!viewer || !permits(viewer.permissions, type.needs)) return null;
    if (type.visible && !type.visible(this.payload(), viewer)) return null;
    if (seesSpend(viewer.permissions)) {
      this.complete ??= this.serialize(this.stored.payload);
      return this.complete;
    }
    this.reduced ??= this.withoutSpend();
    return this.reduced;
  }

  private payload(): unknown {
    this.parsed ??= { payload: JSON.parse(this.stored.payload) };
    return this.parsed.payload;
  }

  private withoutSpend(): DeliveredEvent {
    const payload = this.payload();
    const reduced = hideSpend(this.type.payload, payload);
    if (reduced !== payload) return this.serialize(JSON.stringify(reduced));
    this.complete ??= this.serialize(this.stored.payload);
    return this.complete;
  }

  private serialize(json: string): DeliveredEvent {
    const { seq, published_at } = this.stored;
    const { id, modules } = this.type;
    // Outside strings, line breaks in JSON have no meaning. In a frame they would end the line.
    const data = json.includes('\n') ? json.replaceAll('\n', ' ') : json;
    const start = `{"event_type":${JSON.stringify(id)},"timestamp":"${published_at}"`;
    return {
      event_type: id,
      timestamp: published_at,
      seq,
      modules,
      get data() {
        return JSON.parse(json);
      },
      frame: `id: ${seq}\ndata: ${start},"modules":${JSON.stringify(modules)},"data":${data}}\n\n`,
    };
  }
}
