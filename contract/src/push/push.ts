/** Notifications on a user's devices, which also arrive while Parley is closed (web push). */
import { z } from 'zod';
import { TIME_OF_DAY, toMinutes } from '../accounts/quiet_hours.ts';
import { idParams, problem, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { INBOX_NEEDS } from '../inbox/needs.ts';

export const PUSH_DEVICES_MAX = 10;

const time = z.string().regex(TIME_OF_DAY, { error: problem('QUIET_HOURS_INVALID') });
const quietHours = z
  .object({ from: time, until: time })
  .refine(({ from, until }) => toMinutes(from) % 1440 !== toMinutes(until) % 1440, {
    error: problem('QUIET_HOURS_INVALID'),
  });

export const PushSettings = z.object({
  /** Inbound messages in conversations that the user may view. */
  new_messages: z.boolean(),
  /** Conversations that another user or a rule assigns to the user. */
  assignments: z.boolean(),
  /** Notes that mention the user. */
  mentions: z.boolean(),
  /** No notifications are sent in these hours, in the account's time zone. They can continue past midnight. */
  quiet_hours: quietHours.nullable(),
  /** The VAPID public key with which a browser subscribes. */
  public_key: z.string(),
});
export type PushSettings = z.output<typeof PushSettings>;

/** A browser that gets notifications. */
export const PushDevice = z.object({
  id: z.string(),
  /** The browser and the system, such as `Chrome on Windows`. */
  name: z.string(),
  /** True if the device was added in the caller's session. */
  current: z.boolean(),
  create_date: timestamp,
});
export type PushDevice = z.output<typeof PushDevice>;

export const getPushSettings = endpoint({
  id: 'push_settings.get',
  method: 'GET',
  path: '/v1/push_settings',
  summary: 'Get the caller’s notification settings',
  needs: INBOX_NEEDS,
  audience: 'session',
  output: PushSettings,
  problems: [],
});

export const updatePushSettings = endpoint({
  id: 'push_settings.update',
  method: 'PUT',
  path: '/v1/push_settings',
  summary: 'Change the caller’s notification settings. Omitted fields stay unchanged',
  needs: INBOX_NEEDS,
  audience: 'session',
  body: PushSettings.omit({ public_key: true }).partial(),
  output: PushSettings,
  problems: ['QUIET_HOURS_INVALID', 'VALUE_INVALID'],
});

export const listPushDevices = endpoint({
  id: 'push_devices.list',
  method: 'GET',
  path: '/v1/push_devices',
  summary: 'List the devices that get the caller’s notifications, newest first',
  needs: INBOX_NEEDS,
  audience: 'session',
  output: z.array(PushDevice),
  problems: [],
});

/** The bytes of a key in base64url. */
const key = (bytes: number) =>
  z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}={0,2}$`), {
    error: problem('PUSH_SUBSCRIPTION_INVALID'),
  });

export const createPushDevice = endpoint({
  id: 'push_devices.create',
  method: 'POST',
  path: '/v1/push_devices',
  summary: `Send notifications to a browser until the session ends. A user can have ${PUSH_DEVICES_MAX} devices`,
  needs: INBOX_NEEDS,
  audience: 'session',
  body: z.object({
    /** The browser's subscription. */
    endpoint: z
      .url({ error: problem('PUSH_SUBSCRIPTION_INVALID') })
      .max(1_000, { error: problem('PUSH_SUBSCRIPTION_INVALID') }),
    p256dh: key(65),
    auth: key(16),
  }),
  status: 201,
  output: PushDevice,
  problems: ['PUSH_SUBSCRIPTION_INVALID', 'PUSH_DEVICES_LIMIT_EXCEEDED', 'VALUE_INVALID'],
});

export const removePushDevice = endpoint({
  id: 'push_devices.remove',
  method: 'DELETE',
  path: '/v1/push_devices/{id}',
  summary: 'Stop notifications on a device',
  needs: INBOX_NEEDS,
  audience: 'session',
  params: idParams('PUSH_DEVICE_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['PUSH_DEVICE_NOT_FOUND'],
});

/** A user's notifications changed. */
export const pushChanged = event({
  id: 'push_device.changed',
  modules: ['push_devices', 'push_settings'],
  needs: INBOX_NEEDS,
  payload: z.object({ user_id: z.string() }),
  visible: ({ user_id }, viewer) => user_id === viewer.user_id,
});
