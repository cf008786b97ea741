/**
 * Identifies who made a change where names are the same: a key by its prefix. An account keeps who granted its access, so
 * that one person does not count as two.
 */
export const actors = {
  number: 20,
  name: 'actors',
  sql: `
    ALTER TABLE audit ADD COLUMN key_prefix TEXT;
    -- The person of a principal; null for nobody, or for the server's own computer.
    ALTER TABLE accounts ADD COLUMN vouched_by TEXT;
  `,
}
