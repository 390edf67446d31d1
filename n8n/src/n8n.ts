/**
 * The parts of n8n's interfaces that these nodes use. The package `n8n-workflow` has them too, but it brings 25
 * dependencies for types alone. n8n passes its own implementations at run time.
 */
export interface Field {
  displayName: string;
  name: string;
  type: 'string' | 'options' | 'multiOptions' | 'collection' | 'boolean';
  typeOptions?: { password?: boolean; rows?: number; multipleValues?: boolean };
  default: unknown;
  required?: boolean;
  description?: string;
  placeholder?: string;
  noDataExpression?: boolean;
  options?: readonly (Field | { name: string; value: string; action?: string; description?: string })[];
  displayOptions?: { show: Readonly<Record<string, readonly string[]>> };
}

export interface CredentialType {
  name: string;
  displayName: string;
  documentationUrl: string;
  icon: string;
  properties: readonly Field[];
  authenticate: { type: 'generic'; properties: { headers: Readonly<Record<string, string>> } };
  test: { request: { baseURL: string; url: string } };
}

export interface NodeDescription {
  displayName: string;
  name: string;
  icon: string;
  group: readonly string[];
  version: number;
  subtitle?: string;
  description: string;
  defaults: { name: string };
  inputs: readonly string[];
  outputs: readonly string[];
  usableAsTool?: true;
  credentials: readonly { name: string; required: boolean }[];
  webhooks?: readonly { name: string; httpMethod: string; responseMode: string; path: string }[];
  properties: readonly Field[];
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  json: true;
  returnFullResponse: true;
  ignoreHttpStatusErrors: true;
}

export interface HttpResponse {
  statusCode: number;
  body: unknown;
}

/** The context of every function of a node. */
export interface Context {
  getCredentials(name: string): Promise<Readonly<Record<string, unknown>>>;
  helpers: {
    httpRequestWithAuthentication(this: Context, credential: string, request: HttpRequest): Promise<HttpResponse>;
  };
}

export interface Item {
  json: Readonly<Record<string, unknown>>;
  pairedItem?: { item: number };
}

export interface ExecuteContext extends Context {
  getInputData(): readonly Item[];
  getNodeParameter(name: string, index: number, fallback?: unknown): unknown;
  continueOnFail(): boolean;
}

export interface HookContext extends Context {
  getNodeParameter(name: string, fallback?: unknown): unknown;
  getNodeWebhookUrl(name: string): string | undefined;
  /** An object that n8n stores with the workflow. */
  getWorkflowStaticData(type: 'node'): Record<string, unknown>;
}

export interface WebhookContext extends Context {
  getWorkflowStaticData(type: 'node'): Record<string, unknown>;
  getHeaderData(): Readonly<Record<string, string | string[] | undefined>>;
  getRequestObject(): { rawBody?: Uint8Array; readRawBody?(): Promise<void> };
  getResponseObject(): { status(code: number): { send(text: string): { end(): unknown } } };
}

export interface WebhookResult {
  workflowData?: readonly (readonly Item[])[];
  /** True if the node has written the response itself. */
  noWebhookResponse?: true;
}
