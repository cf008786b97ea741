import { z } from 'zod'
import { namesOf } from '../../../shared/basics/map-each.ts'
import { HostedFileId, UploadId } from '../../../shared/files/hosted-file.ts'
import {
  AppRefOrId,
  Arch,
  ChannelName,
  DeviceId,
  LabelKey,
  LabelValue,
  Platform,
  Version,
} from '../../../shared/names.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: z.ZodType
  readonly description?: string
  /** True if each member of an object is a parameter of its own, named by the caller. */
  readonly explode?: boolean
}

/** The parameters in the paths of all operations. */
const IN_PATH = {
  app: AppRefOrId,
  appRef: AppRefOrId,
  channel: ChannelName,
  version: Version,
  platform: Platform,
  arch: Arch,
  sha512: HostedFileId,
  id: UploadId,
  name: z.string().meta({
    description:
      '`latest.yml`, `latest-mac.yml`, `latest-linux.yml` or `latest-linux-<arch>.yml`, or the same with the name of the channel in place of `latest`',
    examples: ['latest-mac.yml'],
  }),
  file: z.string().meta({
    description: '`releases.<name>.json`, or the name of a package in it',
    examples: ['releases.win.json'],
  }),
}

type PathName = keyof typeof IN_PATH

/** The parameters in a path, as they are parsed. */
export type InPath<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Each in Name & PathName]: z.output<(typeof IN_PATH)[Each]> } & InPath<Rest>
  : unknown

/** Returns the schema of the parameters that a path names as `{name}`. Throws for one that no other path has. */
export function pathSchema(path: string): z.ZodObject {
  const names = z.array(z.enum(namesOf(IN_PATH))).parse(path.match(/(?<=\{)\w+(?=\})/g) ?? [])
  return z.object(Object.fromEntries(names.map((name) => [name, IN_PATH[name]])))
}

/** Returns every member of a schema as a parameter. */
export function membersOf({ shape }: z.ZodObject, place: 'path' | 'query'): Parameter[] {
  return Object.entries<z.ZodType>(shape).map(([name, schema]) => ({ name, in: place, schema }))
}

/** A parameter that can be left out. */
export function optional(
  place: 'query' | 'header',
  name: string,
  schema: z.ZodType,
  description: string,
): Parameter {
  return { name, in: place, schema: schema.optional(), description }
}

/** Each is named by the caller: `l.` and the key of a label. */
const LABEL_NAME = `^l\\.${z.toJSONSchema(LabelKey).pattern?.slice(1)}`
const LABELS = z
  .record(z.string().regex(new RegExp(LABEL_NAME)), LabelValue)
  .meta({ examples: [{ 'l.ring': 'beta', 'l.site': 'berlin' }] })

/** The ID of a device. */
export const DEVICE_HEADER = optional(
  'header',
  'X-Service-Device',
  DeviceId,
  'Random ID that the app creates once and keeps. Without it, the device is only in rollouts at 100%',
)

/** What every update check can say about its device. */
export const ABOUT_DEVICE: readonly Parameter[] = [
  {
    ...{ name: 'labels', in: 'query', explode: true, schema: LABELS.optional() },
    description:
      'Labels of the device, as any number of `l.<key>=<value>`. They are merged over the stored labels; an empty value removes a label',
  },
  {
    ...{ name: 'os', in: 'query' },
    schema: z
      .string()
      .optional()
      .meta({ examples: ['23.4.0'] }),
    description:
      'Version of the operating system, in place of the label `os`: files that need a newer one are not offered. What cannot be read is ignored',
  },
  {
    ...{ name: 'manual', in: 'query' },
    schema: z
      .string()
      .optional()
      .meta({ examples: ['1'] }),
    description:
      '`1` if a person asked for the check: if the channel allows it, the device is in every rollout above 0%. Any other value is ignored',
  },
  DEVICE_HEADER,
]

/** The same for clients that cannot send headers. */
export const ABOUT_DEVICE_IN_QUERY: readonly Parameter[] = [
  ...ABOUT_DEVICE,
  optional('query', 'device', DeviceId, 'ID of the device, unless `X-Service-Device` is sent'),
]

export const IF_NONE_MATCH = optional(
  'header',
  'If-None-Match',
  z.string(),
  'ETags of the responses that the client has; the response is 304 if one is still current',
)

/** How a caller names a change that it may repeat. */
export const CallKey = z.string().min(1).max(100)

/** Of every change that needs a key. */
export const IDEMPOTENCY_KEY = optional(
  'header',
  'Idempotency-Key',
  CallKey,
  'Random name of this call. If the response is lost, send the call again with the same name: the server carries it out once, and answers as it did. It knows the name for 10 minutes',
)
