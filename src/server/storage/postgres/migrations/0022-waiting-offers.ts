/** Offers of releases that seem to fail. */
export const waitingOffers = {
  number: 22,
  name: 'waiting-offers',
  readableFrom: 4,
  sql: `
    -- Percentage up to which the release is offered while it is suspected; NULL if it is offered to all of its rollout.
    ALTER TABLE plans ADD COLUMN open_pct double precision CHECK (open_pct BETWEEN 0 AND 100);
  `,
}
