import type { Dashboard, RolloutMark } from '../../shared/console/fleet.ts'

/** Marks with their numbers, and the lines of the chart that carry the numbers. */
export interface NumberedMarks<Mark = RolloutMark> {
  readonly list: readonly { readonly number: number; readonly mark: Mark }[]
  /** One for each step with marks; `at` is the step's beginning. Lines whose numbers would overlap share the first one's label: `3–5`. */
  readonly lines: readonly { readonly at: string; readonly label: string }[]
}

/** Gives each step with changes a number, in the order of time, which its changes share. */
export function numberMarks<Mark extends { readonly at: string }>({
  steps,
  marks,
}: {
  readonly steps: Dashboard['steps']
  readonly marks: readonly Mark[]
}): NumberedMarks<Mark> {
  const lines: Line[] = []
  const list = marks.flatMap((mark) => {
    const step = steps.findLast((at) => at <= mark.at)
    if (step === undefined) return []
    if (lines.at(-1)?.at !== step) lines.push({ at: step, number: lines.length + 1 })
    return [{ number: lines.length, mark }]
  })
  return { list, lines: labelled(lines, steps) }
}

interface Line {
  readonly at: string
  readonly number: number
}

/** Labels that have room beside each other in a chart. */
const LABELS = 24

function labelled(lines: readonly Line[], steps: Dashboard['steps']): NumberedMarks['lines'] {
  const room = steps.length / LABELS
  const groups: Line[][] = []
  for (const line of lines) {
    const group = groups.at(-1)
    const first = group?.[0]
    const isNear = first !== undefined && steps.indexOf(line.at) - steps.indexOf(first.at) < room
    if (group !== undefined && isNear) group.push(line)
    else groups.push([line])
  }
  return groups.flatMap((group) => {
    const [first, last] = [group[0]?.number, group.at(-1)?.number]
    const label = first === last ? `${first}` : `${first}–${last}`
    return group.map(({ at }, index) => ({ at, label: index === 0 ? label : '' }))
  })
}
