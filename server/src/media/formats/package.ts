/**
 * Reads the content types and the relationships of an Office document (ECMA-376, part 2). They state which part is the
 * document, what every other part is, and which files outside the document it loads.
 */
import { decodeXml, parseXml, type XmlElement, XmlError } from '../../kernel/untrusted/xml.ts';
import type { ZipEntry } from '../../kernel/untrusted/zip.ts';
import { corrupted, mismatched, unsafe } from './refusal.ts';

const CONTENT_TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const MAX_PART_BYTES = 4 * 1024 * 1024;
/** The relationships of all parts together. */
const MAX_RELATIONSHIP_BYTES = 32 * 1024 * 1024;
const XML_LIMITS = { depth: 8, elements: 100_000 };

/** The content types of macros, of the controls that run them, and of documents that contain them. */
const MACRO_TYPES = /vba|macro|activex|attachedToolbars|ms-office\.(?:script|webextension)|customUI/i;
/** The last step of a relationship type that leads to macros, controls, or code. */
const MACRO_RELATIONSHIPS =
  /(?:vba\w*|wordVbaData|attachedToolbars|xl(?:Intl)?Macrosheet|control|activeX\w*|customUI\w*)$/i;
/** External files that a program loads when it opens the document. Links that a reader clicks are allowed. */
const LOADED = /(?:attachedTemplate|oleObject|frame|subDocument|package|aFChunk|externalLinkPath|xlExternalLinkPath)$/i;
const MAIN = /(?:\/officeDocument|\/fixedrepresentation)$/i;

type Read = (entry: ZipEntry, max_bytes: number) => Promise<Buffer>;

/** Throws DOCUMENT_UNSAFE for macros and loaded files. Returns the content type of the main part. */
export async function requireSafePackage(
  entries: readonly ZipEntry[],
  read: Read,
  { macros }: { macros: boolean },
): Promise<string> {
  const parts = new Map(entries.map((entry) => [partName(entry.name), entry]));
  const list = parts.get('/[content_types].xml');
  const relationships = parts.get('/_rels/.rels');
  if (!list || !relationships) throw mismatched();
  const contentType = readTypes(await readPart(list, read, CONTENT_TYPES, 'Types'));
  for (const name of parts.keys()) {
    if (name.endsWith('/') || name === '/[content_types].xml') continue;
    if (!macros && MACRO_TYPES.test(contentType(name))) throw unsafe('The document contains macros');
  }
  let bytes = 0;
  for (const [name, entry] of parts) {
    if (!/\/_rels\/[^/]*\.rels$/.test(name)) continue;
    bytes += entry.unpacked;
    if (bytes > MAX_RELATIONSHIP_BYTES) throw unsafe();
    for (const relationship of children(await readPart(entry, read, RELATIONSHIPS, 'Relationships'), 'Relationship'))
      requireSafeRelationship(relationship, macros);
  }
  const main = children(await readPart(relationships, read, RELATIONSHIPS, 'Relationships'), 'Relationship').filter(
    (relationship) => MAIN.test(attribute(relationship, 'Type')),
  );
  const target = partName(attribute(main[0], 'Target'));
  if (main.length !== 1 || !parts.has(target)) throw mismatched();
  return contentType(target);
}

function requireSafeRelationship(relationship: XmlElement, macros: boolean): void {
  const type = attribute(relationship, 'Type');
  if (!macros && MACRO_RELATIONSHIPS.test(type)) throw unsafe('The document contains macros');
  if (attribute(relationship, 'TargetMode').toLowerCase() === 'external' && LOADED.test(type))
    throw unsafe('The document loads another file when it is opened');
}

/** Returns a function that looks up the content type of a part: by its name, or else by its extension. */
function readTypes(types: XmlElement): (name: string) => string {
  const byName = new Map<string, string>();
  const byExtension = new Map<string, string>();
  for (const override of children(types, 'Override'))
    byName.set(partName(attribute(override, 'PartName')), attribute(override, 'ContentType'));
  for (const extension of children(types, 'Default'))
    byExtension.set(attribute(extension, 'Extension').toLowerCase(), attribute(extension, 'ContentType'));
  return (name) => byName.get(name) ?? byExtension.get(/\.([^./]*)$/.exec(name)?.[1] ?? '') ?? '';
}

/** Names are not case-sensitive, can be escaped, and may omit the first slash. */
function partName(written: string): string {
  let name = written;
  try {
    name = decodeURI(written);
  } catch {
    // A percent sign that is not an escape belongs to the name.
  }
  return `/${name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()}`;
}

async function readPart(entry: ZipEntry, read: Read, namespace: string, name: string): Promise<XmlElement> {
  try {
    const { root } = parseXml(decodeXml(await read(entry, MAX_PART_BYTES)), XML_LIMITS);
    if (root.namespace === namespace && root.name === name) return root;
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    if (error.fault === 'entities' || error.fault === 'limit') throw unsafe();
  }
  throw corrupted();
}

const children = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => typeof child !== 'string' && child.name === name) as XmlElement[];

const attribute = (element: XmlElement | undefined, name: string): string =>
  element?.attributes.find((found) => found.namespace === '' && found.name === name)?.value ?? '';
