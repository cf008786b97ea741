// Apart from the schema of plans, which takes its rules from here.

type Step = { readonly rolloutPct: number } | { readonly ring: readonly string[] }

/** The steps of a plan. */
interface Steps {
  readonly steps: readonly Step[]
  readonly holdoutPct?: number | undefined
}

/** Returns what keeps a plan from holding devices back. */
export function holdoutIssues({ steps, holdoutPct }: Steps) {
  if (holdoutPct === undefined) return []
  const issue = (message: string) => [{ path: ['holdoutPct'], input: holdoutPct, message }]
  const [before, last] = [steps.at(-2), steps.at(-1)]
  if (last === undefined || !('rolloutPct' in last) || last.rolloutPct < 100) {
    return issue('needs a last step at 100%')
  }
  const reached = before !== undefined && 'rolloutPct' in before ? before.rolloutPct : 0
  return reached < 100 - holdoutPct ? [] : issue('must leave more than the step before the last')
}

/** Returns what breaks the order of steps: each must offer the release to more devices than the one before. */
export function orderIssues(steps: Steps['steps']) {
  const rings = new Set<string>()
  let percentage = 0
  return steps.flatMap((step, index) => {
    const issue = (member: string, message: string) => [
      { path: [index, member], input: step, message },
    ]
    if ('rolloutPct' in step) {
      const isHigher = step.rolloutPct > percentage
      percentage = step.rolloutPct
      return isHigher ? [] : issue('rolloutPct', 'must be above that of the step before')
    }
    if (percentage > 0) return issue('ring', 'must come before the steps with a percentage')
    const known = rings.size
    for (const ring of step.ring) rings.add(ring)
    return rings.size > known ? [] : issue('ring', 'must add a ring to those of the steps before')
  })
}
