/** Preflight of releases as a condition of a channel, and the findings that it accepts. */
export const preflight = {
  number: 23,
  name: 'preflight',
  readableFrom: 4,
  sql: `
    ALTER TABLE channels ADD COLUMN preflight text NOT NULL DEFAULT 'off'
      CHECK (preflight IN ('off', 'warn', 'required'));
    -- JSON by the names of the API.
    ALTER TABLE channels ADD COLUMN accepted_findings text NOT NULL DEFAULT '[]';
  `,
}
