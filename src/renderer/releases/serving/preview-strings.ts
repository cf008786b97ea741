import type { Preview } from '../../../shared/console/releases/releases.ts'
import {
  formatCount,
  formatCounted,
  formatList,
  formatSize,
} from '../../../shared/wording/format.ts'

/**
 * Returns in numbers what a change would do to the known devices. `running` is how many devices run
 * `version` now.
 */
export function previewInWords(preview: Preview, version: string, running: number): string[] {
  const { devices, gaining, losing, earlyAccess, manualChecks } = preview
  if (devices === 0) return ['No devices on this channel yet, so there is nothing to count.']
  const of = `of ${formatCounted(devices, 'device')}`
  const gain = `${gaining === 0 ? 'None' : formatCount(gaining)} ${of} will be newly offered this release.`
  const lose =
    losing === 0 ? [] : [`${formatCount(losing)} ${of} will no longer be offered this release.`]
  const early =
    earlyAccess === 0
      ? []
      : [`${formatCount(earlyAccess)} of them ${earlyAccess === 1 ? 'has' : 'have'} early access.`]
  const manual = manualChecks
    ? ['Devices whose users check for updates manually are offered it too.']
    : []
  return [
    gain,
    ...early,
    ...manual,
    ...downloadInWords(preview),
    ...lose,
    ...downInWords(preview, version, running),
    ...unknownInWords(preview),
  ]
}

/** Devices whose updater downloads only what has changed need less. */
function downloadInWords({ gaining, sized, bytes, blocks, patches }: Preview): string[] {
  if (sized === 0) return []
  const of =
    sized === gaining ? '' : `, for the ${formatCounted(sized, 'device')} whose file size is known`
  return [
    `Full downloads: ${formatSize(bytes / sized)} per device on average, ${formatSize(bytes)} in total${of}.`,
    ...partInWords('Differential downloads with electron-updater', blocks),
    ...partInWords('Patches with @tidegate/client', patches),
  ]
}

function partInWords(what: string, { devices, known, most, bytes }: Preview['blocks']): string[] {
  if (devices === 0) return []
  if (known === 0) return [`${what}: not known yet.`]
  const of =
    known === devices ? '' : `, for ${formatCount(known)} of ${formatCounted(devices, 'device')}`
  const size = most > 0 ? `at most ${formatSize(bytes / known)}` : formatSize(bytes / known)
  return [`${what}: ${size} per device on average, ${formatSize(bytes)} in total${of}.`]
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
  const nothing = `${stranded === 1 ? 'has' : 'have'} no earlier version to downgrade to`
  if (movingDown === 0) return [`${formatCount(stranded)} ${of} ${nothing}.`]
  const goals = downTo.map((goal) =>
    downTo.length === 1 ? goal.version : `${formatCount(goal.devices)} to ${goal.version}`,
  )
  const where = downTo.length === 1 ? ` to ${goals[0]}` : `: ${formatList(goals)}`
  const down = `${formatCount(movingDown)} ${of} will be downgraded${downTo.length === 0 ? '' : where}`
  return [stranded === 0 ? `${down}.` : `${down}; ${formatCount(stranded)} ${nothing}.`]
}
