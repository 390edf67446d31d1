import { z } from 'zod';

const Shades = z.object({
  accent: z.string(),
  accent_hover: z.string(),
  accent_ink: z.string(),
  accent_soft: z.string(),
  accent_soft_hover: z.string(),
});
export const BrandPalette = z.object({ light: Shades, dark: Shades });
