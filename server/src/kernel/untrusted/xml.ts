/**
 * A strict XML parser for untrusted files. It accepts only well-formed XML in UTF-8 with resolved namespaces, so that
 * the result means the same to every other program. It reads no external files and knows only the five predefined
 * entities. A document with an internal DTD subset, which can declare more of them, is refused.
 */

export interface XmlAttribute {
  namespace: string;
  name: string;
  value: string;
}

export interface XmlElement {
  namespace: string;
  name: string;
  attributes: XmlAttribute[];
  children: (XmlElement | string)[];
}

interface XmlLimits {
  depth: number;
  elements: number;
}

export class XmlError extends Error {
  /** `entities` means a DTD subset, `limit` means too deep or too large, and `encoding` means not UTF-8. */
  readonly fault: 'malformed' | 'entities' | 'limit' | 'encoding';
  constructor(fault: XmlError['fault'], message: string) {
    super(message);
    this.fault = fault;
  }
}

const XML = 'http://www.w3.org/XML/1998/namespace';
const XMLNS = 'http://www.w3.org/2000/xmlns/';
const MAX_ATTRIBUTES = 200;

const NAME = String.raw`[A-Za-z_\u00c0-\u02ff\u0370-\u1fff\u2c00-\ud7ff][\w.\-\u00b7\u00c0-\u1fff\u2c00-\ud7ff]*`;
const QUALIFIED = `(?:(${NAME}):)?(${NAME})`;
const SPACE = String.raw`[ \t\r\n]`;
const QUOTED = `"[^"<]*"|'[^'<]*'`;
const TOKENS = {
  declaration: new RegExp(
    `<\\?xml${SPACE}+version${SPACE}*=${SPACE}*(?:"1\\.\\d"|'1\\.\\d')` +
      `(?:${SPACE}+encoding${SPACE}*=${SPACE}*["']([\\w.-]+)["'])?` +
      `(?:${SPACE}+standalone${SPACE}*=${SPACE}*["'](?:yes|no)["'])?${SPACE}*\\?>`,
    'y',
  ),
  doctype: new RegExp(
    `<!DOCTYPE${SPACE}+${NAME}(?::${NAME})?` +
      `(?:${SPACE}+(?:SYSTEM|PUBLIC${SPACE}+(?:${QUOTED}))${SPACE}+(?:${QUOTED}))?${SPACE}*(\\[|>)`,
    'y',
  ),
  instruction: new RegExp(`<\\?(${NAME})(?=${SPACE}|\\?>)`, 'y'),
  close: new RegExp(`</${QUALIFIED}${SPACE}*>`, 'y'),
  open: new RegExp(`<${QUALIFIED}`, 'y'),
  attribute: new RegExp(`${SPACE}+${QUALIFIED}${SPACE}*=${SPACE}*(["'])`, 'y'),
  end: new RegExp(`${SPACE}*(/?)>`, 'y'),
  space: new RegExp(`${SPACE}+`, 'y'),
};

/** Decodes the bytes of an XML file. Anything but UTF-8 is refused. */
export function decodeXml(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new XmlError('encoding', 'the text is not UTF-8');
  }
}

interface Parsed {
  root: XmlElement;
  /** The names of the processing instructions, such as `xml-stylesheet`. */
  instructions: string[];
}

export const parseXml = (text: string, limits: XmlLimits): Parsed => new Parser(text, limits).parse();

interface Open {
  element: XmlElement;
  prefix: string;
  namespaces: ReadonlyMap<string, string>;
}

class Parser {
  private readonly text: string;
  private readonly limits: XmlLimits;
  private at = 0;
  private elements = 0;
  private root: XmlElement | null = null;
  private readonly stack: Open[] = [];
  private readonly instructions: string[] = [];

