/**
 * Reads one send_message request and checks it in this order: JSON, service ID, IP address, blocked service, type,
 * phone number, label, TTL, message, permissions. `Sending` then checks the phone and the session.
 */
import { RawNumber } from './numbers.ts';
import { Refusal, status } from './statuses.ts';
import { type Filled, readTemplate, type Template } from './templates.ts';
import { extensions, limits, messageTypes, type TypeRule } from './types.ts';

export interface Business {
  service_id: number;
  name: string;
  callback_url: string;
  auth_token: string;
  promotional: boolean;
  two_way: boolean;
  /** True if Viber has blocked the service (status 43). */
  blocked: boolean;
  /** False if requests come from an IP address that is not allowed (status 401). */
  address_allowed: boolean;
}

export interface MessageContent {
  text: string;
  image: string;
  button: { caption: string; url: string } | null;
  file: { url: string; name: string; type: string } | null;
  video: { url: string; thumbnail: string; bytes: number; seconds: number } | null;
  template: Template | null;
}

export interface Accepted {
  service_id: number;
  to: string;
  type: number;
  kind: TypeRule['kind'];
  label: string;
  tag: string;
  /** The value from the request. The response repeats it. */
  seq: number | string | null;
  ttl_seconds: number;
  tracking_data: string;
  content: MessageContent;
}

type Members = Record<string, unknown>;

/**
 * Reads `seq` for the response, even if the rest of the request is invalid. Returns null if it is missing or invalid.
 */
export function readSeq(body: unknown): number | string | null {
  const seq = isObject(body) ? body.seq : undefined;
  if (seq instanceof RawNumber) return seq.digits;
  return typeof seq === 'number' && Number.isSafeInteger(seq) ? seq : null;
}

export interface Lookups {
  findBusiness: (service_id: number) => Business | undefined;
  findTemplate: (template_id: string) => Template | undefined;
}

export function readRequest(body: unknown, lookups: Lookups): Accepted {
  if (!isObject(body)) throw new Refusal(status.bad_data, 'the body is not a JSON object');
  const business = typeof body.service_id === 'number' ? lookups.findBusiness(body.service_id) : undefined;
  if (!business) throw new Refusal(status.bad_service_id, `there is no service ${JSON.stringify(body.service_id)}`);
  if (!business.address_allowed) throw new Refusal(status.unauthorized_ip, 'the sender’s IP address is not allowed');
  if (business.blocked) throw new Refusal(status.service_blocked, 'the service is blocked');
  const type = typeof body.type === 'number' ? body.type : Number.NaN;
  const rule = messageTypes.get(type);
  if (!rule) throw new Refusal(status.bad_type, `type ${JSON.stringify(body.type)} is unknown`);
  if (typeof body.dest !== 'string' || !/^[1-9]\d{6,14}$/.test(body.dest)) {
    throw new Refusal(
      status.invalid_phone,
      'dest must be 7 to 15 digits in a string, with the country code and no plus',
    );
  }
  if (body.label !== 'transaction' && body.label !== 'promotion') {
    throw new Refusal(status.bad_label, 'label must be "transaction" or "promotion"');
  }
  // Our choice: the label must match the kind of the type. No rule is published for session types.
  const expected = rule.kind === 'promotional' ? 'promotion' : 'transaction';
  if (rule.kind !== 'session' && body.label !== expected) {
    throw new Refusal(status.bad_label, `type ${type} is ${rule.kind}: its label must be "${expected}"`);
  }
  const seq = readSeq(body);
  if (seq === null) throw new Refusal(status.bad_parameters, 'seq must be a whole number');
  if (body.tag !== undefined && typeof body.tag !== 'string') {
    throw new Refusal(status.bad_parameters, 'tag must be a string');
  }
  const message = rule.shape === 'template' ? (body.message ?? {}) : body.message;
  if (!isObject(message)) throw new Refusal(status.bad_parameters, 'message is missing');
  const accepted: Accepted = {
    service_id: business.service_id,
    to: body.dest,
    type,
    kind: rule.kind,
    label: body.label,
    tag: body.tag ?? '',
    seq,
    ttl_seconds: readTtl(body.ttl),
    tracking_data: readTracking(message, rule),
    content: readContent(body, message, rule, lookups),
  };
  if (rule.kind === 'promotional' && !business.promotional) {
    throw new Refusal(status.not_permitted, 'the service may not send promotional messages');
  }
  if (rule.kind === 'session' && !business.two_way) {
    throw new Refusal(status.not_permitted, 'the service is one-way: it has no sessions');
  }
  return accepted;
}

function readTtl(ttl: unknown): number {
  if (ttl === undefined) return limits.ttl.max;
  if (typeof ttl !== 'number' || !Number.isInteger(ttl) || ttl < limits.ttl.min || ttl > limits.ttl.max) {
    throw new Refusal(status.invalid_ttl, `ttl must be ${limits.ttl.min} to ${limits.ttl.max} seconds`);
  }
  return ttl;
}

function readTracking(message: Members, { tracking }: TypeRule): string {
  const data = message['#tracking_data'];
  if (data === undefined) {
    if (tracking === 'required') throw new Refusal(status.bad_parameters, '#tracking_data is missing');
    return '';
  }
  if (tracking === 'forbidden') throw new Refusal(status.bad_parameters, '#tracking_data is not allowed for this type');
  if (typeof data !== 'string' || data.length > limits.tracking) {
    throw new Refusal(
      status.bad_parameters,
      `#tracking_data must be a string of at most ${limits.tracking} characters`,
    );
  }
  return data;
}

