import type { z } from 'zod'
import type { VersionVerdict } from '../../../shared/console/releases.ts'
import type { VersionJudgement } from '../../updates/judge-version.ts'
import type { ChannelPlace } from '../../updates/principal.ts'

/** What the publish form says of a version. */
export function verdictOf(
  { app, channel }: ChannelPlace,
  judgement: VersionJudgement,
): z.output<typeof VersionVerdict> {
  return {
    state: judgement.state,
    message: messageOf(`${app}/${channel}`, judgement),
    newest: judgement.highest,
  }
}

function messageOf(place: string, judgement: VersionJudgement): string {
  switch (judgement.state) {
    case 'free':
      return ''
    case 'invalid':
      return `The version ${judgement.reason}.`
    case 'duplicate':
      return `${judgement.version} is on ${place} already (${judgement.status.replace('_', ' ')}).`
    case 'lower':
      return `${judgement.version} is lower than ${judgement.highest}, the newest version of the channel. Devices on newer versions will not be offered it.`
    default:
      return judgement satisfies never
  }
}
