/**
 * Apps can be archived, and apps and channels can be removed. A release is still removed only with its channel,
 * and an artifact only with its release: the parent is deleted first, which the foreign
 * keys refuse to every connection but the one that removes.
 */
export const removal = {
  number: 3,
  name: 'removal',
  sql: `
    ALTER TABLE apps ADD COLUMN archived_at TEXT;

    -- What was removed gives no number to what comes after: the check-in log still knows it.
    ALTER TABLE telemetry_state ADD COLUMN last_device INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE telemetry_state ADD COLUMN last_profile INTEGER NOT NULL DEFAULT 0;

    CREATE INDEX audit_of_release ON audit (app, channel, version, id);

    DROP TRIGGER releases_never_deleted;
    CREATE TRIGGER releases_never_deleted BEFORE DELETE ON releases
    WHEN EXISTS (SELECT 1 FROM channels WHERE key = OLD.channel_key)
    BEGIN
      SELECT RAISE(ABORT, 'a release is never deleted: roll it back instead');
    END;

    DROP TRIGGER artifacts_never_deleted;
    CREATE TRIGGER artifacts_never_deleted BEFORE DELETE ON artifacts
    WHEN EXISTS (SELECT 1 FROM releases WHERE id = OLD.release_id)
    BEGIN
      SELECT RAISE(ABORT, 'a release is immutable: its artifacts are never deleted');
    END;
  `,
}
