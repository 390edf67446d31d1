/** Examples for the presets in the formats that the providers publish. The numbers, IDs, and texts are ours. */
import type { SMS_PRESETS } from '@parley/contract/channels/sms/providers/presets.ts';
import { ACCOUNT, callback_url, KEY, type PresetExample } from './preset_example.ts';
import { MESSAGE } from './table.ts';

const BASIC = `Basic ${Buffer.from(`${ACCOUNT}:${KEY}`).toString('base64')}`;
const { from, to, text } = MESSAGE;
const UUID = '1d0c6f0a-52b1-4c59-9a63-6b7d2f1e8c40';
const HEX = 'b6aae1b5dfb2427a8f7ea6a717ba31a9';

export const PRESET_EXAMPLES: Record<keyof typeof SMS_PRESETS, PresetExample> = {
  messagebird: {
    sources: {
      request: 'https://developers.messagebird.com/api/sms-messaging/',
      refused: 'https://github.com/messagebird/messagebird-nodejs/blob/master/test/test.js',
      receipt: 'https://github.com/nyaruka/courier/blob/main/handlers/messagebird/handler_test.go',
      inbound: 'https://github.com/nyaruka/courier/blob/main/handlers/messagebird/handler_test.go',
    },
    key: ['authorization', `AccessKey ${KEY}`],
    fields: {
      ...{ originator: from, recipients: [to], body: text, datacoding: 'auto', validity: 3_600 },
      ...{ reference: '4711', reportUrl: callback_url },
    },
    accepted: [
      {
        ...{ id: HEX, href: `https://rest.messagebird.com/messages/${HEX}`, direction: 'mt', type: 'sms' },
        ...{ originator: from, body: text, reference: '4711', validity: 3_600, gateway: null, typeDetails: {} },
        ...{ datacoding: 'plain', mclass: 1, scheduledDatetime: null, createdDatetime: '2026-01-02T03:04:05+00:00' },
        recipients: {
          ...{ totalCount: 1, totalSentCount: 1, totalDeliveredCount: 0, totalDeliveryFailedCount: 0 },
          items: [{ recipient: Number(to), status: 'sent', statusDatetime: '2026-01-02T03:04:05+00:00' }],
        },
      },
      HEX,
    ],
    refused: [
      422,
      { errors: [{ code: 9, description: 'no (correct) recipients found', parameter: 'recipients' }] },
      'no (correct) recipients found',
    ],
    callbacks: 'form',
    receipts: 'query',
    receipt: [
      {
        ...{ id: HEX, reference: '4711', recipient: to, status: 'delivery_failed', statusErrorCode: '103' },
        ...{ statusDatetime: '2026-01-02T03:04:05+00:00', datacoding: 'plain', mccmnc: '23415', ported: '0' },
        ...{ messageLength: '19', messagePartCount: '1', 'price[amount]': '0.000', 'price[currency]': 'USD' },
      },
      { external_id: HEX, status: 'failed', number: to },
    ],
    inbound: [
      {
        ...{ id: HEX, recipient: from, originator: to, body: 'Yes 👍', reference: '1', mms: 'false' },
        ...{ date: '1767323045', date_utc: '1767323045', receive_datetime: '2026-01-02T03:04:05+00:00' },
      },
      { external_id: HEX, from: to, to: from, text: 'Yes 👍' },
    ],
  },
  africastalking: {
    sources: {
      request: 'https://developers.africastalking.com/docs/sms/sending/bulk',
      refused: 'https://developers.africastalking.com/docs/sms/sending/bulk',
      receipt: 'http://docs.africastalking.com/sms/notifications',
      inbound: 'https://github.com/nyaruka/courier/blob/main/handlers/africastalking/handler_test.go',
    },
    key: ['apikey', KEY],
    fields: { username: ACCOUNT, to: `+${to}`, from: `+${from}`, message: text },
    accepted: [
      {
        SMSMessageData: {
          Message: 'Sent to 1/1 Total Cost: KES 0.8000',
          Recipients: [
            { statusCode: 101, number: `+${to}`, status: 'Success', cost: 'KES 0.8000', messageId: 'ATXid_4711' },
          ],
        },
      },
      'ATXid_4711',
    ],
    refused: [
      201,
      {
        SMSMessageData: {
          Message: 'Sent to 0/1 Total Cost: 0',
          Recipients: [
            { statusCode: 403, number: `+${to}`, status: 'InvalidPhoneNumber', cost: '0', messageId: 'None' },
          ],
        },
      },
      'InvalidPhoneNumber',
    ],
    callbacks: 'form',
    receipt: [
      { id: 'ATXid_4711', status: 'Success', phoneNumber: `+${to}`, networkCode: '63902', retryCount: '0' },
      { external_id: 'ATXid_4711', status: 'delivered', number: to },
    ],
    inbound: [
      { linkId: '0309', text: 'Yes', to: '21512', id: UUID, date: '2026-01-02T03:04:05Z', from: `+${to}` },
      { external_id: UUID, from: to, to: '21512', text: 'Yes' },
    ],
  },
  seven: {
    sources: {
      request: 'https://docs.seven.io/en/rest-api/endpoints/sms',
      refused: 'https://docs.seven.io/en/rest-api/endpoints/sms',
      receipt: 'https://github.com/seven-io/js-client/blob/main/docs/types/SmsStatusChangePayload.html',
      inbound: 'https://github.com/seven-io/js-client/blob/main/docs/types/InboundSmsPayload.html',
    },
    key: ['x-api-key', KEY],
    fields: { to, from, text, foreign_id: '4711' },
    accepted: [
      {
        ...{ success: '100', total_price: 0.075, balance: 12.5, debug: 'false', sms_type: 'direct' },
        messages: [
          {
            ...{ id: '77200004711', sender: from, recipient: to, text, encoding: 'gsm', label: null, parts: 1 },
            ...{ udh: null, is_binary: false, price: 0.075, success: true, error: null, error_text: null },
          },
        ],
      },
      '77200004711',
    ],
    refused: [
      200,
      {
        ...{ success: '101', total_price: 0, balance: 12.5, debug: 'false', sms_type: 'direct' },
        messages: [
          {
            ...{ id: null, sender: from, recipient: to, text, encoding: 'gsm', parts: 1, price: 0 },
            ...{ success: false, error: '202', error_text: 'The recipient number is invalid' },
          },
        ],
      },
      'The recipient number is invalid',
    ],
    callbacks: 'json',
    receipt: [
      {
        ...{ webhook_event: 'dlr', webhook_timestamp: '2026-01-02 03:04:06' },
        data: { msg_id: '77200004711', status: 'NOTDELIVERED', timestamp: '2026-01-02 03:04:05' },
      },
      { external_id: '77200004711', status: 'failed' },
    ],
    inbound: [
      {
        ...{ webhook_event: 'sms_mo', webhook_timestamp: '2026-01-02 03:04:06' },
        data: { id: '4712', message_type: 'SMS', sender: to, system: from, text: 'Yes', time: '1767323045' },
      },
      { external_id: '4712', from: to, to: from, text: 'Yes' },
    ],
  },
  telesign: {
    sources: {
      request: 'https://developer.telesign.com/enterprise/reference/sendsms',
      refused: 'https://developer.telesign.com/enterprise/reference/sendsms',
      receipt: 'https://developer.telesign.com/enterprise/reference/smsdeliveryreports',
      inbound: 'https://developer.telesign.com/enterprise/docs/inbound-sms-get-started',
    },
    key: ['authorization', BASIC],
    fields: {
      ...{ phone_number: to, sender_id: from, message: text, message_type: 'ARN' },
      ...{ external_id: '4711', callback_url },
    },
    accepted: [
      {
        ...{ reference_id: HEX.toUpperCase(), external_id: '4711' },
        status: { code: 290, description: 'Message in progress', updated_on: '2026-01-02T03:04:05.709526Z' },
      },
      HEX.toUpperCase(),
    ],
    refused: [
      400,
      {
        ...{ reference_id: HEX.toUpperCase(), external_id: '4711' },
        status: {
          ...{ code: 11_000, description: 'Invalid value for parameter phone_number.' },
          updated_on: '2026-01-02T03:04:05.709526Z',
        },
      },
      'Invalid value for parameter phone_number.',
    ],
    callbacks: 'json',
    receipt: [
      {
        ...{ reference_id: HEX.toUpperCase(), external_id: '4711', submit_timestamp: '2026-01-02T03:04:04.010101Z' },
        status: { code: 200, description: 'Delivered to handset', updated_on: '2026-01-02T03:04:05.181346Z' },
        additional_info: { mcc: '234', mnc: '15', price: '0.01', currency: 'USD', message_parts_count: 1 },
      },
      { external_id: HEX.toUpperCase(), status: 'delivered' },
    ],
    inbound: [
      {
        ...{ reference_id: HEX.toUpperCase(), sub_resource: 'mo_sms', errors: [] },
        status: { code: 1_500, description: 'Delivered to customer', updated_on: '2026-01-02T03:04:05.787464Z' },
        submit_timestamp: '2026-01-02T03:04:05.778000Z',
        user_response: { phone_number: to, sender_id: from, mo_message: 'Yes' },
      },
      { external_id: HEX.toUpperCase(), from: to, to: from, text: 'Yes' },
    ],
  },
  elks46: {
    sources: {
      request: 'https://46elks.com/docs/send-sms',
      refused: null,
      receipt: 'https://46elks.se/docs/sms-delivery-reports',
      inbound: 'https://www.46elks.se/docs/receive-sms',
    },
    key: ['authorization', BASIC],
    fields: { from: `+${from}`, to: `+${to}`, message: text, whendelivered: `${callback_url}&to=${to}` },
    accepted: [
      {
        ...{ status: 'created', direction: 'outgoing', from: `+${from}`, to: `+${to}`, message: text },
        ...{ created: '2026-01-02T03:04:05.741000', parts: 1, cost: 3_500, id: `s${HEX}` },
      },
      `s${HEX}`,
    ],
    refused: null,
    callbacks: 'form',
    receipt: [
      { id: `s${HEX}`, status: 'delivered', delivered: '2026-01-02T03:04:05.741000' },
      { external_id: `s${HEX}`, status: 'delivered', number: to },
    ],
    inbound: [
      {
        ...{ direction: 'incoming', id: `s${HEX}`, from: `+${to}`, to: `+${from}`, message: 'Yes' },
        created: '2026-01-02T03:04:05.741000',
      },
      { external_id: `s${HEX}`, from: to, to: from, text: 'Yes' },
    ],
  },
  gatewayapi: {
    sources: {
      request: 'https://gatewayapi.com/docs/apis/rest/',
      refused: 'https://gatewayapi.com/docs/apis/rest/',
      receipt: 'https://gatewayapi.com/docs/apis/rest/',
      inbound: 'https://gatewayapi.com/docs/apis/rest/',
    },
    key: ['authorization', `Token ${KEY}`],
    fields: {
      ...{ sender: from, message: text, recipients: [{ msisdn: Number(to) }], validity_period: 3_600 },
      ...{ userref: '4711', callback_url },
    },
    accepted: [{ ids: [421_000_471], usage: { countries: { GB: 1 }, currency: 'DKK', total_cost: 0.12 } }, '421000471'],
    // The code and the variables are left out if they are empty.
    refused: [422, { incident_uuid: UUID, message: 'The request is not valid' }, 'The request is not valid'],
    callbacks: 'json',
    receipt: [
      { id: 421_000_471, msisdn: Number(to), time: 1_767_323_045, status: 'DELIVERED', userref: '4711' },
      { external_id: '421000471', status: 'delivered', number: to },
    ],
    inbound: [
      {
        ...{ id: 421_000_472, msisdn: Number(to), receiver: 451_204, message: 'parley Yes' },
        ...{ senttime: 1_767_323_045, webhook_label: 'parley' },
      },
      { external_id: '421000472', from: to, to: '451204', text: 'parley Yes' },
    ],
  },
  wavecell: {
    sources: {
      request: 'https://developer.8x8.com/connect/reference/send-sms-api-reference',
      refused: 'https://developer.8x8.com/connect/reference/api-error-codes',
      receipt: 'https://developer.8x8.com/connect/reference/delivery-receipts-for-outbound-sms',
      inbound: 'https://developer.8x8.com/connect/reference/inbound-sms',
    },
    key: ['authorization', `Bearer ${KEY}`],
    fields: {
      ...{ source: from, destination: `+${to}`, text, encoding: 'AUTO' },
      ...{ clientMessageId: '4711', dlrCallbackUrl: callback_url },
    },
    accepted: [
      {
        ...{ umid: UUID, clientMessageId: '4711', destination: `+${to}`, encoding: 'GSM7' },
        status: { state: 'queued', timestamp: '2026-01-02T03:04:05.00Z' },
      },
      UUID,
    ],
    refused: [
      400,
      {
        ...{ code: 1002, message: 'Invalid MSISDN format', errorId: UUID },
        timestamp: '2026-01-02T03:04:05.85Z',
      },
      'Invalid MSISDN format',
    ],
    callbacks: 'json',
    receipt: [
      {
        ...{ namespace: 'SMS', eventType: 'outbound_message_status_changed', description: 'Delivery receipt' },
        payload: {
          ...{ umid: UUID, batchId: null, clientMessageId: '4711', subAccountId: ACCOUNT, smsCount: 1 },
          ...{ source: from, destination: `+${to}` },
          status: {
            ...{ state: 'undelivered', detail: 'rejected_by_operator', timestamp: '2026-01-02T03:04:05.00Z' },
            ...{ errorCode: 15, errorMessage: 'Invalid destination' },
          },
        },
      },
      { external_id: UUID, status: 'failed', number: to, sender: from },
    ],
    inbound: [
      {
        ...{ namespace: 'SMS', eventType: 'inbound_message_received', description: 'Inbound SMS' },
        payload: {
          ...{ umid: UUID, subAccountId: ACCOUNT, timestamp: '2026-01-02T03:04:05.017Z', source: `+${to}` },
          ...{ destination: `+${from}`, body: 'Yes', encoding: 'GSM7', smsCount: 1 },
        },
      },
      { external_id: UUID, from: to, to: from, text: 'Yes' },
    ],
  },
  d7: {
    sources: {
      request: 'https://d7networks.com/docs/Messages/Send_Message/',
      refused: 'https://d7networks.com/docs/Messages/Send_Message/',
      receipt: 'https://d7networks.com/docs/Messages/Receive_SMS_Postback/',
      inbound: null,
    },
    key: ['authorization', `Bearer ${KEY}`],
    fields: {
      messages: [{ channel: 'sms', recipients: [`+${to}`], content: text, data_coding: 'auto' }],
      message_globals: { originator: from, report_url: callback_url },
    },
    accepted: [{ request_id: UUID, status: 'accepted', created_at: '2026-01-02T03:04:05.393Z' }, UUID],
    refused: [
      422,
      { detail: [{ loc: ['body', 'messages'], msg: 'The value is not valid', type: 'value_error' }] },
      'The value is not valid',
    ],
    callbacks: 'json',
    receipt: [
      { request_id: UUID, msg_id: UUID, recipient: `+${to}`, originator: from, status: 'undelivered' },
      { external_id: UUID, status: 'failed', number: to, sender: from },
    ],
    inbound: null,
  },
  brevo: {
    sources: {
      request: 'https://developers.brevo.com/reference/sendtransacsms',
      refused: 'https://developers.brevo.com/reference/sendtransacsms',
      receipt: 'https://developers.brevo.com/docs/transactional-webhooks',
      inbound: null,
    },
    key: ['api-key', KEY],
    fields: {
      ...{ sender: from, recipient: to, content: text, type: 'transactional', unicodeEnabled: true },
      ...{ tag: '4711', webUrl: callback_url },
    },
    accepted: [
      {
        ...{ reference: 'ab1cde2fgh3i4jklmno', messageId: 1_511_882_900_176_220, smsCount: 2 },
        ...{ usedCredits: 0.7, remainingCredits: 82.85 },
      },
      '1511882900176220',
    ],
    refused: [400, { code: 'invalid_parameter', message: 'The number is not valid' }, 'The number is not valid'],
    callbacks: 'json',
    receipt: [
      {
        // `id` is the ID of the webhook, and not of the message.
        ...{ id: 26_570, to, sms_count: 1, credits_used: 1.5, messageId: 1_511_882_900_176_220 },
        ...{ remaining_credit: 82.85, msg_status: 'hard_bounce', date: '2026-01-02 03:04:05' },
        ...{ type: 'Transactional', reference: 'ab1cde2fgh3i4jklmno' },
      },
      { external_id: '1511882900176220', status: 'failed', number: to },
    ],
    inbound: null,
  },
  signalwire: {
    sources: {
      request: 'https://developer.signalwire.com/compatibility-api/client-sdks/methods/messaging',
      refused: null,
      receipt: 'https://signalwire.com/docs/compatibility-api/rest/messages/webhooks/sms-status-callback',
      inbound: 'https://developer.signalwire.com/compatibility-api/xml/messaging',
    },
    key: ['authorization', BASIC],
    fields: { From: `+${from}`, To: `+${to}`, Body: text, StatusCallback: callback_url },
    accepted: [
      {
        ...{ account_sid: ACCOUNT, api_version: '2010-04-01', body: text, num_segments: 1, num_media: 0 },
        ...{ date_created: 'Fri, 02 Jan 2026 03:04:05 +0000', date_sent: null, direction: 'outbound-api' },
        ...{ error_code: null, error_message: null, from: `+${from}`, to: `+${to}`, sid: UUID, status: 'queued' },
      },
      UUID,
    ],
    refused: null,
    callbacks: 'form',
    receipt: [
      {
        ...{ MessageSid: UUID, MessageStatus: 'undelivered', AccountSid: ACCOUNT, From: `+${from}`, To: `+${to}` },
        ...{ Body: text, NumMedia: '0', NumSegments: '1', ErrorCode: '30003' },
      },
      { external_id: UUID, status: 'failed', number: to, sender: from },
    ],
    inbound: [
      { MessageSid: UUID, AccountSid: ACCOUNT, From: `+${to}`, To: `+${from}`, Body: 'Yes', NumMedia: '0' },
      { external_id: UUID, from: to, to: from, text: 'Yes' },
    ],
  },
};
