/** Offers of releases that seem to fail. */
export const waitingOffers = {
  number: 28,
  name: 'waiting-offers',
  sql: `
    -- Percentage up to which the release is offered while it is suspected; NULL if it is offered to all of its rollout.
    ALTER TABLE plans ADD COLUMN open_pct REAL CHECK (open_pct BETWEEN 0 AND 100);
  `,
}
