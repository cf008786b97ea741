/** Percentages and the hours to the next. */
export type Plan = readonly (readonly [rolloutPct: number, soakHours: number])[]

/** Plans as people make them. */
export const PLANS: readonly Plan[] = [
  // Cautious.
  [
    [1, 24],
    [5, 24],
    [10, 48],
    [25, 48],
    [50, 48],
    [100, 0],
  ],
  [
    [10, 24],
    [50, 24],
    [100, 0],
  ],
  [
    [5, 48],
    [20, 48],
    [50, 24],
    [100, 0],
  ],
  // In a day.
  [
    [10, 4],
    [25, 4],
    [50, 8],
    [100, 0],
  ],
  [
    [25, 24],
    [100, 0],
  ],
]

/** Returns the percentage that the plan reached `age` hours after the release was published. */
export function rolloutAt(plan: Plan, age: number): number {
  let begins = 0
  let reached = 0
  for (const [rolloutPct, soakHours] of plan) {
    if (age < begins) return reached
    reached = rolloutPct
    begins += soakHours
  }
  return reached
}
