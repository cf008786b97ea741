/**
 * Nothing in the product deletes what the audit log holds: it outlives the apps and channels that
 * it tells of. Now no hand-written statement does either.
 */
export const audit = {
  number: 5,
  name: 'audit',
  sql: `
    CREATE TRIGGER audit_never_deleted BEFORE DELETE ON audit
    BEGIN
      SELECT RAISE(ABORT, 'the audit log is append-only: an entry is never deleted');
    END;
  `,
}
