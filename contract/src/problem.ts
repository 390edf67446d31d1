/**
 * The catalogue of everything that can be refused: code -> HTTP status, the words a person reads, and the field it belongs to.
 * A code is stable for ever; clients switch on it. Wire form: `{"errors":[{timestamp, path, method, status, code, message, field?}]}`.
 */
type Row = readonly [status: number, message: string, field?: string];

export const CATALOGUE = {
  // Requests in general
  1001: [
    500,
    'The request could not be completed. Nothing was changed. Try again, and quote the request id if it happens again',
  ],
  1004: [404, 'There is nothing at this address'],
  1005: [400, 'The request is not valid JSON'],
  1006: [405, 'This method is not allowed here'],
  1007: [400, 'Request data is missing: send the fields inside "data"'],
  1008: [413, 'The request is too large'],
  1009: [415, 'This content type is not supported'],
  1010: [409, 'A request with this Idempotency-Key is still being processed'],
  1011: [422, 'This Idempotency-Key was used with a different request'],
  1012: [400, 'Idempotency-Key must have 1 to 255 printable characters'],
  1013: [503, 'The service is starting or stopping, try again shortly'],
  1014: [410, 'The stream position is too old: load everything again'],
  1705: [400, 'Invalid or missing value'],
  // Accounts and sign-in
  1002: [403, 'The account cannot be created, please contact support'],
  1101: [401, 'Sign in again: the token is missing, invalid or expired'],
  1102: [404, 'Account not found'],
  1103: [400, 'Account data is required'],
  1104: [400, 'Username is required', 'username'],
  1105: [400, 'Password is required', 'password'],
  1106: [400, 'Currency must be USD or EUR', 'currency'],
  1107: [400, 'Currency cannot be changed', 'currency'],
  1108: [409, 'This username is already taken', 'username'],
  1109: [400, 'E-mail is required', 'email'],
  1110: [404, 'Verification code not found', 'code'],
  1111: [400, 'First name is required', 'first_name'],
  1112: [400, 'Last name is required', 'last_name'],
  1113: [400, 'E-mail is not valid', 'email'],
  1114: [400, 'The new password must have at least 8 characters with one digit and one uppercase letter', 'password'],
  1115: [400, 'Choose another password: this one is among those that are tried first', 'password'],
  1116: [400, 'The new password must differ from the current one', 'password'],
  1117: [400, 'Permissions are not valid', 'permissions'],
  1120: [401, 'Wrong email or password'],
  1121: [429, 'Sign-in is temporarily blocked after too many failed attempts. Try again in a few minutes'],
  1125: [400, 'The verification code is not valid', 'code'],
  1126: [400, 'The current password is incorrect', 'current_password'],
  1127: [404, 'This sign-in provider is not set up', 'provider'],
  1128: [409, 'This sign-in is already connected to another user', 'provider'],
  1129: [409, 'An account with this company name exists', 'company_name'],
  1130: [404, 'User not found'],
  1131: [404, 'Invitation not found'],
  1132: [409, 'This invitation is no longer open'],
  1133: [409, 'A user with this phone number exists', 'phone_number'],
  1134: [409, 'This person already belongs to the company', 'email'],
  1135: [403, 'Your user is temporarily blocked, please contact the support address for more information'],
  1136: [403, 'You do not have the permission for this'],
  1137: [403, 'The account cannot be created, please contact support'],
  1138: [403, 'This is for operators only'],
  1140: [410, 'This link or code has been used or has expired. Ask for a new one'],
  1141: [403, 'Verify your phone number first'],
  1142: [403, 'The free trial has ended. Add funds to go on'],
  1143: [403, 'This cannot be done in an impersonated session'],
  1144: [403, 'Set up a second factor first: your account requires it'],
  1145: [403, 'This account is closed'],
  1146: [429, 'Too many codes were requested. Try again later'],
  1147: [400, 'The code is not valid or was used before', 'code'],
  1148: [409, 'A second factor is already set up'],
  1149: [404, 'Passkey not found'],
  1150: [400, 'The passkey could not be verified'],
  1151: [404, 'Session not found'],
  1152: [403, 'Session is no valid anymore'],
  1153: [404, 'Sub-account not found'],
  1154: [409, 'The verification form cannot be submitted in the present state'],
  1155: [404, 'Review not found'],
  1156: [409, 'This has been decided already'],
  1157: [400, 'A reason is required', 'reason'],
  1158: [403, 'You cannot give permissions that you do not have yourself', 'permissions'],
  1159: [409, 'The owner cannot be changed, blocked or deleted'],
  1160: [409, 'You cannot do this to your own user'],
  1161: [424, 'The sign-in provider cannot be reached. Try again, or sign in in another way', 'provider'],
  1162: [400, 'This time zone is not known', 'timezone'],
  1163: [409, 'The account still has money or messages on their way'],
  1164: [409, 'This is the only way to sign in that is left: set a password first'],
  1165: [400, 'The company name does not match', 'company_name'],
  1166: [400, 'The country is not known', 'country_code'],
  1167: [409, 'A code was sent a moment ago. Wait before you ask for another one'],
  1801: [429, 'Phone verification failed, try again later', 'phone_number'],
  1802: [409, 'Another profile has this phone number', 'phone_number'],
  // Audiences and contacts
  1301: [404, 'Audience not found', 'audience'],
  1302: [400, 'Audience id is not valid', 'audience'],
  1303: [400, 'Audience name is required', 'name'],
  1304: [
    400,
    'Choose another name: only letters, digits, spaces, - and _ are allowed, and not the form "audience-N"',
    'name',
  ],
  1305: [400, 'Audience name can have at most 45 characters', 'name'],
  1306: [400, 'Channel is required', 'channel'],
  1307: [400, 'Channel is not valid', 'channel'],
  1308: [400, 'At most 1,000 contacts can be sent in one call', 'contacts'],
  1309: [409, 'An audience with this name exists', 'name'],
  1310: [400, 'Limit Exceed', 'file'],
  1311: [400, 'The file has no Number column. Choose which column holds the phone numbers', 'file'],
  1312: [400, 'The columns of the file could not be told apart. Use a comma, semicolon, tab or | between them', 'file'],
  1314: [400, 'The file has too many columns', 'file'],
  1315: [400, 'The file has more than 100,000 rows', 'file'],
  1316: [400, 'The file could not be read as CSV or XLSX', 'file'],
  1317: [404, 'Import not found'],
  1318: [409, 'The import cannot be changed in its present state'],
  1319: [409, 'The audience is in use by a running campaign or import'],
  1351: [404, 'Contact not found', 'contact'],
  1352: [400, 'Contact id is not valid', 'contact'],
  1353: [400, 'Number is required', 'number'],
  1354: [400, 'This is not a valid phone number', 'number'],
  1355: [400, 'Number can have at most 45 characters', 'number'],
  1359: [400, 'At most 10 tags are allowed', 'tags'],
  1360: [409, 'This number is already in the audience', 'number'],
  1361: [400, 'First name can have at most 32 characters', 'first_name'],
  1362: [400, 'Last name can have at most 32 characters', 'last_name'],
  1363: [400, 'Custom 1 can have at most 32 characters', 'custom1'],
  1364: [400, 'Custom 2 can have at most 70 characters', 'custom2'],
  7912: [400, 'The file contains wrong data', 'file'],
  // Stop list
  1003: [409, 'This contact is already blocked for the sender', 'number'],
  1370: [404, 'Stop list entry not found'],
  // Templates
  1241: [400, 'Choose the WhatsApp sender of the template', 'wa_sender_code'],
  1251: [404, 'Template not found', 'template'],
  1253: [400, 'Template data is required'],
  1254: [400, 'Text is required', 'text'],
  1255: [400, 'Text is not valid', 'text'],
  1256: [400, 'Channel is required', 'channel'],
  1257: [400, 'Channel is not valid', 'channel'],
  1258: [409, 'A template with this name exists', 'name'],
  1259: [400, 'Template name is not valid', 'name'],
  1260: [400, 'Text can have at most 1,000 characters', 'text'],
  1261: [400, 'Template name is required', 'name'],
  1262: [400, 'Name can have at most 45 characters', 'name'],
  1263: [400, 'Template name can have at most 45 characters', 'name'],
  1264: [400, 'A link or an uploaded file is required', 'url'],
  1265: [400, 'The link can have at most 2,083 characters', 'url'],
  1266: [400, 'The link is not valid', 'url'],
  1267: [400, 'File name is required', 'filename'],
  1268: [400, 'File name can have at most 25 characters', 'filename'],
  1269: [400, 'Only letters, numbers, and (_) are allowed', 'filename'],
  1272: [400, 'Button text is required', 'button_text'],
  1273: [400, 'Button value is not valid for its type', 'button_value'],
  1274: [400, 'Button text can have at most 20 characters', 'button_text'],
  1275: [400, 'WhatsApp images must be JPG or PNG of at most 5 MB', 'url'],
  1276: [400, 'WhatsApp videos must be MP4 or 3GP of at most 16 MB', 'url'],
  1277: [400, 'WhatsApp documents must be PDF of at most 100 MB', 'url'],
  1278: [400, 'This image type or size is not allowed on Viber', 'url'],
  1279: [400, 'This video type or size is not allowed on Viber', 'url'],
  1280: [400, 'This file type or size is not allowed on Viber', 'url'],
  1281: [409, 'The template is under review and cannot be changed until it is decided'],
  1282: [409, 'The template is used by a campaign that has not ended'],
  1283: [409, 'The template has been decided already'],
  // Senders
  1402: [404, 'Sender not found', 'sender'],
  1403: [400, 'Sender data is required'],
  1404: [400, 'Sender name is required', 'name'],
  1405: [400, 'Invalid sender ID', 'name'],
  1406: [400, 'Sender name is too long', 'name'],
  1407: [400, 'Sender code is not valid', 'code'],
  1408: [400, 'Sender code is too long', 'code'],
  1409: [400, 'Sender code is required', 'code'],
  1410: [400, 'Country is required', 'country'],
  1411: [400, 'Number type is not valid', 'type'],
  1412: [400, 'Country code is not valid', 'country'],
  1414: [400, 'Channel is not valid', 'channel'],
  1439: [400, 'Status is not valid', 'status'],
  1440: [409, 'This sender ID is already ordered', 'code'],
  1441: [409, 'A sender with this name exists on the channel', 'name'],
  1443: [400, 'Invalid phone number', 'phone_number'],
  1445: [400, 'Business name is not valid', 'business_name'],
  1446: [409, 'This business name is already registered', 'business_name'],
  1447: [400, 'Business name in English is not valid', 'business_name_en'],
  1448: [400, 'Business address is not valid', 'business_address'],
  1449: [400, 'Business description is not valid', 'business_description'],
  1450: [400, 'Business website is not valid', 'business_website'],
  1451: [400, 'Business phone is not valid', 'business_phone'],
  1452: [400, 'Business country is not valid', 'business_country'],
  1453: [400, 'Choose at least one targeted country', 'targeted_countries'],
  1454: [400, 'Business e-mail is not valid', 'business_email'],
  1455: [400, 'Business industry is not valid', 'business_industry'],
  1456: [400, 'Business locations are not valid', 'business_locations'],
  1457: [400, 'Parent company name is not valid', 'parent_name'],
  1458: [400, 'Business name is required', 'business_name'],
  1459: [400, 'Business name in English is required', 'business_name_en'],
  1460: [400, 'Business address is required', 'business_address'],
  1461: [400, 'Business description is required', 'business_description'],
  1462: [400, 'Business website is required', 'business_website'],
  1463: [400, 'Business phone is required', 'business_phone'],
  1464: [400, 'Business e-mail is required', 'business_email'],
  1470: [409, 'This number has just been taken by somebody else', 'code'],
  1471: [400, 'Carriers of this country do not allow this kind of sender', 'countries'],
  1472: [409, 'The sender cannot be changed in its present state'],
  1473: [400, 'The file must be a PDF, JPG or PNG', 'file'],
  1474: [409, 'At most 10 files can be attached', 'file'],
  1475: [404, 'File not found', 'file'],
  1476: [400, 'The request would be rejected as it is: mend what the check has found'],
  1477: [404, 'Request not found'],
  1478: [404, 'Number not found', 'number'],
  1479: [409, 'The number cannot be changed in its present state', 'number'],
  1480: [400, 'There is no price for this kind of number yet', 'prices'],
  1481: [404, 'Blocked contact not found'],
  1482: [400, 'Choose a connection of this channel', 'connection_id'],
  1483: [409, 'The carrier refused the sender', 'carrier_address'],
  1484: [400, 'The service id is required', 'carrier_address'],
  1485: [409, 'Another sender has this address at the carrier', 'carrier_address'],
  1486: [503, 'The carrier could not be asked. Try again in a moment', 'carrier_address'],
  // Messages
  1501: [404, 'Message not found'],
  1502: [400, 'Message id is not valid'],
  1503: [400, 'Sender is required', 'from'],
  1504: [400, 'The sender is not one of your approved senders', 'from'],
  1505: [404, 'Sender not found', 'from'],
  1506: [400, 'Recipient is required', 'to'],
  1507: [400, 'At most 10 recipients are allowed', 'to'],
  1508: [400, 'Text is required', 'text'],
  1509: [400, 'Text is not valid', 'text'],
  1510: [400, 'Text can have at most 1,000 characters', 'text'],
  1512: [400, 'Template id is not valid', 'template'],
  1513: [404, 'Template not found', 'template'],
  1514: [400, 'Variables of the template are missing', 'variables'],
  1515: [400, 'Channel is not valid', 'channel'],
  1516: [400, 'An image cannot be sent this way on WhatsApp', 'type'],
  1517: [400, 'A button cannot be sent this way on WhatsApp', 'button'],
  1518: [400, 'SMS cannot carry an image', 'type'],
  1519: [400, 'SMS cannot carry a button', 'button'],
  1520: [400, 'A Viber message with image and text needs a button', 'button'],
  1522: [400, 'The schedule must be in the future', 'schedule'],
  1523: [400, 'One or more recipient numbers are not valid', 'to'],
  1524: [403, 'Your account is not activated yet'],
  1525: [403, 'The limit of test messages is reached'],
  1526: [400, 'A variable can have at most 70 characters', 'variables'],
  1527: [400, 'Payload can have at most 500 characters', 'payload'],
  1528: [409, 'The message is already on its way and cannot be canceled'],
  1529: [
    403,
    'During the free trial, you can only send messages to the personal phone number you used to register your free trial account.',
    'to',
  ],
  1530: [403, 'This number is blocked and cannot receive messages', 'to'],
  1531: [403, 'Messages to this country are blocked', 'to'],
  1532: [400, 'A link is required for an image or video', 'url'],
  1533: [400, 'A link and a file name are required for a document', 'url'],
  1534: [400, 'Type is required', 'type'],
  1535: [400, 'The opt-out link could not be made', 'text'],
  1536: [400, 'The Viber template is not approved', 'template'],
  1537: [400, 'Data of the Viber template is missing', 'template'],
  1538: [400, 'The Viber template has no provider id', 'template'],
  1539: [400, 'A template is required for a transactional message', 'template'],
  1540: [400, 'This is not a Viber one-time-password template', 'template'],
  1541: [400, 'A one-time-password template needs a code', 'variables'],
  1542: [400, 'The language of the Viber template is missing', 'template'],
  1543: [400, 'There is no route to this destination', 'to'],
  1544: [400, 'There is no price for this destination', 'to'],
  1545: [400, 'Validity must be between 30 seconds and 72 hours', 'validity_seconds'],
  1546: [400, 'The message is longer than 10 parts', 'text'],
  1547: [409, 'The conversation is closed: until this person writes, only templates can be sent', 'type'],
  1548: [400, 'This kind of message cannot be sent on this channel', 'type'],
  1549: [409, 'The template is not approved, or is resting', 'template'],
  1550: [400, 'This channel does not allow so many buttons, or this kind', 'button'],
  1568: [400, 'Variables cannot be null for this template', 'variables'],
  // Campaigns
  1601: [404, 'Campaign not found'],
  1602: [400, 'Campaign id is not valid'],
  1603: [400, 'Sender is required', 'from'],
  1604: [400, 'The sender is not one of your approved senders', 'from'],
  1605: [400, 'Audience is required', 'audience'],
  1606: [400, 'Audience is not valid', 'audience'],
  1607: [400, 'Template or text is required', 'text'],
  1608: [400, 'Template is not valid', 'template'],
  1609: [400, 'Schedule is not valid', 'schedule'],
  1610: [409, 'A campaign with this name exists', 'name'],
  1611: [409, 'The status of the campaign cannot be changed this way', 'status'],
  1612: [409, 'The campaign cannot be deleted while it is running'],
  1613: [400, 'The audience and the template do not match', 'audience'],
  1614: [409, 'The campaign can only be changed while it is a draft or scheduled'],
  1615: [400, 'The text uses a variable that does not exist', 'text'],
  1616: [400, 'The template is of another channel', 'template'],
  1617: [400, 'The audience is of another channel', 'audience'],
  1618: [400, 'The audience has nobody who can receive this campaign', 'audience'],
  1625: [403, 'The sender is blocked', 'from'],
  // Verifications (one-time passwords)
  1619: [400, 'E-mail is missing', 'email'],
  1620: [400, 'Sender is missing', 'sender'],
  1621: [400, 'Phone is missing', 'phone'],
  1622: [400, 'Template is missing', 'template'],
  1623: [400, 'Code length must be 4 to 8', 'code_length'],
  1624: [400, 'The template has no {code}', 'template'],
  1628: [400, 'The template is of another channel', 'template'],
  1629: [400, 'Give either code or code_length', 'code'],
  1631: [400, 'The code must have 4 to 8 digits', 'code'],
  1632: [400, 'The code must be numeric', 'code'],
  1634: [400, 'Fallback needs 1 to 5 entries', 'fallback'],
  1635: [400, 'A template is required for this channel', 'template'],
  1636: [400, 'A fallback equals the main channel', 'fallback'],
  1637: [400, 'A fallback is repeated', 'fallback'],
  1638: [400, 'The fallback threshold must be 120 to 300 seconds', 'fallback'],
  1639: [400, 'A fallback sender is missing', 'fallback'],
  1640: [400, 'The time to live must be a number', 'ttl_in_seconds'],
  1641: [400, 'A time to live is not supported for voice', 'ttl_in_seconds'],
  1642: [400, 'A time to live is not supported for SMS', 'ttl_in_seconds'],
  1643: [400, 'A time to live is not supported for WhatsApp', 'ttl_in_seconds'],
  1644: [400, 'The time to live must be at least 30 seconds on Viber', 'ttl_in_seconds'],
  1645: [400, 'The time to live must be at most 60 seconds on Viber', 'ttl_in_seconds'],
  1646: [400, 'A time to live is supported for Viber, Telegram and e-mail only', 'ttl_in_seconds'],
  1647: [400, 'The time to live must be at least 60 seconds on Telegram', 'ttl_in_seconds'],
  1648: [400, 'The phone must be in international format', 'phone'],
  1649: [400, 'The time to live must be at most 86,400 seconds on Telegram', 'ttl_in_seconds'],
  // Conversations
  1651: [404, 'Conversation not found'],
  1652: [400, 'Conversation id is not valid'],
  1653: [403, 'This conversation is not open to you'],
  // Webhooks
  1201: [404, 'Webhook not found'],
  1203: [400, 'Webhook data is required'],
  1204: [400, 'URL is required', 'url'],
  1205: [400, 'Secret is required', 'secret'],
  1206: [400, 'Event is required', 'event'],
  1207: [400, 'Event must be MESSAGE or DELIVERY', 'event'],
  1208: [400, 'URL is too long', 'url'],
  1209: [400, 'The domain of the URL is not allowed', 'url'],
  1210: [409, 'There is already a webhook for this event', 'event'],
  // Keys
  1221: [404, 'API key not found'],
  1222: [400, 'API key id is not valid'],
  // Money
  7909: [402, 'The balance is not enough'],
  7910: [400, 'The phone number is not valid', 'phone_number'],
  7920: [404, 'Balance not found'],
  7921: [409, 'The account owes more than this already', 'credit_limit_micros'],
  // Files and exports
  1901: [404, 'File not found'],
  1902: [403, 'The link to the file has expired'],
  1903: [429, 'The limit for the requests exceeded the allowed count'],
  1904: [404, 'Export not found'],
  1905: [400, 'The file is too large', 'file'],
  1906: [400, 'The file has another extension than is accepted here', 'file'],
  1907: [400, 'The image has other dimensions than are asked for', 'file'],
  1908: [400, 'The file is corrupted', 'file'],
  1909: [400, 'The content of the file does not match its extension', 'file'],
  1910: [400, 'The file is empty', 'file'],
  1911: [409, 'The upload stands elsewhere: ask how many bytes there are and go on from there'],
  1912: [409, 'The upload has ended already, or goes on elsewhere'],
  1913: [409, 'The file is in use'],
  1914: [429, 'Too many uploads are waiting for their files'],
  1915: [400, 'File name is not valid', 'file_name'],
  1916: [400, 'The document holds macros, or more than can be unpacked safely', 'file'],
  1917: [400, 'The drawing holds scripts or links to other places', 'file'],
  // Carrier connections and routes (operators)
  1951: [404, 'Connection not found'],
  1952: [409, 'A connection with this name exists', 'name'],
  1953: [404, 'Route not found'],
  1954: [400, 'The sandbox cannot be used as a carrier in production', 'host'],
  // Limits
  1999: [429, 'Limit exceeded: You have exceeded requests limit per second, try later.'],
} as const satisfies Record<number, Row>;

