/** Finds the human-readable text in source files: string literals, template literals, and JSX text. */

export interface Prose {
  readonly text: string;
  /** Offset of the text within its file. */
  readonly at: number;
}

const WORD = /[\w$]/;
/** An expression starts after these words, so `/` opens a regular expression and `<` opens an element. */
const BEFORE_EXPRESSION = /(?:^|[^\w$.])(?:return|default|case|typeof|await|yield|in|of|else|do|void|new|throw)$/;

/** Reads one TypeScript or JavaScript file. With `jsx`, the file may contain elements, so `<` may open one. */
export function readProse(source: string, jsx: boolean): Prose[] {
  const reader = new Reader(source, jsx);
  reader.code('');
  return reader.pieces;
}

class Reader {
  readonly pieces: Prose[] = [];
  private at = 0;
  private readonly source: string;
  private readonly jsx: boolean;

  constructor(source: string, jsx: boolean) {
    this.source = source;
    this.jsx = jsx;
  }

  /** Reads code up to the closing bracket `end`, or to the end of the file. */
  code(end: string): void {
    let depth = 0;
    while (this.at < this.source.length) {
      const char = this.source[this.at]!;
      const next = this.source[this.at + 1];
      if (char === '/' && next === '/') this.skipTo('\n');
      else if (char === '/' && next === '*') this.skipTo('*/');
      else if (char === "'" || char === '"') this.quoted(char);
      else if (char === '`') this.template();
      else if (char === '/' && this.startsExpression()) this.pattern();
      else if (char === '<' && this.jsx && this.opensElement() && this.startsExpression()) this.element();
      else {
        if (char === '{') depth += 1;
        if (char === '}') {
          if (depth === 0 && end === '}') {
            this.at += 1;
            return;
          }
          depth -= 1;
        }
        this.at += 1;
      }
    }
  }

  /** Returns whether `<` may open an element. The type parameters `<T,>` and `<T extends ...>` do not. */
  private opensElement(): boolean {
    return /^<(?:>|[A-Za-z][\w.-]*(?:[/><]|\s+(?!extends\b)))/.test(this.source.slice(this.at, this.at + 80));
  }

  private startsExpression(): boolean {
    let position = this.at - 1;
    while (position >= 0 && /\s/.test(this.source[position]!)) position -= 1;
    const before = this.source[position];
    if (before === undefined) return true;
    if (WORD.test(before)) return BEFORE_EXPRESSION.test(this.source.slice(Math.max(0, position - 12), position + 1));
    return !/[)\]'"`]/.test(before);
  }

  private skipTo(mark: string): void {
    const end = this.source.indexOf(mark, this.at + 2);
    this.at = end < 0 ? this.source.length : end + mark.length;
  }

  private keep(from: number, to: number): void {
    if (to > from) this.pieces.push({ text: this.source.slice(from, to), at: from });
  }

  private quoted(mark: string): void {
    const from = this.at + 1;
    this.at = from;
    while (this.at < this.source.length && this.source[this.at] !== mark && this.source[this.at] !== '\n')
      this.at += this.source[this.at] === '\\' ? 2 : 1;
    this.keep(from, this.at);
    this.at += 1;
  }

  private template(): void {
    // SQL is not human-readable text, so it is skipped.
    const isSql = /\bsql$/.test(this.source.slice(Math.max(0, this.at - 4), this.at));
    this.at += 1;
    let from = this.at;
    while (this.at < this.source.length && this.source[this.at] !== '`') {
      if (this.source[this.at] === '\\') this.at += 2;
      else if (this.source.startsWith('${', this.at)) {
        if (!isSql) this.keep(from, this.at);
        this.at += 2;
        this.code('}');
        from = this.at;
      } else this.at += 1;
    }
    if (!isSql) this.keep(from, this.at);
    this.at += 1;
  }

  /** Skips a regular expression. */
  private pattern(): void {
    this.at += 1;
    let inClass = false;
    while (this.at < this.source.length && this.source[this.at] !== '\n') {
      const char = this.source[this.at]!;
      if (char === '\\') this.at += 1;
      else if (char === '[') inClass = true;
      else if (char === ']') inClass = false;
      else if (char === '/' && !inClass) break;
      this.at += 1;
    }
    this.at += 1;
  }

  /** Reads an element with its attributes and children. */
  private element(): void {
    if (this.tag()) return;
    while (this.at < this.source.length) {
      const from = this.at;
      while (this.at < this.source.length && !'<{'.includes(this.source[this.at]!)) this.at += 1;
      this.keep(from, this.at);
      if (this.source[this.at] === '{') {
        this.at += 1;
        this.code('}');
      } else if (this.source[this.at + 1] === '/') {
        this.skipTo('>');
        return;
      } else this.element();
    }
  }

  /** Reads an opening tag. Returns true if it is self-closing. */
  private tag(): boolean {
    this.at += 1;
    while (WORD.test(this.source[this.at] ?? '') || '.-'.includes(this.source[this.at] ?? ' ')) this.at += 1;
    if (this.source[this.at] === '<') this.skipTo('>');
    while (this.at < this.source.length) {
      const char = this.source[this.at]!;
      if (char === '>') {
        this.at += 1;
        return false;
      }
      if (char === '/' && this.source[this.at + 1] === '>') {
        this.at += 2;
        return true;
      }
      if (char === '/' && this.source[this.at + 1] === '*') this.skipTo('*/');
      else if (char === '/' && this.source[this.at + 1] === '/') this.skipTo('\n');
      else if (char === "'" || char === '"') {
        const from = this.at + 1;
        const to = this.source.indexOf(char, from);
        this.at = to < 0 ? this.source.length : to + 1;
        this.keep(from, this.at - 1);
      } else if (char === '{') {
        this.at += 1;
        this.code('}');
      } else this.at += 1;
    }
    return true;
  }
}
