/** Who has made a draft, so that nobody makes all that an app can have. */
export const draftOwners = {
  number: 24,
  name: 'draft-owners',
  sql: `
    -- A person or a key; '' for drafts from before.
    ALTER TABLE drafts ADD COLUMN owner TEXT NOT NULL DEFAULT '';
  `,
}
