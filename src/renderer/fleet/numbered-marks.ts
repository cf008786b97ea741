import type { Dashboard, RolloutMark } from '../../shared/console/fleet.ts'

/** Marks with their numbers, and the lines of the chart that carry the numbers. */
export interface NumberedMarks {
  readonly list: readonly { readonly number: number; readonly mark: RolloutMark }[]
  /** One for each step with marks; `at` is the step's beginning. */
  readonly lines: readonly { readonly at: string; readonly label: string }[]
}

/** Gives each step with changes a number, in the order of time, which its changes share. */
export function numberMarks({ steps, marks }: Pick<Dashboard, 'steps' | 'marks'>): NumberedMarks {
  const lines: { at: string; label: string }[] = []
  const list = marks.flatMap((mark) => {
    const step = steps.findLast((at) => at <= mark.at)
    if (step === undefined) return []
    if (lines.at(-1)?.at !== step) lines.push({ at: step, label: String(lines.length + 1) })
    return [{ number: lines.length, mark }]
  })
  return { list, lines }
}
