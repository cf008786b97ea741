/** Since when the release of a running plan seems to fail, so that a restart does not begin the hour before a stop anew. */
export const suspectedPlans = {
  number: 19,
  name: 'suspected-plans',
  sql: `
    -- ISO 8601, UTC; null while the last look at the release found nothing.
    ALTER TABLE plans ADD COLUMN suspected_since TEXT;
  `,
}
