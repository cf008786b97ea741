/** Plans that were stopped by the failures of their releases: why, and what a person accepted who resumed them. */
export const stoppedPlans = {
  number: 18,
  name: 'stopped-plans',
  sql: `
    -- The reasons of the judge; null for a plan that failures did not stop.
    ALTER TABLE plans ADD COLUMN stop_reasons TEXT CHECK (json_valid(stop_reasons));
    -- What was observed of the release when a person let it go on after that, which does not count again.
    ALTER TABLE plans ADD COLUMN accepted TEXT CHECK (json_valid(accepted));
  `,
}
