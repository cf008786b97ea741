import { ChannelAnswer, ChannelBody, ChannelPath } from '../../../shared/channel.ts'
import { answer, BODY, error, KEYED, type Operation, parametersOf } from './openapi-operation.ts'

const CHANNELS = '/api/v1/channels'
const PLACE = { app: 'editor', channel: 'stable' } as const

/** Operations on channels. */
export const CHANNEL_OPERATIONS: readonly Operation[] = [
  {
    ...{ method: 'get', path: `${CHANNELS}/{app}/{channel}`, id: 'showChannel' },
    ...{ scope: 'read', tag: 'Channels' },
    summary: 'Show a channel',
    description: 'Returns the policy of a channel.',
    parameters: parametersOf(ChannelPath, 'path'),
    answers: { 200: answer(ChannelAnswer, 'The channel'), ...KEYED },
  },
  {
    ...{ method: 'patch', path: CHANNELS, id: 'changeChannel', scope: 'serve', tag: 'Channels' },
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
      200: answer(ChannelAnswer, 'The updated channel'),
      ...BODY,
      403: error('The key lacks the scope, or the channel requires approval'),
      422: error('The channel has changed since `seenChange`'),
    },
  },
]
