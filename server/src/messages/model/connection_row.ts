/** A connection as the workers use it, with everything that an adapter needs to open a bind. */
export interface ConnectionRow {
  id: string;
  name: string;
  adapter: string;
  channel: string;
  settings: unknown;
}
