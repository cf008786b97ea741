/**
 * Tidegate never deletes entries of the audit log, not even with the apps and channels that they are about. Now
 * no hand-written statement can delete them either, and the entries of one app since some time are found
 * without scanning the log.
 */
export const audit = {
  number: 5,
  name: 'audit',
  sql: `
    CREATE TRIGGER audit_never_deleted BEFORE DELETE ON audit
    BEGIN
      SELECT RAISE(ABORT, 'the audit log is append-only: an entry is never deleted');
    END;

    CREATE INDEX audit_of_app ON audit (app, at);
  `,
}
