import type { PublishBody } from '../../../shared/release.ts'
import { isEveryDevice } from '../targets/draft.ts'
import { targetsInWords } from '../targets/strings.ts'

/** Says what publishing will do, a sentence each. */
export function publishInWords(body: PublishBody): string[] {
  const { app, channel, version, rolloutPct, targets, artifacts } = body
  const place = `${app}/${channel}`
  const sentences: string[] = []
  if (artifacts.length === 0) {
    sentences.push(
      `${version} will be listed on ${place}, but no device is offered it: it has no artifacts, and none can be added later.`,
    )
  } else if (rolloutPct === 0) {
    sentences.push(`${version} will be published on ${place}, and offered to no device yet.`)
  } else {
    const share = rolloutPct === 100 ? 'every device' : `${rolloutPct} % of devices`
    sentences.push(`${version} will be offered to ${share} on ${place}.`)
  }
  if (!isEveryDevice(targets)) sentences.push(`It is meant for these: ${targetsInWords(targets)}`)
  sentences.push('Version, notes and artifacts cannot be changed afterwards.')
  return sentences
}
