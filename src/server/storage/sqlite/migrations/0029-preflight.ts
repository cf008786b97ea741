/** Preflight of releases as a condition of a channel, and the findings that it accepts. */
export const preflight = {
  number: 29,
  name: 'preflight',
  sql: `
    ALTER TABLE channels ADD COLUMN preflight TEXT NOT NULL DEFAULT 'off'
      CHECK (preflight IN ('off', 'warn', 'required'));
    -- JSON by the names of the API.
    ALTER TABLE channels ADD COLUMN accepted_findings TEXT NOT NULL DEFAULT '[]';
  `,
}
