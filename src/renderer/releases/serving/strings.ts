import type { Preview } from '../../../shared/console/releases.ts'
import { formatCount, formatCounted } from '../../../shared/wording/format.ts'
import { listed } from '../strings.ts'

/**
 * Says in numbers what a change would do to the devices that are known. `running` is how many
 * devices run `version` now.
 */
export function previewInWords(preview: Preview, version: string, running: number): string[] {
  const { devices, gaining, losing } = preview
  if (devices === 0) return ['No device of this channel is known yet, so nothing can be counted.']
  const gain = `${formatCounted(gaining, 'device')} ${gaining === 1 ? 'gains' : 'gain'} it`
  const lose = `${formatCount(losing)} ${losing === 1 ? 'loses' : 'lose'} it`
  const sentences = [`Of ${formatCounted(devices, 'known device')}, ${gain}, ${lose}.`]
  return [...sentences, ...downInWords(preview, version, running), ...unknownInWords(preview)]
}

function unknownInWords({ unknown }: Preview): string[] {
  if (unknown === 0) return []
  const are = unknown === 1 ? 'is counted as Other and' : 'are counted as Other and'
  return [`${formatCounted(unknown, 'device')} ${are} not included.`]
}

function downInWords(preview: Preview, version: string, running: number): string[] {
  const { movingDown, stranded, downTo } = preview
  if (movingDown === 0 && stranded === 0) return []
  const all = Math.max(running, movingDown + stranded)
  const of = `of ${formatCounted(all, 'device')} on ${version}`
  const nothing = `${stranded === 1 ? 'has' : 'have'} nothing to go back to`
  if (movingDown === 0) return [`${formatCount(stranded)} ${of} ${nothing}.`]
  const goals = downTo.map((goal) =>
    downTo.length === 1 ? goal.version : `${formatCount(goal.devices)} to ${goal.version}`,
  )
  const where = downTo.length === 1 ? ` to ${goals[0]}` : `, ${listed(goals)}`
  const sent = `${formatCount(movingDown)} ${of} will be sent back${downTo.length === 0 ? '' : where}`
  return [stranded === 0 ? `${sent}.` : `${sent}; ${formatCount(stranded)} ${nothing}.`]
}
