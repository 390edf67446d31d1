/**
 * Turns an untrusted SVG file into one that cannot run code or load anything. The file is parsed strictly, only known
 * elements and attributes remain, and the result is written anew, so that every program reads the same drawing. A
 * drawing that contains code or loads files is refused; what is merely unknown, such as the data of an editor, is
 * dropped. Runs in the decoder process.
 */
import {
  decodeXml,
  escapeText,
  escapeXml,
  parseXml,
  type XmlAttribute,
  type XmlElement,
  XmlError,
} from '../../../kernel/untrusted/xml.ts';
import { ACTIVE_ELEMENTS, ATTRIBUTES, ELEMENTS, PROPERTIES } from './allowed.ts';
import { requireAffordable } from './cost.ts';
import { DrawingError } from './drawing_error.ts';
import { cleanDeclarations, cleanSheet, cleanValue, type Rule } from './style.ts';

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';
const HTML = 'http://www.w3.org/1999/xhtml';
const LIMITS = { depth: 100, elements: 100_000 };
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_PICTURES = 50;
const PICTURE = /^data:image\/(png|jpe?g|gif|webp);base64,([A-Za-z0-9+/=\s]+)$/;
/** Spaces and control characters that browsers ignore in the scheme of a URL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore these characters in URLs
const IGNORED = /[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028\u2029\ufeff]/g;

/** Returns the safe drawing. Throws a DrawingError. */
export function cleanDrawing(bytes: Uint8Array): string {
  if (bytes.length > MAX_BYTES) throw new DrawingError('cost', 'the drawing is larger than 8 MB');
  const { root, instructions } = read(bytes);
  if (root.namespace !== SVG || root.name !== 'svg') throw new DrawingError('mismatched', 'the root is not svg');
  if (instructions.includes('xml-stylesheet')) throw new DrawingError('unsafe', 'the drawing loads a style sheet');
  const cleaner = new Cleaner();
  const clean = cleaner.element(root)!;
  requireAffordable(clean, cleaner.rules);
  return `${write(clean, true)}\n`;
}

function read(bytes: Uint8Array): ReturnType<typeof parseXml> {
  try {
    return parseXml(decodeXml(bytes), LIMITS);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    if (error.fault === 'encoding') throw new DrawingError('mismatched', error.message);
    if (error.fault === 'limit') throw new DrawingError('cost', error.message);
    throw new DrawingError(error.fault === 'entities' ? 'unsafe' : 'corrupted', error.message);
  }
}

class Cleaner {
  readonly rules: Rule[] = [];
  private pictures = 0;

  element(element: XmlElement): XmlElement | null {
    const { namespace, name } = element;
    const isDrawing = namespace === SVG || namespace === '';
    if ((isDrawing || namespace === HTML) && ACTIVE_ELEMENTS.has(name.toLowerCase()))
      throw new DrawingError('unsafe', `the drawing contains <${name}>`);
    // The attributes are checked even if the element is dropped.
    const attributes = element.attributes.flatMap((attribute) => this.attribute(element, attribute));
    const children = name === 'style' && isDrawing ? this.sheet(element) : this.children(element);
    if (namespace !== SVG || !ELEMENTS.has(name)) return null;
    // A link has no purpose in a stored picture, but its content does.
    return { namespace, name: name === 'a' ? 'g' : name, attributes, children };
  }

  private children(element: XmlElement): (XmlElement | string)[] {
    const keepsText = /^(?:text|tspan|textPath|title|desc)$/.test(element.name);
    return element.children.flatMap((child): (XmlElement | string)[] => {
      if (typeof child === 'string') return keepsText || child.trim() === '' ? [child] : [];
      const clean = this.element(child);
      return clean ? [clean] : [];
    });
  }

  private sheet(element: XmlElement): string[] {
    const text = element.children.filter((child) => typeof child === 'string').join('');
    const rules = cleanSheet(text);
    this.rules.push(...rules);
    return [rules.map(({ selector, declarations }) => `${selector}{${declarations}}`).join('\n')];
  }

  private attribute(element: XmlElement, { namespace, name, value }: XmlAttribute): XmlAttribute[] {
    const isForeign = element.namespace !== SVG && element.namespace !== '' && element.namespace !== HTML;
    if (namespace === '' && !isForeign && /^on/i.test(name))
      throw new DrawingError('unsafe', `the drawing has an ${name} handler`);
    if (
      /^(?:javascript|vbscript):|^data:(?:text\/html|text\/xml|application|image\/svg)/i.test(
        value.replace(IGNORED, ''),
      )
    )
      throw new DrawingError('unsafe', `the attribute ${name} runs code`);
    if (name === 'href' && (namespace === '' || namespace === XLINK)) return this.reference(element, value);
    if (namespace === XML && name === 'space') return value === 'preserve' ? [{ namespace, name, value }] : [];
    if (namespace !== '' || element.namespace !== SVG) return [];
    if (name === 'style') {
      const declarations = cleanDeclarations(value);
      return declarations ? [{ namespace: '', name, value: declarations }] : [];
    }
    if (PROPERTIES.has(name)) {
      const clean = cleanValue(value);
      return clean === null ? [] : [{ namespace: '', name, value: clean }];
    }
    return ATTRIBUTES.has(name) ? [{ namespace: '', name, value }] : [];
  }

  /** A drawing can refer to its own elements and contain pictures. A link to a page is dropped. */
  private reference(element: XmlElement, value: string): XmlAttribute[] {
    const target = value.trim();
    const written = { namespace: XLINK, name: 'href' };
    if (/^#[\w.:-]{1,200}$/.test(target)) return element.name === 'a' ? [] : [{ ...written, value: target }];
    if (element.name === 'a' || element.namespace !== SVG || target === '' || target.startsWith('#')) return [];
    const picture = PICTURE.exec(target);
    if (!picture || element.name !== 'image') throw new DrawingError('unsafe', 'the drawing loads a file');
    if (++this.pictures > MAX_PICTURES) throw new DrawingError('cost', 'the drawing contains too many pictures');
    return [{ ...written, value: `data:image/${picture[1]};base64,${picture[2]!.replace(/\s/g, '')}` }];
  }
}

function write({ name, attributes, children }: XmlElement, isRoot = false): string {
  const prefixes: Record<string, string> = { [XLINK]: 'xlink:', [XML]: 'xml:' };
  const declared = isRoot ? ` xmlns="${SVG}" xmlns:xlink="${XLINK}"` : '';
  const seen = new Set<string>();
  const written = attributes
    .map((attribute) => ({ ...attribute, name: `${prefixes[attribute.namespace] ?? ''}${attribute.name}` }))
    // `href` and `xlink:href` mean the same.
    .filter(({ name }) => !seen.has(name) && seen.add(name))
    .map(({ name, value }) => ` ${name}="${escapeXml(value)}"`);
  const content = children.map((child) => (typeof child === 'string' ? escapeText(child) : write(child)));
  const start = `<${name}${declared}${written.join('')}`;
  return content.length === 0 ? `${start}/>` : `${start}>${content.join('')}</${name}>`;
}
