/** Rollout plans: the steps of a release that are applied by themselves, and the days of an app on which none is. */
export const plans = {
  number: 17,
  name: 'plans',
  sql: `
    CREATE TABLE plans (
      release_id TEXT NOT NULL PRIMARY KEY REFERENCES releases (id),
      plan TEXT NOT NULL CHECK (json_valid(plan)),
      -- Those of the release, without the rings of the plan.
      targets TEXT NOT NULL CHECK (json_valid(targets)),
      status TEXT NOT NULL CHECK (status IN ('running', 'suspended', 'stopped', 'finished')),
      -- Why it is suspended or stopped.
      reason TEXT,
      -- Since when it has that status.
      since TEXT NOT NULL,
      -- Steps applied so far.
      step INTEGER NOT NULL CHECK (step >= 0),
      applied_at TEXT,
      soak_since TEXT,
      -- Whether its steps may be applied where approval is required.
      approved INTEGER NOT NULL CHECK (approved IN (0, 1)),
      -- Another one after every change.
      revision TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX plans_by_status ON plans (status);
    ALTER TABLE apps ADD COLUMN freezes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(freezes));
  `,
}
