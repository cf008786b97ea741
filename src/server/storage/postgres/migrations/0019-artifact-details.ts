/** What updaters get about an artifact beyond where it is and how it is verified: members of the publisher's manifest. */
export const artifactDetails = {
  number: 19,
  name: 'artifact-details',
  readableFrom: 4,
  sql: `
    -- JSON by the names of the API; '{}' for artifacts from before.
    ALTER TABLE artifacts ADD COLUMN details text NOT NULL DEFAULT '{}';
  `,
}
