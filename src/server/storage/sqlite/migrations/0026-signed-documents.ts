/** Documents of updaters that a publisher signed, and the public keys that an app verifies them with. */
export const signedDocuments = {
  number: 26,
  name: 'signed-documents',
  sql: `
    -- JSON by the names of the API. A document is its bytes in base64: the signature covers each of them.
    ALTER TABLE releases ADD COLUMN documents TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(documents));
    ALTER TABLE drafts ADD COLUMN documents TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(documents));
    ALTER TABLE apps ADD COLUMN document_keys TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(document_keys));

    CREATE TRIGGER release_documents_immutable BEFORE UPDATE OF documents ON releases
    BEGIN
      SELECT RAISE(ABORT, 'a release is immutable: its documents never change');
    END;
  `,
}
