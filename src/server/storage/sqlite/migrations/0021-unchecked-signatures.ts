/**
 * The formats of signatures that a channel takes unchecked although its app has a minisign key. Proofs under a key that
 * found no valid signature are due again, and do not count until then.
 */
export const uncheckedSignatures = {
  number: 21,
  name: 'unchecked-signatures',
  sql: `
    ALTER TABLE channels ADD COLUMN unchecked_signatures TEXT NOT NULL DEFAULT '[]'
      CHECK (json_valid(unchecked_signatures));
    UPDATE proofs SET due_at = '1970-01-01T00:00:00.000Z'
      WHERE failure IS NULL AND signature <> 'valid' AND release_id IN (
        SELECT releases.id FROM releases JOIN apps ON apps.key = releases.app_key
        WHERE apps.minisign_key IS NOT NULL);
  `,
}
