import { LABEL_COLORS, type Label, type LabelColor } from '@parley/contract/inbox/labels.ts';

/** The color that the fewest labels have. */
export function freeColor(labels: readonly Pick<Label, 'color'>[]): LabelColor {
  const uses = (color: LabelColor) => labels.filter((label) => label.color === color).length;
  // Gray is for labels that should not stand out.
  return LABEL_COLORS.slice(1).reduce((best, color) => (uses(color) < uses(best) ? color : best));
}

export const colorName = (color: LabelColor): string => color.charAt(0).toUpperCase() + color.slice(1);
