/** Writes the calls of a module as Markdown, for readers and programs outside the browser. */
import { LANGUAGES, writeExample } from './examples.ts';
import { type FieldRow, type Module, type Operation, readRefusals, readTables } from './openapi.ts';

export const moduleMarkdown = ({ title, text, operations }: Module, origin: string): string =>
  [`# ${title}`, ...(text ? [text] : []), ...operations.map((one) => operationMarkdown(one, origin))].join('\n\n') +
  '\n';

function operationMarkdown(operation: Operation, origin: string): string {
  const { summary, method, path, description = '' } = operation;
  const { parameters, body, response } = readTables(operation);
  const examples = LANGUAGES.map(
    ({ value, fence, label }) => `${label}:\n\n\`\`\`${fence}\n${writeExample(operation, value, origin)}\n\`\`\``,
  );
  return [
    `## ${summary}`,
    `\`${method} ${path}\``,
    description,
    ...table('Parameters', parameters),
    ...table('Request body', body),
    ...table('Response', response),
    ...refusals(operation),
    '### Example',
    ...examples,
  ]
    .filter(Boolean)
    .join('\n\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');

function table(title: string, rows: readonly FieldRow[]): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(
    ({ name, type, isRequired, note }) =>
      `| \`${name}\`${isRequired ? ' (required)' : ''} | ${cell(type)} | ${cell(note)} |`,
  );
  return [`### ${title}`, ['| Field | Type | Notes |', '|---|---|---|', ...lines].join('\n')];
}

function refusals(operation: Operation): string[] {
  const lines = readRefusals(operation).flatMap(({ status, texts }) =>
    texts.map((text) => `| ${status} | ${cell(text)} |`),
  );
  return lines.length === 0 ? [] : ['### Errors', ['| Status | Code |', '|---|---|', ...lines].join('\n')];
}
