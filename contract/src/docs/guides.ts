/** The guides of the documentation. Their texts are Markdown files in server/guides. */
export const GUIDES: readonly { id: string; title: string }[] = [
  { id: 'first-message', title: 'First message in two minutes' },
  { id: 'test-keys', title: 'Testing without sending' },
  { id: 'requests', title: 'Making requests' },
  { id: 'lists', title: 'Lists, filters, and pages' },
  { id: 'errors', title: 'Errors and limits' },
  { id: 'idempotency', title: 'Repeating a request' },
  { id: 'receive-messages', title: 'Receiving messages' },
  { id: 'receive-webhooks', title: 'Receiving webhooks' },
  { id: 'verify-numbers', title: 'Verifying phone numbers' },
  { id: 'run-campaigns', title: 'Running campaigns' },
  { id: 'command-line', title: 'Command line' },
  { id: 'smpp', title: 'SMPP' },
  { id: 'agents', title: 'Agents' },
  { id: 'going-live', title: 'Going live' },
  { id: 'changes', title: 'Changes' },
];

/** The URL of a section as Markdown: a guide, or a module of the API. */
export const sectionPath = (id: string): string => `/docs/${id}.md`;
