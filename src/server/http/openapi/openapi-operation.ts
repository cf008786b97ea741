import { z } from 'zod'
import type { Scope } from '../../../shared/access/key.ts'
import type { Parameter } from './openapi-parameters.ts'

const ErrorAnswer = z
  .strictObject({ error: z.string() })
  .meta({ id: 'Error', examples: [{ error: 'rolloutPct: must be a whole number from 0 to 100' }] })

type Headers = Readonly<Record<string, string>>

/** The body (JSON by default; null for none), what the answer means, and its headers. */
export type Answer = readonly [
  schema: z.ZodType | null,
  description: string,
  headers?: Headers,
  mediaType?: string,
]

/** By status. A text is what an answer with the body `{ error }` means. */
type Answers = Readonly<Record<number, Answer | string>>

/** The groups of operations, with a description of each. */
export const TAGS = {
  Releases: 'Publish releases and change how they are served.',
  Channels: 'Who is in every rollout of a channel.',
  Files: 'Built files that the server stores for devices to download.',
  Drafts: 'Put a release together from several build jobs, and publish it.',
  Fleet: 'Plan updates for many devices at once, and report their state.',
  Devices: 'Update checks and the feed for apps and changelog screens, without a key.',
  Server: 'The server itself.',
} as const

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
type Method = (typeof METHODS)[number]

/** What a request and its answers are made of. Path parameters are in `on`, as `{name}`. */
interface Described {
  readonly on: `${Method} /${string}`
  readonly summary: string
  readonly description: string
  /** Overrides that of the group. */
  readonly scope?: Scope
  /** Each member is a parameter. */
  readonly query?: z.ZodObject
  /** Other parameters than those. */
  readonly parameters?: readonly Parameter[]
  readonly body?: z.ZodType
  /** True if the same can be said by parameters. */
  readonly bodyIsOptional?: true
  /** Example request bodies, by name. */
  readonly examples?: Readonly<Record<string, unknown>>
  /** In place of those of the group. */
  readonly common?: Answers
  /** These override the common ones. */
  readonly answers: Answers
}

/** One operation of the public API, as described in OpenAPI. */
export interface Operation extends Omit<Described, 'scope'> {
  readonly id: string
  readonly method: Method
  readonly path: string
  readonly tag: keyof typeof TAGS
  /** The scope that the key needs; null if it needs no key. */
  readonly scope: Scope | null
}

/** What is known of an operation exactly. */
type Kept = 'on' | 'query' | 'body' | 'answers'

/** Returns the operations of a group, by their ids. `common`: what each may answer. */
export function operations<const Of extends Readonly<Record<string, Described>>>(
  tag: keyof typeof TAGS,
  scope: Scope | null,
  common: Answers,
  described: Of,
): { readonly [Id in keyof Of]: Omit<Operation, Kept> & Pick<Of[Id], keyof Of[Id] & Kept> }
export function operations(
  tag: keyof typeof TAGS,
  scope: Scope | null,
  common: Answers,
  described: Readonly<Record<string, Described>>,
): Readonly<Record<string, Operation>> {
  return Object.fromEntries(
    Object.entries(described).map(([id, operation]) => {
      const method = METHODS.find((name) => operation.on.startsWith(`${name} `)) ?? 'get'
      const path = operation.on.slice(method.length + 1)
      return [id, { tag, scope, common, ...operation, id, method, path }]
    }),
  )
}

/** Returns the answers of an operation, each in full. */
export function answersOf({ scope, body, common, answers }: Operation): [string, Answer][] {
  const ofBody = scope === null || body === undefined ? {} : BODY
  return Object.entries({ ...MALFORMED, ...ofBody, ...common, ...answers }).map(
    ([status, answer]) => [status, typeof answer === 'string' ? [ErrorAnswer, answer] : answer],
  )
}

/** An answer whose body is text of that media type. */
export function textAnswer(mediaType: string, description: string): Answer {
  return [z.string(), description, {}, mediaType]
}

export const NOT_MODIFIED: Answer = [null, 'Not modified since the `ETag` in `If-None-Match`']

/** An error that can be repeated. */
export function later(description: string): Answer {
  return [ErrorAnswer, description, { 'Retry-After': 'Seconds to wait' }]
}

/** While the database cannot be written or has no contact, and for a change that not every server has confirmed. */
export const UNAVAILABLE = later(
  'The database cannot be used at the moment, or not every server has confirmed the change',
)

/** Responses to requests that do not reach an operation. */
export const MALFORMED: Answers = {
  400: 'Not a valid HTTP request',
  408: 'The request did not arrive in time',
}

/** Common responses of operations with a rate limit. */
export const LIMITED: Answers = {
  429: [
    ErrorAnswer,
    'Rate limit exceeded',
    {
      'Retry-After': 'Seconds to wait',
      'RateLimit-Policy': 'Bucket size, and seconds to fill it',
      RateLimit: 'Requests left, and seconds until the bucket is full',
      'RateLimit-Limit': 'Bucket size',
      'RateLimit-Remaining': 'Requests left',
      'RateLimit-Reset': 'Seconds until the bucket is full',
    },
  ],
  500: 'Internal error',
}

/** Common responses of operations that need a key. */
export const KEYED: Answers = {
  ...LIMITED,
  400: 'Invalid input: `<path>: <reason>` of the first error',
  401: [ErrorAnswer, 'Missing, invalid or revoked key', { 'WWW-Authenticate': '`Bearer`' }],
  403: 'The key lacks the scope',
  404: 'Unknown app, channel or release',
  503: UNAVAILABLE,
}

/** Responses of those with a body. */
const BODY: Answers = { 413: 'The body is larger than 2 MiB' }
