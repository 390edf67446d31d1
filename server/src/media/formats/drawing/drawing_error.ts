/** Why a drawing is refused: it contains active content, costs too much to draw, or is not a complete SVG file. */
export class DrawingError extends Error {
  readonly fault: 'unsafe' | 'cost' | 'corrupted' | 'mismatched';
  constructor(fault: DrawingError['fault'], message: string) {
    super(message);
    this.fault = fault;
  }
}
