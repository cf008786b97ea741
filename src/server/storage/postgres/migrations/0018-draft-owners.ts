/** Who has made a draft, so that nobody makes all that an app can have. */
export const draftOwners = {
  number: 18,
  name: 'draft-owners',
  readableFrom: 4,
  sql: `
    -- A person or a key; '' for drafts from before.
    ALTER TABLE drafts ADD COLUMN owner text NOT NULL DEFAULT '';
  `,
}
