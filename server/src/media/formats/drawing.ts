/**
 * SVG is a page as much as a picture: one that could run something, or ask another place for something, is refused. What is left is still never shown as
 * a page of ours (see doors.ts).
 */
import { Problem } from '@parley/contract/problem.ts';
import type { Content } from './content.ts';
import { holds, readText, rootOf } from './plain_text.ts';
import { corrupted, mismatched } from './refusal.ts';

const ACTIVE = [
  /<(?:[\w-]+:)?(?:script|foreignObject|iframe|object|embed|audio|video|handler|listener)[\s/>]/i,
  /[\s"'/]on[a-z]+\s*=/i,
  /<!ENTITY/i,
  /javascript\s*:/i,
  /@import/i,
  /<\?xml-stylesheet/i,
  /url\((?!\s*["']?\s*(?:#|data:image\/(?:png|jpe?g|gif|webp)[;,]))/i,
  // Places in the drawing itself, and pictures it brings along.
  /[\s"':](?:href|src)\s*=(?!\s*["'](?:#|data:image\/(?:png|jpe?g|gif|webp)[;,]|["']))/i,
];

export async function demandDrawing(content: Content): Promise<void> {
  const root = await rootOf(content);
  if (root !== 'svg' && root !== 'svg:svg') throw mismatched();
  let last = '';
  await readText(content, (stretch) => {
    if (ACTIVE.some((pattern) => holds(stretch, pattern))) throw new Problem(1917);
    last = stretch.text;
  });
  if (!/<\/(?:svg:)?svg>\s*(?:<!--[\s\S]*-->\s*)?$/.test(last) && !/<svg[^>]*\/>\s*$/.test(last)) throw corrupted();
}
