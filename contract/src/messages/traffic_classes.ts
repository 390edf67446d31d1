/** The order in which a connection's capacity is assigned. The class follows from a message's purpose. */
export const TRAFFIC_CLASSES = ['code', 'conversation', 'single', 'campaign'] as const;
export type TrafficClass = (typeof TRAFFIC_CLASSES)[number];

export const TRAFFIC_CLASS_LABELS: Readonly<Record<TrafficClass, string>> = {
  code: 'Codes',
  conversation: 'Conversations',
  single: 'Single messages',
  campaign: 'Campaigns',
};
