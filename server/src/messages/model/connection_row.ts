/** A connection as the workers use it: what an adapter needs to open a bind. */
export interface ConnectionRow {
  id: string;
  name: string;
  adapter: string;
  channel: string;
  settings: unknown;
}
