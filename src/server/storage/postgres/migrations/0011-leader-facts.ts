/** What only the leader of a task knows, and all nodes show. */
export const leaderFacts = {
  number: 11,
  name: 'leader-facts',
  readableFrom: 4,
  sql: `
    CREATE TABLE leader_facts (
      task text COLLATE "C" PRIMARY KEY,
      -- JSON.
      facts text NOT NULL
    );`,
}