  constructor(text: string, limits: XmlLimits) {
    this.text = text;
    this.limits = limits;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow these characters
    if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text) || !text.isWellFormed())
      throw new XmlError('encoding', 'the text contains characters that XML does not allow');
  }

  parse(): Parsed {
    const declaration = this.take('declaration');
    if (declaration?.[1] && !/^(utf-8|us-ascii)$/i.test(declaration[1]))
      throw new XmlError('encoding', `the encoding is ${declaration[1]}`);
    while (this.at < this.text.length) this.step();
    if (!this.root || this.stack.length > 0) throw this.malformed('the document is not complete');
    return { root: this.root, instructions: this.instructions };
  }

  private take(token: keyof typeof TOKENS): RegExpExecArray | null {
    const pattern = TOKENS[token];
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match) this.at = pattern.lastIndex;
    return match;
  }

  private skip(markup: string): boolean {
    const found = this.text.startsWith(markup, this.at);
    if (found) this.at += markup.length;
    return found;
  }

  /** A search instead of a pattern, because a pattern needs memory for every character of a long text. */
  private takeUntil(markup: string, otherwise?: number): string {
    const found = this.text.indexOf(markup, this.at);
    const end = found < 0 ? otherwise : found;
    if (end === undefined) throw this.malformed(`${markup} is missing`);
    const taken = this.text.slice(this.at, end);
    this.at = end;
    return taken;
  }

  private step(): void {
    const parent = this.stack.at(-1);
    if (this.text[this.at] !== '<') {
      if (!parent && this.take('space')) return;
      const text = this.takeUntil('<', this.text.length);
      if (!parent || text.includes(']]>')) throw this.malformed('text in the wrong place');
      parent.element.children.push(this.decode(text.replace(/\r\n?/g, '\n')));
      return;
    }
    if (this.skip('<!--')) {
      this.takeUntil('--');
      if (!this.skip('-->')) throw this.malformed('a comment contains --');
      return;
    }
    const instruction = this.take('instruction');
    if (instruction) {
      if (/^xml$/i.test(instruction[1]!)) throw this.malformed('a declaration in the wrong place');
      this.takeUntil('?>');
      this.skip('?>');
      this.instructions.push(instruction[1]!.toLowerCase());
      return;
    }
    if (parent && this.skip('<![CDATA[')) {
      parent.element.children.push(this.takeUntil(']]>').replace(/\r\n?/g, '\n'));
      this.skip(']]>');
      return;
    }
    const close = this.take('close');
    if (close) {
      this.close(close[1] ?? '', close[2]!);
      return;
    }
    if (!this.root) {
      const doctype = this.take('doctype');
      if (doctype?.[1] === '[') throw new XmlError('entities', 'the document declares its own entities');
      if (doctype) return;
    }
    this.open();
  }

  private close(prefix: string, name: string): void {
    const open = this.stack.pop();
    if (!open || open.prefix !== prefix || open.element.name !== name) throw this.malformed(`unexpected </${name}>`);
  }

  private open(): void {
    const match = this.take('open');
    const parent = this.stack.at(-1);
    if (!match || (this.root && !parent)) throw this.malformed('unexpected markup');
    const prefix = match[1] ?? '';
    const attributes: { prefix: string; name: string; value: string }[] = [];
    for (let found = this.take('attribute'); found; found = this.take('attribute')) {
      const quote = found[3]!;
      const written = this.takeUntil(quote);
      this.skip(quote);
      if (written.includes('<')) throw this.malformed('an attribute contains <');
      const value = this.decode(written.replace(/\r\n|[\t\r\n]/g, ' '));
      attributes.push({ prefix: found[1] ?? '', name: found[2]!, value });
      if (attributes.length > MAX_ATTRIBUTES) throw new XmlError('limit', 'an element has too many attributes');
    }
    const end = this.take('end');
    if (!end) throw this.malformed(`the tag <${match[2]}> is not complete`);
    if (++this.elements > this.limits.elements) throw new XmlError('limit', 'the document has too many elements');
    if (this.stack.length >= this.limits.depth) throw new XmlError('limit', 'the elements are nested too deep');
    const namespaces = this.readNamespaces(parent?.namespaces ?? START, attributes);
    const element: XmlElement = {
      namespace: this.resolve(namespaces, prefix),
      name: match[2]!,
      attributes: this.resolveAttributes(namespaces, attributes),
      children: [],
    };
    if (parent) parent.element.children.push(element);
    else this.root = element;
    if (!end[1]) this.stack.push({ element, prefix, namespaces });
  }

  private readNamespaces(
    inherited: ReadonlyMap<string, string>,
    attributes: readonly { prefix: string; name: string; value: string }[],
  ): ReadonlyMap<string, string> {
    const declared = attributes.filter(({ prefix, name }) => prefix === 'xmlns' || (prefix === '' && name === 'xmlns'));
    if (declared.length === 0) return inherited;
    const namespaces = new Map(inherited);
    for (const { prefix, name, value } of declared) {
      const key = prefix === '' ? '' : name;
      const isReserved = key === 'xmlns' || value === XMLNS || (key === 'xml') !== (value === XML);
      if (isReserved || (key !== '' && value === '')) throw this.malformed('a namespace is not valid');
      namespaces.set(key, value);
    }
    return namespaces;
  }

  private resolve(namespaces: ReadonlyMap<string, string>, prefix: string): string {
    const namespace = namespaces.get(prefix);
    if (namespace === undefined) throw this.malformed(`the prefix ${prefix} is not declared`);
    return namespace;
  }

  private resolveAttributes(
    namespaces: ReadonlyMap<string, string>,
    attributes: readonly { prefix: string; name: string; value: string }[],
  ): XmlAttribute[] {
    const names = new Set<string>();
    const resolved: XmlAttribute[] = [];
    for (const { prefix, name, value } of attributes) {
      const namespace =
        prefix === 'xmlns' || (prefix === '' && name === 'xmlns')
          ? XMLNS
          : prefix === ''
            ? ''
            : this.resolve(namespaces, prefix);
      const key = `${namespace} ${prefix === 'xmlns' || namespace !== XMLNS ? name : ''}`;
      if (names.has(key)) throw this.malformed(`the attribute ${name} is repeated`);
      names.add(key);
      if (namespace !== XMLNS) resolved.push({ namespace, name, value });
    }
    return resolved;
  }

  private decode(text: string): string {
    if (!text.includes('&')) return text;
    return text.replace(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w+));|&/g, (_, hex, decimal, name) => {
      if (name !== undefined && Object.hasOwn(ENTITIES, name)) return ENTITIES[name]!;
      const code = hex ? Number.parseInt(hex, 16) : decimal ? Number(decimal) : 0;
      const isAllowed =
        code === 9 || code === 10 || code === 13 || (code >= 0x20 && code <= 0x10ffff && !isForbidden(code));
      if (!isAllowed) throw this.malformed('an entity is not valid');
      return String.fromCodePoint(code);
    });
  }

  private malformed(reason: string): XmlError {
    return new XmlError('malformed', `${reason}, near character ${this.at}`);
  }
}

const START: ReadonlyMap<string, string> = new Map([
  ['', ''],
  ['xml', XML],
]);
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const isForbidden = (code: number): boolean => (code >= 0xd800 && code <= 0xdfff) || code === 0xfffe || code === 0xffff;

const escapeChar = (char: string): string => `&#${char.charCodeAt(0)};`;
/** Writes the value of an attribute in double quotes. */
export const escapeXml = (text: string): string => text.replace(/[&<>"\t\n\r]/g, escapeChar);
export const escapeText = (text: string): string => text.replace(/[&<>\r]/g, escapeChar);