export type Code = keyof typeof CATALOGUE;

export interface WireError {
  timestamp: string;
  path: string;
  method: string;
  status: number;
  code: number;
  message: string;
  field?: string;
  request_id?: string;
}

export interface ProblemDetail {
  code: Code;
  field?: string;
  message?: string;
}

/** Thrown by operations; becomes the answer as it stands. Everything else thrown is a defect and answers 1001. */
export class Problem extends Error {
  readonly code: Code;
  readonly status: number;
  readonly field: string | undefined;
  /** Further problems of the same request, for forms with several wrong fields. */
  readonly others: readonly ProblemDetail[];
  /** Seconds after which trying again makes sense. */
  readonly retry_after: number | undefined;

  constructor(
    code: Code,
    detail: { field?: string; message?: string; others?: readonly ProblemDetail[]; retry_after?: number } = {},
  ) {
    const row: Row = CATALOGUE[code];
    super(detail.message ?? row[1]);
    this.name = 'Problem';
    this.code = code;
    this.status = row[0];
    this.field = detail.field ?? row[2];
    this.others = detail.others ?? [];
    this.retry_after = detail.retry_after;
  }
}

export const isCode = (value: unknown): value is Code => typeof value === 'number' && value in CATALOGUE;
export const messageOf = (code: Code): string => (CATALOGUE[code] as Row)[1];
export const statusOf = (code: Code): number => (CATALOGUE[code] as Row)[0];
export const fieldOf = (code: Code): string | undefined => (CATALOGUE[code] as Row)[2];

