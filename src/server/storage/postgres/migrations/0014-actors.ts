/**
 * Identifies who made a change where names are the same: a key by its prefix. An account keeps who granted its access, so
 * that one person does not count as two. A node from before leaves both empty.
 */
export const actors = {
  number: 14,
  name: 'actors',
  readableFrom: 4,
  sql: `
    ALTER TABLE audit ADD COLUMN key_prefix text;
    -- The person of a principal; null for nobody, or for the server's own computer.
    ALTER TABLE accounts ADD COLUMN vouched_by text COLLATE "C";
  `,
}
