/**
 * Estimates the cost of a drawing before it is drawn: how many elements remain after every `use`, pattern, mask, and
 * marker is expanded. A few lines that refer to each other can expand to billions of elements.
 */
import type { XmlElement } from '../../../kernel/untrusted/xml.ts';
import { DrawingError } from './drawing_error.ts';
import { type Rule, references } from './style.ts';

const MAX_EXPANDED = 200_000;
/** How many references may follow each other. */
const MAX_CHAIN = 500;
const MAX_BLUR = 200;
const MAX_OCTAVES = 8;
const MAX_PRIMITIVES = 100;
/** Filters whose cost grows with the number of pixels and with their size. */
const PRIMITIVE = /^fe(?!Func|MergeNode|DistantLight|PointLight|SpotLight)/;

const attribute = ({ attributes }: XmlElement, name: string): string =>
  attributes.find((found) => found.name === name)?.value ?? '';
const elements = ({ children }: XmlElement): XmlElement[] =>
  children.filter((child) => typeof child !== 'string') as XmlElement[];

export function requireAffordable(root: XmlElement, rules: readonly Rule[]): void {
  const byId = new Map<string, XmlElement>();
  let primitives = 0;
  const visit = (element: XmlElement) => {
    const id = attribute(element, 'id');
    // Like browsers, the first element with an id counts.
    if (id && !byId.has(id)) byId.set(id, element);
    if (PRIMITIVE.test(element.name)) primitives++;
    requireAffordableFilter(element);
    for (const child of elements(element)) visit(child);
  };
  visit(root);
  if (primitives > MAX_PRIMITIVES) throw tooExpensive();
  const styled = styleReferences(rules);
  const costs = new Map<XmlElement, number | 'open'>();
  const cost = (element: XmlElement, depth: number): number => {
    if (depth > MAX_CHAIN) throw tooExpensive();
    const known = costs.get(element);
    if (known === 'open') throw new DrawingError('cost', 'the drawing refers to itself');
    if (known !== undefined) return known;
    costs.set(element, 'open');
    let total = 1;
    for (const child of elements(element)) total += cost(child, depth + 1);
    for (const id of [...ownReferences(element), ...styled(element)]) {
      const target = byId.get(id);
      if (target) total += cost(target, depth + 1);
    }
    if (total > MAX_EXPANDED) throw tooExpensive();
    costs.set(element, total);
    return total;
  };
  cost(root, 0);
}

const tooExpensive = () => new DrawingError('cost', 'the drawing is too complex');

function ownReferences(element: XmlElement): string[] {
  const ids: string[] = [];
  for (const { name, value } of element.attributes) {
    if (name === 'href' && value.startsWith('#')) ids.push(value.slice(1));
    else ids.push(...references(value));
  }
  return ids;
}

function requireAffordableFilter(element: XmlElement): void {
  const numbers = (name: string) =>
    attribute(element, name)
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(Number);
  const largest = (name: string) => Math.max(0, ...numbers(name).map((value) => Math.abs(value) || 0));
  if (largest('stdDeviation') > MAX_BLUR || largest('numOctaves') > MAX_OCTAVES) throw tooExpensive();
  if (element.name === 'feMorphology' && largest('radius') > MAX_BLUR) throw tooExpensive();
  if (element.name === 'feConvolveMatrix' && largest('order') > 20) throw tooExpensive();
}

/** Finds what the rules of the style sheets make an element refer to, by the last part of their selectors. */
function styleReferences(rules: readonly Rule[]): (element: XmlElement) => string[] {
  const byKey = new Map<string, string[]>();
  for (const { selector, declarations } of rules) {
    const ids = references(declarations);
    if (ids.length === 0) continue;
    for (const one of selector.split(',')) {
      const last =
        one
          .trim()
          .split(/[\s>+~]+/)
          .at(-1) ?? '';
      const key = /^[\w-]*([.#][\w-]+)/.exec(last)?.[1] ?? /^[\w-]+/.exec(last)?.[0] ?? '*';
      byKey.set(key, [...(byKey.get(key) ?? []), ...ids]);
    }
  }
  if (byKey.size === 0) return () => [];
  return (element) => {
    const classes = attribute(element, 'class').split(/\s+/).filter(Boolean);
    const keys = ['*', element.name, `#${attribute(element, 'id')}`, ...classes.map((name) => `.${name}`)];
    return keys.flatMap((key) => byKey.get(key) ?? []);
  };
}
