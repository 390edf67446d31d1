/** A template's review, as a carrier reports it. */

/** Null if there is no rating yet. */
export type TemplateQuality = 'GREEN' | 'YELLOW' | 'RED' | null;

export interface TemplateState {
  external_id: string;
  /** With `language`, the carrier's key. It finds templates that were accepted but whose response was lost. */
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
