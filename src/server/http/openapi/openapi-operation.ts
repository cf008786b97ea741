import { z } from 'zod'
import type { Scope } from '../../../shared/key.ts'

export const ErrorAnswer = z
  .strictObject({ error: z.string() })
  .meta({ id: 'Error', examples: [{ error: 'rolloutPct: must be a whole number from 0 to 100' }] })

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: z.ZodType
  readonly description?: string
  /** True if each member of an object is a parameter of its own, named by the caller. */
  readonly explode?: boolean
}

export interface Answer {
  readonly description: string
  /** `null`: no body. */
  readonly schema: z.ZodType | null
  readonly headers?: Readonly<Record<string, string>>
  /** JSON by default. */
  readonly mediaType?: string
}

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

/** One operation of the public API, as described in OpenAPI. */
export interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  readonly path: string
  readonly id: string
  readonly tag: keyof typeof TAGS
  readonly summary: string
  readonly description: string
  /** The scope that its key needs; null if it needs no key. */
  readonly scope: Scope | null
  readonly parameters?: readonly Parameter[]
  readonly body?: z.ZodType
  /** True if the same can be said by parameters. */
  readonly bodyIsOptional?: boolean
  /** Example request bodies, by name. */
  readonly examples?: Readonly<Record<string, unknown>>
  readonly answers: Readonly<Record<number, Answer>>
}

/** An answer whose body is `{ error }`. */
export function error(description: string, headers?: Answer['headers']): Answer {
  return { description, schema: ErrorAnswer, ...(headers === undefined ? {} : { headers }) }
}

/** An answer with a body. */
export function answer(
  schema: z.ZodType,
  description: string,
  headers?: Answer['headers'],
): Answer {
  return { description, schema, ...(headers === undefined ? {} : { headers }) }
}

export const NOT_MODIFIED: Answer = {
  description: 'Not modified since the `ETag` in `If-None-Match`',
  schema: null,
}

/**
 * The response while the database cannot be written or has no contact with the server, and to a change that is saved and
 * not confirmed by every server: it can be repeated.
 */
export const UNAVAILABLE = error(
  'The database cannot be used at the moment, or not every server has confirmed the change',
  {
    'Retry-After': 'Seconds to wait',
  },
)

const LIMITED = error('Rate limit exceeded', {
  'Retry-After': 'Seconds to wait',
  'RateLimit-Policy': 'Bucket size, and seconds to fill it',
  RateLimit: 'Requests left, and seconds until the bucket is full',
  'RateLimit-Limit': 'Bucket size',
  'RateLimit-Remaining': 'Requests left',
  'RateLimit-Reset': 'Seconds until the bucket is full',
})

/** Responses to requests that do not reach an operation. */
export const MALFORMED = {
  400: error('Not a valid HTTP request'),
  408: error('The request did not arrive in time'),
} as const

/** Common responses of operations with a rate limit. */
export const COMMON = { ...MALFORMED, 429: LIMITED, 500: error('Internal error') } as const

/** Common responses of operations that need a key. */
export const KEYED = {
  ...COMMON,
  400: error('Invalid input: `<path>: <reason>` of the first error'),
  401: error('Missing, invalid or revoked key', { 'WWW-Authenticate': '`Bearer`' }),
  403: error('The key lacks the scope'),
  404: error('Unknown app, channel or release'),
  503: UNAVAILABLE,
} as const

/** Common responses of operations that need a key and a body. */
export const BODY = {
  ...KEYED,
  413: error('The body is larger than 2 MiB'),
} as const

/** An answer whose body is text of that media type. */
export function textAnswer(mediaType: string, description: string): Answer {
  return { description, schema: z.string(), mediaType }
}

/** Returns every member of a schema as a parameter. */
export function parametersOf({ shape }: z.ZodObject, place: 'path' | 'query'): Parameter[] {
  return Object.entries<z.ZodType>(shape).map(([name, schema]) => ({ name, in: place, schema }))
}

export const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  schema: z.string().optional(),
  description:
    'ETags of the responses that the client has; the response is 304 if one is still current',
}
