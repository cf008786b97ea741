/** The command line has sessions of its own, and the audit log names it as the way that a person made a change. */
export const commandLine = {
  number: 10,
  name: 'command-line',
  sql: `
    ALTER TABLE sessions ADD COLUMN kind TEXT NOT NULL DEFAULT 'browser'
      CHECK (kind IN ('browser', 'command_line'));
    ALTER TABLE audit ADD COLUMN via TEXT CHECK (via IN ('command_line'));
  `,
}
