/**
 * Nothing in the product deletes what the audit log holds: it outlives the apps and channels that
 * it tells of. Now no hand-written statement does either. And what was done to one app since some
 * moment is found without a look at the log as a whole.
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
