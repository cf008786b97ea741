/** Devices that are in every rollout of a channel above 0%, and whether checks that a person asks for are. */
export const earlyAccess = {
  number: 16,
  name: 'early access',
  sql: `
    -- The device IDs and targets of the list.
    ALTER TABLE channels ADD COLUMN early_access TEXT NOT NULL
      DEFAULT '{"deviceIds":[],"targets":[]}' CHECK (json_valid(early_access));
    ALTER TABLE channels ADD COLUMN manual_checks INTEGER NOT NULL DEFAULT 0
      CHECK (manual_checks IN (0, 1));
  `,
}
