/** The carrier's formats of numbers and receipts, and the conclusions of a connection test. */
import type { ConnectionTest, Proposal } from '@parley/contract/connections/connection_tests.ts';
import type { Status } from '@parley/contract/messages/statuses.ts';

/** The declared form of each number. Set if the carrier sends numbers without a country code. */
export interface Numbering {
  country: string;
  from: NumberForm;
  to: NumberForm;
}
export type NumberForm = 'international' | 'national' | 'undeclared';

/** A delivery receipt as the carrier sent it. */
export interface WrittenReceipt {
  id: string;
  id_in_text: string;
  done_date: string;
  /** The names of its optional parameters. */
  parameters: readonly string[];
  address: string;
}

/** The status in a receipt, and the details that the carrier added. */
interface WrittenStatus {
  status: Status;
  state: string;
  code: string | null;
  failure?: { text: string };
  detail: Readonly<Record<string, unknown>>;
}

/** A test message with its response and receipt so far. */
export interface TestExchange {
  to: string;
  country: string;
  reference: number;
  /** True if the settings have changed since the test, so a refusal proves nothing about them. */
  is_outdated: boolean;
  /** `ids` are unchanged. */
  response: { ids: readonly string[]; failure: { code: string; text: string } | null } | null;
  receipt: { written: WrittenReceipt; state: string; reference: number | null; arrived_ms: number } | null;
  /** The last receipt, on every protocol. */
  report: WrittenStatus | null;
}

/** Implemented by adapters with carrier profiles. Requires no secrets. */
export interface ConnectionTests {
  read(connection: { id: string; settings: unknown }, exchange: TestExchange): TestReading;
}
export interface TestReading {
  findings: ConnectionTest['findings'];
  proposals: Proposal[];
}

/** An unusable setting. */
export interface SettingFault {
  field: string;
  message: string;
}
