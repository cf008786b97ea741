import {
  PublishBody,
  ReleaseAnswer,
  ReleaseListAnswer,
  ReleaseListQuery,
  ReleasePath,
  ServingBody,
} from '../../../shared/release.ts'
import { answer, BODY, error, KEYED, type Operation, parametersOf } from './openapi-operation.ts'

const RELEASES = '/api/v1/releases'
const PLACE = { app: 'editor', channel: 'stable', version: '1.4.0' } as const

/** Operations on releases. */
export const RELEASE_OPERATIONS: readonly Operation[] = [
  {
    ...{ method: 'get', path: RELEASES, id: 'listReleases', scope: 'read', tag: 'Releases' },
    summary: 'List releases, newest first',
    description:
      'Returns the releases that the key can see, regardless of their status. Unknown parameters are rejected.',
    parameters: parametersOf(ReleaseListQuery, 'query'),
    answers: { 200: answer(ReleaseListAnswer, 'A page of releases'), ...KEYED },
  },
  {
    ...{ method: 'get', path: `${RELEASES}/{app}/{channel}/{version}`, id: 'showRelease' },
    ...{ scope: 'read', tag: 'Releases' },
    summary: 'Show a release',
    description: 'Returns one release, regardless of its status.',
    parameters: parametersOf(ReleasePath, 'path'),
    answers: { 200: answer(ReleaseAnswer, 'The release'), ...KEYED },
  },
  {
    ...{ method: 'post', path: RELEASES, id: 'publishRelease', scope: 'publish', tag: 'Releases' },
    summary: 'Publish a release',
    description:
      'Creates a release that cannot be changed. It is offered immediately to the devices that are in its rollout and match its targets.',
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
      409: error('The version already exists on the channel'),
    },
  },
  {
    ...{ method: 'patch', path: RELEASES, id: 'changeServing', scope: 'serve', tag: 'Releases' },
    summary: 'Change the rollout, status or targets of a release',
    description:
      'Applies targets, rollout and status in this order as one change. If one part is rejected, nothing changes.',
    body: ServingBody,
    examples: {
      raiseRollout: { ...PLACE, rolloutPct: 50 },
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
      200: answer(ReleaseAnswer, 'The updated release'),
      ...BODY,
      409: error('The release was rolled back'),
      422: error('The change would take the release back from devices that were offered it'),
    },
  },
]
