import { ChannelAnswer, ChannelBody } from '../../../shared/releases/channel.ts'
import { KEYED, operations } from './openapi-operation.ts'

const CHANNELS = '/api/v1/channels'
const PLACE = { app: 'editor', channel: 'stable' } as const

/** Operations on channels. */
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
        ...PLACE,
        earlyAccess: {
          deviceIds: ['0b3e4f8a-6f0c-4f59-9a1f-0c7f3b6f2a11'],
          targets: [{ matchLabels: { ring: ['beta', 'internal'] } }],
        },
      },
      manualChecks: { ...PLACE, manualChecks: true },
    },
    answers: {
      200: [ChannelAnswer, 'The updated channel'],
      403: 'The key lacks the scope, or the channel requires approval',
      422: 'The channel has changed since `seenChange`',
    },
  },
})
