/** A text area that grows with its text, from two to eight lines. */

/** Without it, Mantine measures a copy of the text area after every key. */
const CAN_GROW = globalThis.CSS?.supports?.('field-sizing', 'content') ?? false;

/** The props of the text area. Its class sets `field-sizing`, and the height of eight lines as the limit. */
export const growing = (input = '') =>
  CAN_GROW ? { rows: 2, classNames: { input } } : { autosize: true, minRows: 2, maxRows: 8, classNames: { input } };
