/** The reasons for a carrier's verdict on a template, in words for the customer. */

export type TemplateReason = readonly [text: string, advice: string];

/** By the carrier's code. The four named codes are our own. */
export type TemplateReasons = Readonly<
  Record<string, TemplateReason> & Record<'NONE' | 'PAUSED' | 'DELETED' | 'SENDER_GONE', TemplateReason>
>;
