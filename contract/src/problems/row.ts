/** `field`: which one of the request it belongs to. */
export type Row = readonly [status: number, message: string, field?: string];
export type Rows = Record<number, Row>;
