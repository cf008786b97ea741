/** A plan laid over the calendar. */
export const text = {
  steps: 'Steps with their earliest times',
  refused: 'This plan cannot be set',
  past: 'Already past',
  never: 'Never',
  counting: 'Counting devices…',
  applied: (when: string) => `Steps are applied ${when}.`,
} as const
