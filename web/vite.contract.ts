/**
 * Prepares the contract for the browser. The app calls endpoints by their path and validates request bodies, so what
 * only the server needs is left out: output schemas, descriptions, lists of problems, and operators' texts. The
 * contract is data and pure functions, so the bundler may also drop every constant that no page uses.
 */
import type { Plugin } from 'vite';

const SERVER_ONLY: Readonly<Record<string, ReadonlySet<string>>> = {
  endpoint: new Set([
    'output',
    'beside',
    'query',
    'summary',
    'problems',
    'empty',
    'links',
    'status',
    'scans',
    'masks',
    'keeps_refusals',
    'test_keys',
    'uncounted_spend',
    'unattended',
  ]),
  event: new Set(['payload', 'visible']),
};
/** Rows of the catalog of problems. */
const CATALOG = /\/contract\/src\/problems\/\w+\.ts$/;
const SERVER_ONLY_IN_CATALOG: ReadonlySet<string> = new Set(['code', 'status', 'field', 'internal']);

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

export function contractForBrowser(): Plugin {
  return {
    name: 'parley-contract-for-browser',
    apply: 'build',
    transform: {
      filter: { id: /\/contract\/src\/.*\.ts$/ },
      handler(code, id) {
        const program = this.parse(code) as unknown as Node;
        const edits: Edit[] = [];
        visit(program, (node) => collectCuts(node, id, edits));
        for (const declaration of topLevelConstants(program)) {
          if (!runsCode(declaration.init as Node)) continue;
          const { start, end } = declaration.init as Node;
          edits.push({ start, end: start, text: '/* @__PURE__ */ (() => (' }, { start: end, end, text: '))()' });
        }
        return { code: apply(code, edits), map: null };
      },
    },
  };
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

function collectCuts(node: Node, id: string, edits: Edit[]): void {
  const [object, names] = findShape(node, CATALOG.test(id));
  if (!object || !names) return;
  for (const property of object.properties as Node[]) {
    const key = property.key as Node | undefined;
    if (property.type === 'Property' && names.has(String(key?.name)))
      edits.push({ start: property.start, end: property.end, text: '' });
  }
}

/** The object literal that has parts only for the server, with the names of these parts. */
function findShape(node: Node, isCatalog: boolean): [Node?, ReadonlySet<string>?] {
  if (isCatalog && node.type === 'Property' && (node.value as Node).type === 'ObjectExpression')
    return [node.value as Node, SERVER_ONLY_IN_CATALOG];
  if (node.type !== 'CallExpression') return [];
  const [object] = node.arguments as Node[];
  return object?.type === 'ObjectExpression' ? [object, SERVER_ONLY[String((node.callee as Node).name)]] : [];
}

function topLevelConstants(program: Node): Node[] {
  return (program.body as Node[])
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? (statement.declaration as Node) : statement))
    .filter((statement) => statement?.type === 'VariableDeclaration')
    .flatMap((statement) => statement.declarations as Node[])
    .filter(({ init }) => init);
}

/** True if evaluating the expression calls a function or iterates a list. The bodies of functions do not count. */
function runsCode(node: Node): boolean {
  if (/Function/.test(node.type)) return false;
  if (['CallExpression', 'NewExpression', 'SpreadElement'].includes(node.type)) return true;
  return children(node).some(runsCode);
}

function visit(node: Node, look: (node: Node) => void): void {
  look(node);
  for (const child of children(node)) visit(child, look);
}

const children = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((value): value is Node => typeof (value as Node | null)?.type === 'string');

/** Applies the edits. Cuts inside a cut are part of it. */
function apply(code: string, edits: Edit[]): string {
  let result = '';
  let position = 0;
  for (const { start, end, text } of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < position) continue;
    result += code.slice(position, start) + text;
    // A removed property takes its comma with it.
    position = text === '' && code[end] === ',' ? end + 1 : end;
  }
  return result + code.slice(position);
}
