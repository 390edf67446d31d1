/** A template's review, as a carrier reports it. */

/** Null if there is no rating yet. */
export type TemplateQuality = 'GREEN' | 'YELLOW' | 'RED' | null;

export interface TemplateState {
  external_id: string;
  /** The carrier's key, together with `language`. It finds accepted templates whose response was lost. */
  name: string;
  language: string;
  status: 'IN_PROCESS' | 'COMPLETED' | 'CANCELED';
  paused: boolean;
  disabled: boolean;
  reason: string;
  category: string | null;
  /** Omitted if the response does not state it. */
  quality?: TemplateQuality;
}
