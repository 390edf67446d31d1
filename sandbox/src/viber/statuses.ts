/** The statuses in send_message responses. The HTTP status is always 200; the status in the body is the outcome. */

export const status = {
  ok: 0,
  internal: 1,
  bad_service_id: 2,
  bad_data: 3,
  bad_type: 5,
  bad_parameters: 6,
  timeout: 7,
  user_blocked: 8,
  not_viber_user: 9,
  no_suitable_device: 10,
  not_permitted: 13,
  bad_label: 18,
  invalid_ttl: 20,
  wait_for_user: 21,
  invalid_phone: 27,
  file_not_permitted: 28,
  bad_file_name: 29,
  bad_thumbnail: 30,
  bad_file_size: 31,
  bad_duration: 32,
  template_not_found: 38,
  template_invalid: 39,
  service_blocked: 43,
  unauthorized_ip: 401,
} as const;

const texts: Record<number, string> = {
  [status.ok]: 'accepted',
  [status.internal]: 'internal error',
  [status.bad_service_id]: 'unknown service id',
  [status.bad_data]: 'bad data',
  [status.bad_type]: 'bad message type',
  [status.bad_parameters]: 'bad parameters',
  [status.timeout]: 'timeout',
  [status.user_blocked]: 'blocked by the user',
  [status.not_viber_user]: 'not a Viber user',
  [status.no_suitable_device]: 'no suitable device',
  [status.not_permitted]: 'not permitted',
  [status.bad_label]: 'bad label',
  [status.invalid_ttl]: 'invalid TTL',
  [status.wait_for_user]: 'wait for the user',
  [status.invalid_phone]: 'invalid phone number',
  [status.file_not_permitted]: 'file not permitted',
  [status.bad_file_name]: 'bad file name',
  [status.bad_thumbnail]: 'bad thumbnail',
  [status.bad_file_size]: 'bad file size',
  [status.bad_duration]: 'bad duration',
  [status.template_not_found]: 'template not found',
  [status.template_invalid]: 'invalid template values',
  [status.service_blocked]: 'service blocked',
  [status.unauthorized_ip]: 'address not allowed',
};

export const statusText = (code: number): string => texts[code] ?? `status ${code}`;
export const isStatus = (code: number): boolean => code in texts && code !== status.ok;

/** The reason why a request was refused. The service gets only the status; the page shows the reason. */
export class Refusal extends Error {
  status: number;

  constructor(code: number, reason: string) {
    super(reason);
    this.status = code;
  }
}