function readContent(body: Members, message: Members, rule: TypeRule, lookups: Lookups): MessageContent {
  const { shape, required, optional } = rule;
  const allowed = [...required, ...optional];
  for (const name of Object.keys(message)) {
    if (name !== '#tracking_data' && !allowed.includes(name)) {
      throw new Refusal(status.bad_parameters, `${name} is not allowed for this type`);
    }
  }
  for (const name of required) if (message[name] === undefined) throw missing(name);
  if (message['#imageFormat'] !== undefined && message['#imageFormat'] !== 'gif') {
    throw new Refusal(status.bad_parameters, '#imageFormat can only be "gif"');
  }
  const has = (name: string) => allowed.includes(name);
  const filled: Filled | null = shape === 'template' ? readTemplate(body, lookups.findTemplate) : null;
  return {
    template: filled?.template ?? null,
    text: filled?.text ?? (has('#txt') ? readText(message) : ''),
    image: has('#img') ? readAddress(message, '#img', 'image') : '',
    button: has('#caption') ? readButton(message, required) : null,
    file: shape === 'file' ? readFile(body, message) : null,
    video: shape === 'video' ? readVideo(body, message, required) : null,
  };
}

function readText(message: Members): string {
  const text = message['#txt'];
  if (typeof text !== 'string' || text === '') throw missing('#txt');
  if (!text.isWellFormed() || text.includes('\0') || [...text].length > limits.text) {
    throw new Refusal(status.bad_data, `#txt must be text of at most ${limits.text} characters`);
  }
  return text;
}

/** The button on a type 232 video plays the video, so it has no URL of its own. */
function readButton(message: Members, required: readonly string[]): MessageContent['button'] {
  const caption = message['#caption'];
  const playsVideo = required.includes('#thumbnail') && !required.includes('#media');
  if (typeof caption !== 'string') throw new Refusal(status.bad_parameters, '#caption must be a string');
  if (caption === '' && message['#action'] === '') return null;
  if (caption === '') throw missing('#caption');
  // No status is published for captions that are too long.
  if ([...caption].length > limits.caption) {
    throw new Refusal(status.bad_parameters, `#caption must have at most ${limits.caption} characters`);
  }
  return { caption, url: playsVideo ? readAddress(message, '#action', 'video') : readAddress(message, '#action') };
}

function readFile(body: Members, message: Members): MessageContent['file'] {
  const name = message['#fileName'];
  if (typeof name !== 'string' || name === '') throw missing('#fileName');
  if ([...name].length > limits.file_name) {
    throw new Refusal(status.bad_file_name, `#fileName must have at most ${limits.file_name} characters`);
  }
  const type = body.file_type;
  if (typeof type !== 'string' || type === '') throw missing('file_type');
  if (!extensions.file.includes(type.toLowerCase())) {
    throw new Refusal(status.file_not_permitted, `file_type ${JSON.stringify(type)} is not permitted`);
  }
  return { url: readAddress(message, '#action'), name, type: type.toLowerCase() };
}

function readVideo(body: Members, message: Members, required: readonly string[]): MessageContent['video'] {
  const url = readAddress(message, required.includes('#media') ? '#media' : '#action', 'video');
  const thumbnail = message['#thumbnail'];
  if (typeof thumbnail !== 'string' || thumbnail === '') throw missing('#thumbnail');
  if (thumbnail.length > limits.thumbnail || !isAddress(thumbnail)) {
    throw new Refusal(status.bad_thumbnail, `#thumbnail must be an address of at most ${limits.thumbnail} characters`);
  }
  const { file_size: bytes, duration: seconds } = body;
  if (bytes === undefined || bytes === null) throw missing('file_size');
  if (seconds === undefined || seconds === null) throw missing('duration');
  if (typeof bytes !== 'number' || !Number.isInteger(bytes) || bytes < 1 || bytes > limits.video_bytes) {
    throw new Refusal(status.bad_file_size, `file_size must be 1 to ${limits.video_bytes} bytes`);
  }
  if (typeof seconds !== 'number' || !(seconds > 0) || seconds > limits.video_seconds) {
    throw new Refusal(status.bad_duration, `duration must be more than 0 and at most ${limits.video_seconds} seconds`);
  }
  return { url, thumbnail, bytes, seconds };
}

/** Also accepts plain HTTP, for servers on this machine. The real API requires HTTPS. */
function readAddress(message: Members, name: string, shape?: 'image' | 'video'): string {
  const address = message[name];
  if (typeof address !== 'string' || address === '') throw missing(name);
  if (address.length > limits.url || !isAddress(address)) {
    throw new Refusal(status.bad_parameters, `${name} must be a web address of at most ${limits.url} characters`);
  }
  if (shape && !extensions[shape].includes(fileExtension(address))) {
    throw new Refusal(status.file_not_permitted, `${name} must end in .${extensions[shape].join(', .')}`);
  }
  return address;
}

const missing = (name: string) => new Refusal(status.bad_parameters, `${name} is missing`);
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RawNumber);
const fileExtension = (address: string): string =>
  /\.([a-z0-9]+)$/i.exec(new URL(address).pathname)?.[1]?.toLowerCase() ?? '';

function isAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol);
}
