/**
 * Compiles the rules once and applies them to texts. A text is folded and divided once for all rules, and equal texts
 * of a batch are matched once. Rules contain lists of words and names but no patterns of their own, so the time is
 * proportional to the length of the text.
 */
import type { ContentAction, ContentMatch, ContentRule } from '@parley/contract/guard/content_rules.ts';
import type { Content } from '@parley/contract/messages/content.ts';
import { type FoldedText, foldText, foldWord, type Span, type Token, tokenize, toSpan } from './folded_text.ts';
import { findHosts, isBelow, type LinkedHost, readDomain, SHORTENERS } from './hosts.ts';
import { BrandFinder, findInHost, findInTokens, skeleton, toBrand } from './lookalikes.ts';

export type Rule = Omit<ContentRule, 'accounts' | 'waiting' | 'create_date' | 'update_date'>;

/** A text in the forms that the rules need. Each form is computed on first use. */
class ReadText {
  readonly folded: FoldedText;
  private foundHosts: LinkedHost[] | null = null;
  private foundTokens: Token[] | null = null;

  constructor(text: string) {
    this.folded = foldText(text);
  }

  get hosts(): LinkedHost[] {
    this.foundHosts ??= this.folded.text.includes('.') ? findHosts(this.folded) : [];
    return this.foundHosts;
  }

  get tokens(): Token[] {
    this.foundTokens ??= tokenize(this.folded);
    return this.foundTokens;
  }
}

type Find = (text: ReadText) => Span[];

export interface CompiledRule {
  readonly rule: Rule;
  readonly find: Find;
  readonly countries: ReadonlySet<string> | null;
  readonly channels: ReadonlySet<string> | null;
  readonly accounts: ReadonlySet<string> | null;
  readonly exempt: ReadonlySet<string>;
}

const setOrAll = (values: readonly string[]): ReadonlySet<string> | null =>
  values.length === 0 ? null : new Set(values);

export const compileRule = (rule: Rule): CompiledRule => ({
  rule,
  find: compileFind(rule),
  countries: setOrAll(rule.countries),
  channels: setOrAll(rule.channels),
  accounts: setOrAll(rule.account_ids),
  exempt: new Set(rule.exempt_account_ids),
});

function compileFind(rule: Rule): Find {
  const exceptions = new Set(rule.exceptions.map(foldWord));
  const domains = new Set(rule.exceptions.flatMap((written) => readDomain(written) ?? []));
  switch (rule.kind) {
    case 'links':
      return linkFinder(rule, domains);
    case 'new_sender':
      return linkFinder({ links: 'any', domains: [] }, domains);
    case 'lookalikes':
      return brandFinder(new BrandFinder(rule.brands.map(toBrand)), exceptions, domains);
    case 'words':
      return wordFinder(rule.words.map(foldWord), exceptions);
  }
}

const hostSpan = ({ folded }: ReadText, { host, start, end }: LinkedHost): Span => toSpan(folded, host, start, end);

function linkFinder({ links, domains }: Pick<Rule, 'links' | 'domains'>, exceptions: ReadonlySet<string>): Find {
  const listed = links === 'domains' ? new Set(domains.flatMap((written) => readDomain(written) ?? [])) : SHORTENERS;
  return (text) =>
    text.hosts
      .filter(({ host }) => (links === 'any' || isBelow(host, listed)) && !isBelow(host, exceptions))
      .map((host) => hostSpan(text, host));
}

function brandFinder(brands: BrandFinder, exceptions: ReadonlySet<string>, exceptDomains: ReadonlySet<string>): Find {
  return (text) => {
    const hosts = text.hosts.filter(({ host }) => !isBelow(host, exceptDomains));
    const inHosts = hosts.flatMap((host) => {
      const brand = findInHost(host, brands);
      return brand ? [toSpan(text.folded, brand.name, host.start, host.end)] : [];
    });
    const isOutside = ({ start }: Token) => !text.hosts.some((host) => start >= host.start && start < host.end);
    const tokens = text.tokens.filter((token) => isOutside(token) && !exceptions.has(token.word));
    const inTokens = findInTokens(text.folded, tokens, brands).map(({ token, brand }) =>
      toSpan(text.folded, brand.name, token.start, token.end),
    );
    return [...inHosts, ...inTokens];
  };
}

