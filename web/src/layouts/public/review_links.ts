/** Links to review pages of this service have neutral shapes, because the sites’ logos are trademarks. */
const SHAPES = [
  'M8 .5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15z',
  'M8 .5 15 4.3v7.4l-7 3.8-7-3.8V4.3z',
  'M4 .5h8a3.5 3.5 0 0 1 3.5 3.5v8a3.5 3.5 0 0 1-3.5 3.5H4A3.5 3.5 0 0 1 .5 12V4A3.5 3.5 0 0 1 4 .5z',
] as const;

/** The outline of the link at this position. */
export const reviewShape = (at: number): string => SHAPES[at % SHAPES.length]!;
