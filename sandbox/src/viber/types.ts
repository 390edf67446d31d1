/**
 * The message types that the simulated Viber accepts, with the fields that each requires and allows. Any other type
 * gets status 5. The names and rules come from a published API client (version 11.3). A comment marks each rule that is
 * our choice.
 */

type Kind = 'transactional' | 'promotional' | 'session';
type Shape = 'text' | 'image' | 'file' | 'video' | 'template';

export interface TypeRule {
  kind: Kind;
  shape: Shape;
  /** The required and the optional members of `message`. */
  required: readonly string[];
  optional: readonly string[];
  /** If the tracking data is required, its value may be empty. If it is forbidden, any value gets status 6. */
  tracking: 'required' | 'forbidden' | 'optional';
}

// The template fields are beside `message` in the request, not inside it.
const template = { shape: 'template', required: [], optional: [] } as const;
const text = { shape: 'text', required: ['#txt'], optional: [] } as const;
const image = { shape: 'image', required: ['#img'], optional: ['#imageFormat'] } as const;
// A button has both fields. A client hides the button by leaving both empty.
const imageButton = {
  shape: 'image',
  required: ['#txt', '#img', '#caption', '#action'],
  optional: ['#imageFormat'],
} as const;
const textButton = { shape: 'text', required: ['#txt', '#caption', '#action'], optional: [] } as const;
// `#action` contains the URL of the file or, up to type 232, of the video.
const file = { shape: 'file', required: ['#action', '#fileName'], optional: [] } as const;
const video = { shape: 'video', required: ['#action', '#thumbnail'], optional: [] } as const;
const videoText = { shape: 'video', required: ['#txt', '#action', '#thumbnail'], optional: [] } as const;
const videoButton = { shape: 'video', required: ['#txt', '#caption', '#action', '#thumbnail'], optional: [] } as const;
const videoAction = {
  shape: 'video',
  required: ['#txt', '#caption', '#action', '#thumbnail', '#media'],
  optional: [],
} as const;

const rows: [
  type: number,
  kind: Kind,
  parts: Pick<TypeRule, 'shape' | 'required' | 'optional'>,
  TypeRule['tracking'],
][] = [
  [206, 'transactional', text, 'required'],
  [1701, 'transactional', template, 'optional'],
  [1702, 'transactional', template, 'optional'],
  [220, 'transactional', file, 'required'],
  [222, 'transactional', file, 'forbidden'],
  [225, 'promotional', text, 'required'],
  [207, 'promotional', image, 'required'],
  [107, 'promotional', image, 'forbidden'],
  [208, 'promotional', imageButton, 'required'],
  [108, 'promotional', imageButton, 'forbidden'],
  [210, 'promotional', imageButton, 'required'],
  [209, 'promotional', textButton, 'required'],
  [109, 'promotional', textButton, 'forbidden'],
  [230, 'promotional', video, 'required'],
  [231, 'promotional', videoText, 'required'],
  [232, 'promotional', videoButton, 'required'],
  [233, 'promotional', videoAction, 'required'],
  [306, 'session', text, 'required'],
  [307, 'session', image, 'required'],
  [221, 'session', file, 'optional'],
  [224, 'session', file, 'optional'],
  // The numbers for session videos are not published. Ours follow the pattern of 206 and 306, 207 and 307.
  [330, 'session', video, 'required'],
  [331, 'session', videoText, 'required'],
];

export const messageTypes: ReadonlyMap<number, TypeRule> = new Map(
  rows.map(([type, kind, parts, tracking]) => [type, { kind, ...parts, tracking }]),
);

export const limits = {
  text: 1000,
  caption: 30,
  file_name: 25,
  template_value: 125,
  thumbnail: 1000,
  video_bytes: 200 * 1024 * 1024,
  video_seconds: 600,
  ttl: { min: 30, max: 1_209_600 },
  /** The limit of the public bot API; the partner API does not document one. */
  tracking: 4096,
  url: 2083,
} as const;

export const extensions: Record<Exclude<Shape, 'text' | 'template'>, readonly string[]> = {
  image: ['bmp', 'gif', 'jpg', 'jpeg', 'png', 'svg', 'webp'],
  video: ['3gpp', 'm4v', 'mov', 'mp4'],
  file: 'txt doc docx dot dotx rtf odt odf fodt info pdf xps pdax eps xls xlsx xltx xlsm csv ods fods'.split(' '),
};
