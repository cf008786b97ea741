import { Plan } from '../../shared/plan.ts'
import type { LiveRelease } from './story.ts'

/** Its plan is stopped in its first step. */
export const PARLEY_FAILING: LiveRelease = {
  hour: 1,
  by: 'jonas',
  channel: 'stable',
  version: '4.4.3',
  plan: Plan.parse({
    steps: [
      { rolloutPct: 20, soakHours: 4, gate: { minSample: 20 } },
      { rolloutPct: 50, soakHours: 4 },
      { rolloutPct: 100, soakHours: 4 },
    ],
  }),
  failure: { share: 0.45, detail: 'Call service did not start (exit code 3)' },
  notes: `- Calls start twice as fast
- Rooms keep their volume setting for each person
`,
}
