import { ProofAnswer } from '../../../shared/files/proof.ts'
import { ReleaseHealthAnswer } from '../../../shared/health/health.ts'
import { AdoptionAnswer } from '../../../shared/releases/adoption.ts'
import { ChannelAnswer, ChannelBody } from '../../../shared/releases/channel.ts'
import { PreflightAnswer } from '../../../shared/releases/preflight.ts'
import { PublishBody, ReleaseAnswer, ServingBody } from '../../../shared/releases/release.ts'
import { ReleaseListAnswer, ReleaseListQuery } from '../../../shared/releases/release-list.ts'
import { VersionVerdictAnswer } from '../../../shared/releases/version-verdict.ts'
import { KEYED, operations } from './openapi-operation.ts'

const RELEASES = '/api/v1/releases'
const PROOF = `${RELEASES}/{app}/{channel}/{version}/proof`
const PLACE = { app: 'editor', channel: 'stable', version: '1.4.0' } as const

export const RELEASE_OPERATIONS = operations('Releases', 'read', KEYED, {
  listReleases: {
    on: `get ${RELEASES}`,
    summary: 'List releases, newest first',
    description:
      'Returns the releases that the key can see, regardless of their status. Unknown parameters are rejected.',
    query: ReleaseListQuery,
    answers: { 200: [ReleaseListAnswer, 'A page of releases'] },
  },
  showRelease: {
    on: `get ${RELEASES}/{app}/{channel}/{version}`,
    summary: 'Show a release',
    description: 'Returns one release, regardless of its status.',
    answers: { 200: [ReleaseAnswer, 'The release'] },
  },
  showAdoption: {
    on: `get ${RELEASES}/{app}/{channel}/{version}/adoption`,
    summary: 'Show the adoption of a release',
    description:
      'Counts the devices of the channel that were seen in the last 7 days, and those of them that run the version.',
    answers: { 200: [AdoptionAnswer, 'The adoption'] },
  },
  showHealth: {
    on: `get ${RELEASES}/{app}/{channel}/{version}/health`,
    summary: 'Show the health of a release',
    description:
      'Counts what became of the devices that were offered the release, beside the release before it at the same age.',
    answers: { 200: [ReleaseHealthAnswer, 'The health'] },
  },
  checkVersion: {
    on: `get ${RELEASES}/{app}/{channel}/{version}/check`,
    scope: 'publish',
    summary: 'Check a version',
    description:
      'Returns what publishing the version on the channel would meet: nothing, a release with this version, a higher one, or only final versions.',
    answers: { 200: [VersionVerdictAnswer, 'The verdict'] },
  },
  preflightRelease: {
    on: `get ${RELEASES}/{app}/{channel}/{version}/preflight`,
    scope: 'publish',
    summary: 'Check a release or draft for every device',
    description:
      'Follows the updates of every group of devices on the channel, and of the versions of the last two years, as their updaters read them. Returns what would not install the release. Takes some seconds for a million devices.',
    answers: {
      200: [PreflightAnswer, 'The report'],
      409: 'The release was rolled back',
      503: 'Too many of the caller wait already',
    },
  },
  proveRelease: {
    on: `post ${PROOF}`,
    scope: 'publish',
    summary: 'Prove a release',
    description:
      'Begins to download the artifacts of the release from the allowed hosts of the app, and to compare their size, SHA-512 and signature with what was published. Returns immediately; does nothing if the release is being proven already.',
    answers: {
      200: [ProofAnswer, 'The state of the proof'],
      422: 'Too many releases are being proven',
    },
  },
  showProof: {
    on: `get ${PROOF}`,
    scope: 'publish',
    summary: 'Show the proof of a release',
    description:
      'Returns what is known of each artifact: what the last proof found, and how far a running one is.',
    answers: { 200: [ProofAnswer, 'The state of the proof'] },
  },
  publishRelease: {
    on: `post ${RELEASES}`,
    scope: 'publish',
    summary: 'Publish a release',
    description:
      'Creates a release that cannot be changed. It is offered immediately to the devices that are in its rollout and match its targets, or once it is proven if the channel requires that.',
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
      planned: {
        ...PLACE,
        plan: {
          steps: [
            { rolloutPct: 10, soakHours: 24, gate: { maxFailedPct: 2 } },
            { rolloutPct: 100, soakHours: 24 },
          ],
        },
      },
    },
    answers: {
      201: [ReleaseAnswer, 'Published'],
      409: 'The version already exists on the channel, or fails the preflight that the channel requires',
      422: 'A ring of the plan has no early access',
    },
  },
  changeServing: {
    on: `patch ${RELEASES}`,
    scope: 'serve',
    summary: 'Change the rollout, status or targets of a release',
    description:
      'Applies targets, rollout and status in this order as one change. If one part is rejected, nothing changes. With `plan` alone, sets the plan of the release.',
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
      200: [ReleaseAnswer, 'The updated release'],
      409: 'The release was rolled back, or fails the preflight that the channel requires',
      422: 'The change would take the release back from devices that were offered it, or would resume a release without the proof that its channel requires',
    },
  },
})

const CHANNELS = '/api/v1/channels'
const CHANNEL_PLACE = { app: 'editor', channel: 'stable' } as const

export const CHANNEL_OPERATIONS = operations('Channels', 'read', KEYED, {
  showChannel: {
    on: `get ${CHANNELS}/{app}/{channel}`,
    summary: 'Show a channel',
    description: 'Returns the policy of a channel.',
    answers: { 200: [ChannelAnswer, 'The channel'] },
  },
  changeChannel: {
    on: `patch ${CHANNELS}`,
    scope: 'serve',
    summary: 'Change early access and manual checks',
    description:
      'Replaces the early access list, or sets whether manual checks are in every rollout above 0%. On a channel that requires approval, only a key that can bypass approval may do so.',
    body: ChannelBody,
    examples: {
      earlyAccess: {
        ...CHANNEL_PLACE,
        earlyAccess: {
          deviceIds: ['0b3e4f8a-6f0c-4f59-9a1f-0c7f3b6f2a11'],
          targets: [{ matchLabels: { ring: ['beta', 'internal'] } }],
        },
      },
      manualChecks: { ...CHANNEL_PLACE, manualChecks: true },
    },
    answers: {
      200: [ChannelAnswer, 'The updated channel'],
      403: 'The key lacks the scope, or the channel requires approval',
      422: 'The channel has changed since `seenChange`',
    },
  },
})
