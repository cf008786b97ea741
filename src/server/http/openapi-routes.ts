import { z } from 'zod'
import { DecisionsAnswer, DecisionsBody, ReportAnswer, ReportBody } from '../../shared/fleet.ts'
import { UpdateManifest } from '../../shared/manifest.ts'
import { Arch, Platform, Version } from '../../shared/names.ts'
import {
  FeedAnswer,
  FeedQuery,
  PublishBody,
  ReleaseAnswer,
  ReleaseListAnswer,
  ReleaseListQuery,
  ReleasePath,
  ServingBody,
} from '../../shared/release.ts'
import { HealthAnswer } from './health.ts'

export const ErrorAnswer = z.strictObject({ error: z.string() }).meta({ id: 'Error' })

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: z.ZodType
  readonly description?: string
}

export interface Answer {
  readonly description: string
  /** `null`: no body. */
  readonly schema: z.ZodType | null
  readonly headers?: Readonly<Record<string, string>>
}

/** One operation of the public API, as its description has it. */
export interface Operation {
  readonly method: 'get' | 'post' | 'patch'
  readonly path: string
  readonly id: string
  readonly summary: string
  /** The scope that its key needs; null where it needs no key. */
  readonly scope: string | null
  readonly parameters?: readonly Parameter[]
  readonly body?: z.ZodType
  readonly answers: Readonly<Record<number, Answer>>
}

const error = (description: string): Answer => ({ description, schema: ErrorAnswer })
const answer = (schema: z.ZodType, description: string): Answer => ({ description, schema })
const RATE_LIMIT_HEADERS = {
  RateLimit: 'Requests left in the window, and the seconds until it ends',
  'RateLimit-Policy': 'Requests a window, and its seconds',
  'RateLimit-Limit': 'Requests a window',
  'RateLimit-Remaining': 'Requests left in the window',
  'RateLimit-Reset': 'Seconds until the window ends',
} as const
const LIMITED: Answer = {
  ...error('Rate limit exceeded'),
  headers: { 'Retry-After': 'Seconds to wait', ...RATE_LIMIT_HEADERS },
}
const UNAVAILABLE: Answer = {
  ...error('The database cannot be written right now'),
  headers: { 'Retry-After': 'Seconds to wait' },
}
const COMMON = { 429: LIMITED, 500: error('Internal error') } as const
const KEYED = {
  400: error('Invalid input: `<path>: <reason>` for the first fault'),
  401: {
    ...error('Missing, invalid or revoked key'),
    headers: { 'WWW-Authenticate': '`Bearer`' },
  },
  403: error('The key lacks the scope'),
  404: error('Unknown app, channel or release'),
  ...COMMON,
} as const
const BODY = {
  ...KEYED,
  413: error('The body is larger than 2 MiB'),
  503: UNAVAILABLE,
} as const

const path = (name: string, schema: z.ZodType = z.string()): Parameter => ({
  name,
  in: 'path',
  schema,
})
/** Every member of a schema as a parameter. */
const parametersOf = ({ shape }: z.ZodObject, place: 'path' | 'query'): Parameter[] =>
  Object.entries<z.ZodType>(shape).map(([name, schema]) => ({ name, in: place, schema }))

/** Every operation of the public API, in the order of its reference. */
export const OPERATIONS: readonly Operation[] = [
  {
    ...{ method: 'get', path: '/api/v1/releases', id: 'listReleases', scope: 'read' },
    summary: 'List releases, newest first',
    parameters: parametersOf(ReleaseListQuery, 'query'),
    answers: { 200: answer(ReleaseListAnswer, 'A page of releases'), ...KEYED },
  },
  {
    method: 'get',
    path: '/api/v1/releases/{app}/{channel}/{version}',
    id: 'showRelease',
    scope: 'read',
    summary: 'Show a release',
    parameters: parametersOf(ReleasePath, 'path'),
    answers: { 200: answer(ReleaseAnswer, 'The release'), ...KEYED },
  },
  {
    ...{ method: 'post', path: '/api/v1/releases', id: 'publishRelease', scope: 'publish' },
    summary: 'Publish a release',
    body: PublishBody,
    answers: {
      201: answer(ReleaseAnswer, 'Published'),
      ...BODY,
      409: error('The version exists on the channel'),
    },
  },
  {
    ...{ method: 'patch', path: '/api/v1/releases', id: 'changeServing', scope: 'serve' },
    summary: 'Ramp, pause, resume, roll back or target a release',
    body: ServingBody,
    answers: {
      200: answer(ReleaseAnswer, 'The release as it is served now'),
      ...BODY,
      409: error('The release was rolled back'),
      422: error('The change would take back what devices were offered'),
    },
  },
  {
    ...{ method: 'post', path: '/api/v1/fleet/decisions', id: 'planWave', scope: 'fleet' },
    summary: 'Decide for up to 500 devices',
    body: DecisionsBody,
    answers: { 200: answer(DecisionsAnswer, 'A decision per device, in order'), ...BODY },
  },
  {
    ...{ method: 'post', path: '/api/v1/fleet/report', id: 'reportState', scope: 'fleet' },
    summary: 'Report the state of up to 500 devices',
    body: ReportBody,
    answers: { 200: answer(ReportAnswer, 'Committed'), ...BODY },
  },
  {
    method: 'get',
    path: '/u/{appRef}/{channel}/{platform}/{arch}/{version}',
    id: 'checkForUpdate',
    scope: null,
    summary: 'Check a device for an update. Labels: any number of `l.<key>=<value>` in the query',
    parameters: [
      path('appRef'),
      path('channel'),
      path('platform', Platform),
      path('arch', Arch),
      path('version', Version),
      {
        ...{ name: 'X-Service-Device', in: 'header', schema: z.string().max(128).optional() },
        description: 'Anonymous device identifier. Without it a device joins no staged rollout',
      },
    ],
    answers: {
      200: answer(UpdateManifest, 'The update to install'),
      204: { description: 'No update', schema: null },
      400: error('Invalid path, label or device identifier'),
      404: error('Unknown app or channel'),
      ...COMMON,
      503: UNAVAILABLE,
    },
  },
  {
    ...{ method: 'get', path: '/feed/{appRef}/{channel}', id: 'releaseFeed', scope: null },
    summary: 'Published releases, newest first, for changelog screens',
    parameters: [path('appRef'), path('channel'), ...parametersOf(FeedQuery, 'query')],
    answers: {
      200: {
        ...answer(FeedAnswer, 'The feed'),
        headers: { ETag: 'Changes with the feed', 'Access-Control-Allow-Origin': '`*`' },
      },
      304: { description: 'Not changed since the `If-None-Match` of the request', schema: null },
      400: error('Invalid path'),
      404: error('Unknown app or channel'),
      ...COMMON,
    },
  },
  {
    ...{ method: 'get', path: '/api/v1/openapi.json', id: 'openApi', scope: null },
    summary: 'This description',
    answers: {
      200: {
        ...answer(z.looseObject({ openapi: z.string() }), 'OpenAPI 3.1'),
        headers: { ETag: 'Changes with the description' },
      },
      304: { description: 'Not changed since the `If-None-Match` of the request', schema: null },
      ...COMMON,
    },
  },
  {
    ...{ method: 'get', path: '/healthz', id: 'health', scope: null },
    summary: 'Version and state of the database',
    answers: {
      200: answer(HealthAnswer, 'The database answers'),
      503: answer(HealthAnswer, 'The database does not answer'),
    },
  },
]
