import { z } from 'zod'
import { UpdateManifest } from '../../../shared/manifest.ts'
import {
  AppRefOrId,
  Arch,
  BundleKind,
  ChannelName,
  DeviceId,
  LabelKey,
  LabelValue,
  Platform,
  Version,
} from '../../../shared/names.ts'
import { OutcomeBody } from '../../../shared/outcome.ts'
import { LiveAnswer, ReadyAnswer } from '../../../shared/readiness.ts'
import { FeedAnswer, FeedQuery } from '../../../shared/release.ts'
import { HealthAnswer } from '../status/health.ts'
import {
  answer,
  COMMON,
  error,
  IF_NONE_MATCH,
  MALFORMED,
  NOT_MODIFIED,
  type Operation,
  type Parameter,
  parametersOf,
  UNAVAILABLE,
} from './openapi-operation.ts'

export const PLACE = z.object({ appRef: AppRefOrId, channel: ChannelName })
const CHECK_PATH = PLACE.extend({ platform: Platform, arch: Arch, version: Version })
/** Each is named by the caller: `l.` and the key of a label. */
const LABEL_NAME = `^l\\.${z.toJSONSchema(LabelKey).pattern?.slice(1)}`
const LABELS = z
  .record(z.string().regex(new RegExp(LABEL_NAME)), LabelValue)
  .meta({ examples: [{ 'l.ring': 'beta', 'l.site': 'berlin' }] })

export const LABELS_PARAMETER: Parameter = {
  ...{ name: 'labels', in: 'query', explode: true, schema: LABELS.optional() },
  description:
    'Labels of the device, as any number of `l.<key>=<value>`. They are merged over the stored labels; an empty value removes a label',
}

export const MANUAL_PARAMETER: Parameter = {
  ...{
    name: 'manual',
    in: 'query',
    schema: z
      .string()
      .optional()
      .meta({ examples: ['1'] }),
  },
  description:
    '`1` if a person asked for the check: if the channel allows it, the device is in every rollout above 0%. Any other value is ignored',
}

export const DEVICE_PARAMETER: Parameter = {
  ...{ name: 'X-Service-Device', in: 'header', schema: DeviceId.optional() },
  description:
    'Random ID that the app creates once and keeps. Without it, the device is only in rollouts at 100%',
}

/** Operations that need no key. */
export const PUBLIC_OPERATIONS: readonly Operation[] = [
  {
    ...{ method: 'get', path: '/u/{appRef}/{channel}/{platform}/{arch}/{version}' },
    ...{ id: 'checkForUpdate', scope: null, tag: 'Devices' },
    summary: 'Check a device for an update',
    description:
      'Returns the update for the device, if there is one, and counts as its check-in. Other query parameters are ignored. The response is never a redirect, a 304 or compressed.',
    parameters: [
      ...parametersOf(CHECK_PATH, 'path'),
      {
        ...{ name: 'bundle', in: 'query', schema: BundleKind.optional() },
        description:
          'Kind of bundle that is installed, to choose from several artifacts for the platform and architecture. Anything that is not the name of a kind is ignored',
      },
      LABELS_PARAMETER,
      MANUAL_PARAMETER,
      DEVICE_PARAMETER,
    ],
    answers: {
      200: answer(UpdateManifest, 'The update to install'),
      204: { description: 'No update', schema: null },
      ...COMMON,
      400: error('Invalid path, label or device ID'),
      404: error('Unknown app or channel'),
      503: UNAVAILABLE,
    },
  },
  {
    ...{ method: 'post', path: '/u/{appRef}/{channel}/outcome', id: 'reportOutcome' },
    ...{ scope: null, tag: 'Devices' },
    summary: 'Report the outcome of an update',
    description:
      'Tells whether an update that the device was offered works there. Counts only for a known device that was last offered that version; everything else is ignored, with the same response.',
    parameters: [
      ...parametersOf(PLACE, 'path'),
      { ...DEVICE_PARAMETER, schema: DeviceId, description: 'The ID that the device checks with' },
    ],
    body: OutcomeBody,
    examples: {
      works: { version: '1.4.0', outcome: 'ok' },
      failed: { version: '1.4.0', outcome: 'failed', detail: 'Installer exited with code 1603' },
    },
    answers: {
      204: { description: 'Received', schema: null },
      ...COMMON,
      503: UNAVAILABLE,
      400: error('Invalid path, body or device ID'),
      404: error('Unknown app or channel'),
      413: error('The body is larger than 16 KiB'),
    },
  },
  {
    ...{ method: 'get', path: '/feed/{appRef}/{channel}', id: 'releaseFeed' },
    ...{ scope: null, tag: 'Devices' },
    summary: 'Published releases, newest first, for changelog screens',
    description:
      'Any origin can read it, and caches can keep it for 60 seconds. Compressed with gzip or Brotli if the client accepts it. Other query parameters are ignored.',
    parameters: [
      ...parametersOf(PLACE, 'path'),
      ...parametersOf(FeedQuery, 'query'),
      IF_NONE_MATCH,
    ],
    answers: {
      200: answer(FeedAnswer, 'A page of the feed', {
        ETag: 'Changes with the page, and differs between its encodings',
        Link: 'The next page, with `rel="next"`; absent on the last page',
        Vary: '`Accept-Encoding`',
        'Access-Control-Allow-Origin': '`*`',
      }),
      304: NOT_MODIFIED,
      ...COMMON,
      503: UNAVAILABLE,
      400: error('Invalid path, `limit` or `before`'),
      404: error('Unknown app or channel'),
    },
  },
  {
    ...{ method: 'get', path: '/api/v1/openapi.json', id: 'openApi', scope: null, tag: 'Server' },
    summary: 'This API description',
    description: 'The public API of the running version of Tidegate.',
    parameters: [IF_NONE_MATCH],
    answers: {
      200: answer(z.looseObject({ openapi: z.string() }), 'OpenAPI 3.1', {
        ETag: 'Changes with the description',
      }),
      304: NOT_MODIFIED,
      ...COMMON,
    },
  },
  {
    ...{ method: 'get', path: '/healthz', id: 'health', scope: null, tag: 'Server' },
    summary: 'Version and state of the server',
    description: 'For monitoring: 200 while updates can be served, 503 while they cannot.',
    answers: {
      200: answer(HealthAnswer, 'The database responds'),
      ...MALFORMED,
      503: answer(
        HealthAnswer,
        'The database does not respond, or has lost contact with the server',
      ),
    },
  },
  {
    ...{ method: 'get', path: '/healthz/live', id: 'live', scope: null, tag: 'Server' },
    summary: 'Liveness probe',
    description: '200 as long as the process answers requests. Restart it if it does not.',
    answers: { 200: answer(LiveAnswer, 'The process answers'), ...MALFORMED },
  },
  {
    ...{ method: 'get', path: '/healthz/ready', id: 'ready', scope: null, tag: 'Server' },
    summary: 'Readiness probe',
    description:
      '200 while update checks are answered with a current catalog, 503 while they are not. With a key for all apps that has the scope `read`, also details.',
    answers: {
      200: answer(ReadyAnswer, 'Update checks are answered with a current catalog'),
      ...COMMON,
      401: error('Invalid or revoked API key'),
      403: error('The key lacks the scope `read`'),
      503: answer(ReadyAnswer, 'They are not'),
    },
  },
]
