import {
  PublishBody,
  ReleaseAnswer,
  ReleaseListAnswer,
  ReleaseListQuery,
  ReleasePath,
  ServingBody,
} from '../../shared/release.ts'
import { answer, BODY, error, KEYED, type Operation, parametersOf } from './openapi-operation.ts'

const RELEASES = '/api/v1/releases'
const PLACE = { app: 'editor', channel: 'stable', version: '1.4.0' } as const

/** Operations on releases. */
export const RELEASE_OPERATIONS: readonly Operation[] = [
  {
    ...{ method: 'get', path: RELEASES, id: 'listReleases', scope: 'read', tag: 'Releases' },
    summary: 'List releases, newest first',
    description:
      'Answers the releases that the key sees, of every status. Parameters that are not named here are refused.',
    parameters: parametersOf(ReleaseListQuery, 'query'),
    answers: { 200: answer(ReleaseListAnswer, 'A page of releases'), ...KEYED },
  },
  {
    ...{ method: 'get', path: `${RELEASES}/{app}/{channel}/{version}`, id: 'showRelease' },
    ...{ scope: 'read', tag: 'Releases' },
    summary: 'Show a release',
    description: 'Answers one release, whatever its status.',
    parameters: parametersOf(ReleasePath, 'path'),
    answers: { 200: answer(ReleaseAnswer, 'The release'), ...KEYED },
  },
  {
    ...{ method: 'post', path: RELEASES, id: 'publishRelease', scope: 'publish', tag: 'Releases' },
    summary: 'Publish a release',
    description:
      'Creates an immutable release. It is offered at once to the devices in its rollout.',
    body: PublishBody,
    examples: {
      staged: {
        ...PLACE,
        notes: '## New\n\n- Opens large files faster',
        rolloutPct: 10,
        targets: { matchLabels: { ring: ['beta', 'internal'] } },
        artifacts: [
          {
            platform: 'darwin',
            arch: 'universal',
            url: 'https://downloads.example/editor-1.4.0.app.tar.gz',
            sha512: '3f'.repeat(64),
            size: 84_213_760,
            signature: 'dW50cnVzdGVkIGNvbW1lbnQ6IHNpZ25hdHVyZQ==',
          },
        ],
      },
    },
    answers: {
      201: answer(ReleaseAnswer, 'Published'),
      ...BODY,
      409: error('The version exists on the channel'),
    },
  },
  {
    ...{ method: 'patch', path: RELEASES, id: 'changeServing', scope: 'serve', tag: 'Releases' },
    summary: 'Ramp, pause, resume, roll back or target a release',
    description:
      'Applies targets, rollout and status in this order as one change; the first part that is refused refuses all.',
    body: ServingBody,
    examples: {
      ramp: { ...PLACE, rolloutPct: 50 },
      rollBack: { ...PLACE, status: 'rolled_back' },
      target: {
        ...PLACE,
        targets: {
          matchExpressions: [
            { key: 'gpu', operator: 'NotIn', values: ['intel'] },
            { key: 'device.version', operator: 'VersionIn', values: ['>=1.2.0'] },
            { key: 'managed', operator: 'DoesNotExist' },
          ],
        },
      },
    },
    answers: {
      200: answer(ReleaseAnswer, 'The release as it is served now'),
      ...BODY,
      409: error('The release was rolled back'),
      422: error('The change would take back what devices were offered'),
    },
  },
]