/** Scripts that write no spaces between words. */
const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}]`, 'u');
const MIXED = /[a-z]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: tests for anything but ASCII.
const FOREIGN = /[^\x00-\x7f]/;

function wordFinder(words: readonly string[], exceptions: ReadonlySet<string>): Find {
  const inside = words.filter((word) => UNSPACED.test(word));
  /** The phrases by their first word. */
  const phrases = new Map<string, { what: string; rest: string[] }[]>();
  for (const word of words) {
    if (UNSPACED.test(word)) continue;
    const [first, ...rest] = tokenize(foldText(word)).map((token) => token.word);
    if (first === undefined) continue;
    phrases.set(first, [...(phrases.get(first) ?? []), { what: word, rest }]);
  }
  const shapes = new Map([...phrases.keys()].map((word) => [skeleton(word), word]));
  /** A word that mixes scripts is read by its shape. */
  const read = (word: string): string =>
    FOREIGN.test(word) && MIXED.test(word) ? (shapes.get(skeleton(word)) ?? word) : word;
  return (text) => {
    const { folded, tokens } = text;
    const { isPlain } = folded;
    const found = inside.flatMap((word) => {
      const start = folded.text.indexOf(word);
      return start < 0 ? [] : [toSpan(folded, word, start, start + word.length)];
    });
    if (phrases.size === 0) return found;
    tokens.forEach((token, index) => {
      for (const { what, rest } of phrases.get(isPlain ? token.word : read(token.word)) ?? []) {
        if (!rest.every((word, n) => tokens[index + n + 1]?.word === word)) continue;
        if (exceptions.has(what) || exceptions.has(token.word)) continue;
        found.push(toSpan(folded, what, token.start, tokens[index + rest.length]!.end));
      }
    });
    return found;
  };
}

/** The texts of one message. */
export interface CheckedText {
  /** The text as recipients get it, where matches are highlighted. */
  readonly text: string;
  /** Other texts: the text before its links were shortened, buttons, and fallbacks. */
  readonly others?: readonly string[];
}

export interface RuleMatch {
  readonly rule: Rule;
  readonly matches: ContentMatch[];
}

const MAX_MATCHES = 20;

/** Applies the rules of one account and channel. Equal texts are matched once. */
export class TextMatcher {
  private readonly rules: readonly CompiledRule[];
  private readonly known = new Map<string, RuleMatch[]>();

  constructor(rules: readonly CompiledRule[]) {
    this.rules = rules;
  }

  find({ text, others = [] }: CheckedText, country: string): RuleMatch[] {
    const key = others.length === 0 ? text : JSON.stringify([text, others]);
    let found = this.known.get(key);
    if (!found) {
      found = this.match(text, others);
      this.known.set(key, found);
    }
    return found.length === 0 ? found : found.filter(({ rule }) => covers(rule.countries, country));
  }

  private match(text: string, others: readonly string[]): RuleMatch[] {
    const read = new ReadText(text);
    const readOthers = others.map((other) => new ReadText(other));
    return this.rules.flatMap(({ rule, find }) => {
      const { id: rule_id, name: rule_name, kind } = rule;
      const shown = find(read).map((span): ContentMatch => ({ rule_id, rule_name, kind, ...span }));
      const hidden = readOthers
        .flatMap((other) => find(other))
        .filter(({ what }) => !shown.some((match) => match.what === what))
        .map(({ what }): ContentMatch => ({ rule_id, rule_name, kind, what, start: null, end: null }));
      const matches = [...shown, ...hidden].slice(0, MAX_MATCHES);
      return matches.length === 0 ? [] : [{ rule, matches }];
    });
  }
}

const covers = (countries: readonly string[], country: string): boolean =>
  countries.length === 0 || countries.includes(country);

/** The texts and links of a content that recipients can see. */
export const contentTexts = (content: Content | null): string[] =>
  content === null
    ? []
    : [
        ...[content.header, content.footer, content.url],
        ...content.buttons.flatMap(({ text, value, type }) => (type === 'link' ? [text, value] : [text])),
        ...(content.template?.header_values ?? []),
        ...(content.template?.body_values ?? []),
      ].filter((text): text is string => typeof text === 'string' && text !== '');

const WEIGHT: Readonly<Record<ContentAction, number>> = { notify: 0, hold: 1, refuse: 2 };
/** The rules with the strictest action come first. */
export const byWeight = (a: RuleMatch, b: RuleMatch): number => WEIGHT[b.rule.action] - WEIGHT[a.rule.action];