/** Reads `#1303` as put into a schema rule by `problem(1303)`. */
export function codeIn(text: string): Code | null {
  const code = /^#(\d{4})$/.exec(text)?.[1];
  return code && isCode(Number(code)) ? (Number(code) as Code) : null;
}

interface Issue {
  code?: string;
  message: string;
  input?: unknown;
  origin?: string;
  minimum?: unknown;
  maximum?: unknown;
  format?: string;
}

/** The words for a schema issue that carries no code: what forms show under the field and the API says in `message`. */
export function issueMessage(issue: Issue, label: string): string {
  const code = codeIn(issue.message);
  if (code) return messageOf(code);
  // Schemas do not hand out what they were given; their words tell its type.
  const [, expected, received] = /expected (\w+), received (\w+)$/.exec(issue.message) ?? [];
  const isNumber = issue.origin === 'number' || issue.origin === 'int';
  if (issue.code === 'invalid_type') {
    if (issue.input === '' || issue.input === null || received === 'undefined' || received === 'null')
      return `${label} is required!`;
    if (expected === 'number' || expected === 'int') return `${label} is not a valid number!`;
  }
  // Of `range()`, which names both bounds.
  if (issue.message.startsWith('must be between ')) return `${label} ${issue.message}`;
  if (isNumber && issue.code === 'too_small') return `${label} must be at least ${String(issue.minimum)}`;
  if (isNumber && issue.code === 'too_big') return `${label} can be at most ${String(issue.maximum)}`;
  if (issue.code === 'too_small' && issue.minimum === 1) return `${label} is required!`;
  if (issue.format === 'email') return `${label} is not a valid email!`;
  return `${label}: ${issue.message}`;
}
