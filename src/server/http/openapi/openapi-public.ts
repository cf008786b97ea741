import { z } from 'zod'
import { OutcomeBody } from '../../../shared/health/health.ts'
import { BundleKind, DeviceId } from '../../../shared/names.ts'
import { LiveAnswer, ReadyAnswer } from '../../../shared/operation/readiness.ts'
import { UpdateManifest } from '../../../shared/releases/manifest.ts'
import { FeedAnswer, FeedQuery } from '../../../shared/releases/release-list.ts'
import { HealthAnswer } from '../status/health.ts'
import { LIMITED, MALFORMED, NOT_MODIFIED, operations, UNAVAILABLE } from './openapi-operation.ts'
import { ABOUT_DEVICE, DEVICE_HEADER, IF_NONE_MATCH, optional } from './openapi-parameters.ts'

const COMMON = { ...LIMITED, 404: 'Unknown app or channel', 503: UNAVAILABLE } as const

export const DEVICE_OPERATIONS = operations('Devices', null, COMMON, {
  checkForUpdate: {
    on: 'get /u/{appRef}/{channel}/{platform}/{arch}/{version}',
    summary: 'Check a device for an update',
    description:
      'Returns the update for the device, if there is one, and counts as its check-in. Other query parameters are ignored. The response is never a redirect, a 304 or compressed.',
    parameters: [
      optional(
        'query',
        'bundle',
        BundleKind,
        'Kind of bundle that is installed, to choose from several artifacts for the platform and architecture. Anything that is not the name of a kind is ignored',
      ),
      ...ABOUT_DEVICE,
    ],
    answers: {
      200: [UpdateManifest, 'The update to install'],
      204: [null, 'No update'],
      400: 'Invalid path, label or device ID',
    },
  },
  reportOutcome: {
    on: 'post /u/{appRef}/{channel}/outcome',
    summary: 'Report the outcome of an update',
    description:
      'Tells whether an update that the device was offered works there. Counts only for a known device that was last offered that version; everything else is ignored, with the same response.',
    parameters: [
      { ...DEVICE_HEADER, schema: DeviceId, description: 'The ID that the device checks with' },
    ],
    body: OutcomeBody,
    examples: {
      works: { version: '1.4.0', outcome: 'ok' },
      failed: { version: '1.4.0', outcome: 'failed', detail: 'Installer exited with code 1603' },
    },
    answers: {
      204: [null, 'Received'],
      400: 'Invalid path, body or device ID',
      413: 'The body is larger than 16 KiB',
    },
  },
  releaseFeed: {
    on: 'get /feed/{appRef}/{channel}',
    summary: 'Published releases, newest first, for changelog screens',
    description:
      'Any origin can read it, and caches can keep it for 60 seconds. Compressed with gzip or Brotli if the client accepts it. Other query parameters are ignored.',
    query: FeedQuery,
    parameters: [IF_NONE_MATCH],
    answers: {
      200: [
        FeedAnswer,
        'A page of the feed',
        {
          ETag: 'Changes with the page, and differs between its encodings',
          Link: 'The next page, with `rel="next"`; absent on the last page',
          Vary: '`Accept-Encoding`',
          'Access-Control-Allow-Origin': '`*`',
        },
      ],
      304: NOT_MODIFIED,
      400: 'Invalid path, `limit` or `before`',
    },
  },
})

/** Operations that tell about the server. */
export const SERVER_OPERATIONS = operations('Server', null, MALFORMED, {
  openApi: {
    common: LIMITED,
    on: 'get /api/v1/openapi.json',
    summary: 'This API description',
    description: 'The public API of the running version of Tidegate.',
    parameters: [IF_NONE_MATCH],
    answers: {
      200: [
        z.looseObject({ openapi: z.string() }),
        'OpenAPI 3.1',
        { ETag: 'Changes with the description' },
      ],
      304: NOT_MODIFIED,
    },
  },
  health: {
    on: 'get /healthz',
    summary: 'Version and state of the server',
    description: 'For monitoring: 200 while updates can be served, 503 while they cannot.',
    answers: {
      200: [HealthAnswer, 'The database responds'],
      503: [HealthAnswer, 'The database does not respond, or has lost contact with the server'],
    },
  },
  live: {
    on: 'get /healthz/live',
    summary: 'Liveness probe',
    description: '200 as long as the process answers requests. Restart it if it does not.',
    answers: { 200: [LiveAnswer, 'The process answers'] },
  },
  ready: {
    on: 'get /healthz/ready',
    common: LIMITED,
    summary: 'Readiness probe',
    description:
      '200 while update checks are answered with a current catalog, 503 while they are not. With a key for all apps that has the scope `read`, also details.',
    answers: {
      200: [ReadyAnswer, 'Update checks are answered with a current catalog'],
      401: 'Invalid or revoked API key',
      403: 'The key lacks the scope `read`',
      503: [ReadyAnswer, 'They are not'],
    },
  },
})
