/** Documents of updaters that a publisher signed, and the public keys that an app verifies them with. */
export const signedDocuments = {
  number: 20,
  name: 'signed-documents',
  readableFrom: 4,
  sql: `
    -- JSON by the names of the API. A document is its bytes in base64: the signature covers each of them.
    ALTER TABLE releases ADD COLUMN documents text NOT NULL DEFAULT '[]';
    ALTER TABLE drafts ADD COLUMN documents text NOT NULL DEFAULT '[]';
    ALTER TABLE apps ADD COLUMN document_keys text NOT NULL DEFAULT '[]';

    CREATE TRIGGER release_documents_immutable BEFORE UPDATE ON releases FOR EACH ROW
      WHEN (OLD.documents IS DISTINCT FROM NEW.documents)
      EXECUTE FUNCTION refuse('a release is immutable: its documents never change');
  `,
}
