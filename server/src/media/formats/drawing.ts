/**
 * SVG files can contain scripts and load external resources. Files that do are refused. Accepted SVG files are still
 * never served as a page (see doors.ts).
 */
import { Problem } from '@parley/contract/problem.ts';
import type { Content } from './content.ts';
import { contains, readRootName, readText } from './plain_text.ts';
import { corrupted, mismatched } from './refusal.ts';

const ACTIVE = [
  /<(?:[\w-]+:)?(?:script|foreignObject|iframe|object|embed|audio|video|handler|listener)[\s/>]/i,
  /[\s"'/]on[a-z]+\s*=/i,
  /<!ENTITY/i,
  /javascript\s*:/i,
  /@import/i,
  /<\?xml-stylesheet/i,
  /url\((?!\s*["']?\s*(?:#|data:image\/(?:png|jpe?g|gif|webp)[;,]))/i,
  // Only embedded pictures and references within the file are allowed.
  /[\s"':](?:href|src)\s*=(?!\s*["'](?:#|data:image\/(?:png|jpe?g|gif|webp)[;,]|["']))/i,
];

export async function requireDrawing(content: Content): Promise<void> {
  const root = await readRootName(content);
  if (root !== 'svg' && root !== 'svg:svg') throw mismatched();
  let last = '';
  await readText(content, (section) => {
    if (ACTIVE.some((pattern) => contains(section, pattern))) throw new Problem('DRAWING_UNSAFE');
    last = section.text;
  });
  if (!/<\/(?:svg:)?svg>\s*(?:<!--[\s\S]*-->\s*)?$/.test(last) && !/<svg[^>]*\/>\s*$/.test(last)) throw corrupted();
}
